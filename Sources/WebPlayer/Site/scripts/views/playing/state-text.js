import { h } from '../parts/dom.js';
import { clock, percentText } from '../parts/texts.js';
import { t } from '../../texts/text.js';

/** @typedef {Pick<import('../../app.js').App, 'player'>} Parts what this module uses of the page */

/**
 * Shows the player's message, such as "Buffering 40 %" or "No Connection", with the time until the next attempt and a retry button.
 * @param {Parts} app
 * @param {AbortSignal} [signal] stops it
 */
export function stateText(app, signal) {
    const { player } = app;
    const text = h('span');
    const retry = h('button', { type: 'button', onclick: () => player.retry() }, t('Retry'));
    const element = h('div.state-text', { role: 'status', 'aria-live': 'polite', hidden: true }, text, retry);
    const draw = () => {
        const { state, message, retryIn } = player;
        const isTrouble = state === 'failed' || state === 'offline';
        element.hidden = !message;
        element.classList.toggle('is-trouble', isTrouble);
        const wait = state === 'failed' && retryIn ? t('retrying in {seconds} s', { seconds: Math.ceil(retryIn) }) : '';
        const progress = player.startProgress;
        // A message that asks for an action stays.
        const said = progress !== null && message.endsWith('…')
            ? t('Buffering {percent}', { percent: percentText(Math.floor(100 * progress) / 100) })
            : [message, wait].filter(Boolean).join(' · ');
        if (text.textContent !== said) text.textContent = said;
        retry.hidden = !isTrouble;
    };
    for (const type of ['state', 'error', 'track', 'buffer']) player.addEventListener(type, draw, { signal });
    const timer = setInterval(draw, 1000);
    signal?.addEventListener('abort', () => clearInterval(timer));
    draw();
    return element;
}

/**
 * Creates the elapsed and remaining time next to the seek bar.
 * @param {Parts} app
 * @param {any} bar the seek bar
 * @param {AbortSignal} [signal] stops it
 */
export function times(app, bar, signal) {
    const { player } = app;
    const passed = h('span.time');
    const left = h('span.time');
    let shown = '';
    const draw = () => {
        const position = bar?.position ?? player.position;
        const { duration } = player;
        const text = player.current
            ? `${clock(Math.floor(position))}|−${clock(Math.max(0, Math.round(duration) - Math.floor(position)))}`
            : '–:––|–:––';
        if (text === shown) return;
        shown = text;
        [passed.textContent, left.textContent] = text.split('|');
    };
    for (const type of ['position', 'track', 'state']) player.addEventListener(type, draw, { signal });
    bar?.addEventListener('scrub', draw, { signal });
    draw();
    return [passed, left];
}
