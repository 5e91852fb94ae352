import { h } from '../parts/dom.js';
import { iconButton, textButton } from '../parts/buttons.js';
import { showMenu } from '../parts/menu.js';
import { addToQueue, play, playlistItems, playNext, trackMenu } from './track-menu.js';
import { t } from '../../texts/text.js';

/** @typedef {Pick<import('../../app.js').App, 'client' | 'downloads' | 'favourites' | 'go' | 'player' | 'playlists' | 'trackActions'>} Parts what this module uses of the page */

/**
 * Actions for the selected songs; hidden while no song is selected.
 * @param {Parts} app
 * @param {import('./track-selection.js').TrackSelection} selection
 * @param {() => any[]} tracks the selected ones
 */
export function selectionBar(app, selection, tracks) {
    const count = h('span.selection-count', { role: 'status' });
    const element = h(
        'div.selection-bar',
        { role: 'toolbar', 'aria-label': t('Selected songs'), hidden: true },
        count,
        textButton(t('Play'), () => play(app, tracks(), 0, { shuffle: false }), { name: 'play' }),
        textButton(t('Play next'), () => playNext(app, tracks()), { name: 'queue' }),
        textButton(t('Add to queue'), () => addToQueue(app, tracks()), { name: 'plus' }),
        textButton(
            t('Add to playlist'),
            (event) => showMenu(playlistItems(app, tracks()), /** @type {Element} */ (event.currentTarget), t('Add to playlist')),
            {
                name: 'playlists',
            },
        ),
        iconButton('more', t('More options for the selected songs'), (event) => trackMenu(app, tracks(), event.currentTarget)),
        iconButton('close', t('Clear selection'), () => selection.clear()),
    );
    selection.addEventListener('change', () => {
        element.hidden = selection.size === 0;
        count.textContent = t('{count} songs selected', { count: selection.size });
    });
    return element;
}
