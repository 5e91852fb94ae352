import { h } from '../parts/dom.js';
import { icon, setIcon } from '../parts/icons.js';
import { iconButton } from '../parts/buttons.js';
import { t } from '../../texts/text.js';

/** @typedef {Pick<import('../../app.js').App, 'player'> & Partial<Pick<import('../../app.js').App, 'stations'>>} Parts what this module uses of the page */

/** Seconds of the skip buttons of radio stations and recordings. */
const STEP = 5;

const NEXT_REPEAT = { off: 'all', all: 'one', one: 'off' };

/** Names a repeat mode. @param {'off' | 'all' | 'one'} mode */
export const repeatText = (mode) => ({ off: t('Repeat off'), all: t('Repeat all'), one: t('Repeat song') })[mode];

/** Creates the buttons that skip a few seconds back and forward. @param {(seconds: number) => void} skip */
export function stepButtons(skip) {
    return [
        { label: t('Back {count} seconds', { count: STEP }), text: t('−{seconds} s', { seconds: STEP }), seconds: -STEP },
        { label: t('Forward {count} seconds', { count: STEP }), text: t('+{seconds} s', { seconds: STEP }), seconds: STEP },
    ].map(({ label, text, seconds }) =>
        h('button.step-button', { type: 'button', 'aria-label': label, title: label, onclick: () => skip(seconds) }, text)
    );
}

/**
 * Creates the playback controls: play, previous, next, shuffle and repeat. They follow the player's state.
 * @param {Parts} app
 * @param {AbortSignal} [signal] stops it
 */
export function transport(app, signal) {
    const { player } = app;
    const playIcon = icon('play');
    const play = h(
        'button.play-button',
        { type: 'button', onclick: () => player.toggle() },
        playIcon,
        h('i.spinner', { 'aria-hidden': 'true' }),
    );
    const shuffle = iconButton('shuffle', t('Shuffle'), () => {
        player.queue.shuffle = !player.queue.shuffle;
    });
    const repeat = iconButton('repeat', t('Repeat'), () => {
        player.queue.repeat = /** @type {typeof player.queue.repeat} */ (NEXT_REPEAT[player.queue.repeat]);
    });
    const previous = iconButton('previous', t('Previous'), () => player.previous());
    const next = iconButton('next', t('Next'), () => player.next());
    // For recordings of radio stations, which are long and have no beats to follow.
    const steps = stepButtons((seconds) => player.seek(player.position + seconds));
    const element = h(
        'div.transport',
        { role: 'group', 'aria-label': t('Playback') },
        shuffle,
        previous,
        steps[0],
        play,
        steps[1],
        next,
        repeat,
    );
    const draw = () => {
        const { state, queue } = player;
        const isWaiting = state === 'loading' || state === 'buffering';
        const isOn = isWaiting || state === 'playing' || state === 'offline';
        setIcon(playIcon, isOn ? 'pause' : 'play');
        play.setAttribute('aria-label', isOn ? t('Pause') : t('Play'));
        play.title = isOn ? t('Pause (Space)') : t('Play (Space)');
        play.classList.toggle('is-waiting', isWaiting);
        play.setAttribute('aria-busy', String(isWaiting));
        shuffle.setAttribute('aria-pressed', String(queue.shuffle));
        repeat.setAttribute('aria-pressed', String(queue.repeat !== 'off'));
        repeat.setAttribute('aria-label', repeatText(queue.repeat));
        repeat.title = repeatText(queue.repeat);
        setIcon(repeat.firstChild, queue.repeat === 'one' ? 'repeatone' : 'repeat');
        for (const button of [play, previous, next]) button.disabled = !player.current;
        const isRecording = Boolean(player.current && app.stations?.isRecording(player.current.id));
        for (const button of steps) button.hidden = !isRecording;
    };
    for (const type of ['state', 'track', 'queue']) player.addEventListener(type, draw, { signal });
    player.queue.addEventListener('change', draw, { signal });
    app.stations?.addEventListener('change', draw, { signal });
    draw();
    return element;
}

/**
 * Creates the mute button and the volume slider.
 * @param {Parts} app
 * @param {AbortSignal} [signal] stops it
 */
export function volume(app, signal) {
    const { player } = app;
    const button = iconButton('volume', t('Mute'), () => {
        player.muted = !player.muted;
    });
    const slider = /** @type {HTMLInputElement} */ (h('input.slider', {
        type: 'range',
        min: '0',
        max: '1',
        step: '0.01',
        'aria-label': t('Volume'),
        oninput: () => {
            player.muted = false;
            player.volume = Number(slider.value);
        },
    }));
    const draw = () => {
        const shown = player.muted ? 0 : player.volume;
        slider.value = String(shown);
        slider.style.setProperty('--part', String(shown));
        slider.setAttribute('aria-valuetext', `${Math.round(shown * 100)} %`);
        setIcon(button.firstChild, shown === 0 ? 'muted' : 'volume');
        button.setAttribute('aria-pressed', String(player.muted));
    };
    player.addEventListener('volume', draw, { signal });
    draw();
    const element = h('div.volume', null, button, slider);
    element.addEventListener('wheel', (event) => {
        event.preventDefault();
        player.volume += event.deltaY < 0 ? 0.05 : -0.05;
    }, { passive: false });
    return element;
}
