import { titleOf } from '../../library/track-text.js';
import { iconButton, textButton } from '../parts/buttons.js';
import { showSheet } from '../parts/dialog.js';
import { h } from '../parts/dom.js';
import { setIcon } from '../parts/icons.js';
import { clock } from '../parts/texts.js';
import { orToast } from '../parts/toast.js';
import { stepButtons } from './transport.js';
import { t } from '../../texts/text.js';

/** @typedef {Pick<import('../../app.js').App, 'cast' | 'player'>} Parts what this module uses of the page */

/**
 * Creates the button that plays on another device; hidden unless the browser has found one.
 * @param {Parts} app
 * @param {AbortSignal} [signal] stops it
 */
export function castButton(app, signal) {
    const { cast } = app;
    const button = iconButton('cast', t('Cast'), () => cast.isConnected ? showCast(app) : orToast(() => cast.choose()));
    const draw = () => {
        button.hidden = !cast.isAvailable && !cast.isConnected;
        button.setAttribute('aria-pressed', String(cast.isConnected));
    };
    cast.addEventListener('change', draw, { signal });
    draw();
    return button;
}

/** Shows the controls of the other device. @param {Parts} app */
function showCast({ cast, player }) {
    const listeners = new AbortController();
    const title = h('p');
    const time = h('p.page-text', { role: 'status' });
    const play = iconButton('play', t('Play'), () => cast.toggle());
    const sheet = showSheet(t('Casting'), [
        title,
        time,
        h(
            'div.row',
            null,
            iconButton('previous', t('Previous'), () => (cast.position > 3 || !player.queue.previous()) && cast.seek(0)),
            play,
            iconButton('next', t('Next'), () => player.next()),
            stepButtons((seconds) => cast.seek(cast.position + seconds)),
        ),
        h('div.row.end', null, textButton(t('Stop casting'), () => orToast(() => cast.choose()))),
    ], { className: 'is-small' });
    const draw = () => {
        if (!cast.isConnected) {
            sheet.close();
            return;
        }
        title.textContent = player.current ? titleOf(player.current) : t('Nothing playing');
        time.textContent = cast.message || clock(cast.position);
        setIcon(play.firstChild, cast.isPaused ? 'play' : 'pause');
        play.setAttribute('aria-label', cast.isPaused ? t('Play') : t('Pause'));
    };
    cast.addEventListener('change', draw, { signal: listeners.signal });
    player.addEventListener('track', draw, { signal: listeners.signal });
    sheet.addEventListener('close', () => listeners.abort());
    draw();
}
