import { h } from './dom.js';

/** Milliseconds that a note is shown. */
const SHOWN = 3500;
let corner = null;

/** Says something in passing. @param {string} text @param {{label: string, action: () => void}} [offer] */
export function toast(text, offer) {
    corner ??= h('div.toasts', { role: 'status', 'aria-live': 'polite' });
    // What is modal hides all that lies outside of it.
    const home = [...document.querySelectorAll('dialog[open]')].at(-1) ?? document.body;
    if (corner.parentElement !== home) home.append(corner);
    const note = h('div.toast', null, h('span', null, text), offer && h('button', { type: 'button', onclick: () => {
        offer.action();
        note.remove();
    } }, offer.label));
    corner.replaceChildren(...[...corner.children].slice(-2), note);
    setTimeout(() => note.remove(), offer ? SHOWN * 2 : SHOWN);
}

/** Runs something that may fail at the host, and says so. @template Value @param {() => Promise<Value>} work */
export async function orToast(work) {
    try {
        return await work();
    } catch (error) {
        toast(error?.message ?? 'That did not work.');
        return undefined;
    }
}
