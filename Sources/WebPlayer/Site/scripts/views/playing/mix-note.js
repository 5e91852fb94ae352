import { h } from '../parts/dom.js';

/** @typedef {Pick<import('../../app.js').App, 'player'>} Parts what this module uses of the page */

/**
 * Describes the mix that is heard, or the coming one, in a sentence.
 * @param {Parts} app
 * @param {AbortSignal} signal stops it
 */
export function mixNote({ player }, signal) {
    const note = h('p.now-mix', { hidden: true });
    const draw = () => {
        const mix = [player.transition, player.plannedTransition].find((each) => each?.isMix);
        note.hidden = !mix?.reason;
        note.textContent = mix?.reason ?? '';
    };
    for (const type of ['plan', 'queue', 'track', 'transition']) player.addEventListener(type, draw, { signal });
    draw();
    return note;
}
