import { h } from './dom.js';
import { t } from '../../texts/text.js';

/** Milliseconds that a toast is shown; twice as long with a button. */
const SHOWN = 3500;
let corner = null;

/** Shows a short notification. @param {string} text @param {{label: string, action: () => void}} [offer] button */
export function toast(text, offer) {
    corner ??= h('div.toasts', { role: 'status', 'aria-live': 'polite' });
    // A modal dialog makes everything outside it inert, so toasts go inside it.
    const home = [...document.querySelectorAll('dialog[open]')].at(-1) ?? document.body;
    if (corner.parentElement !== home) home.append(corner);
    const note = h(
        'div.toast',
        null,
        h('span', null, text),
        offer && h('button', {
            type: 'button',
            onclick: () => {
                offer.action();
                note.remove();
            },
        }, offer.label),
    );
    corner.replaceChildren(...[...corner.children].slice(-2), note);
    setTimeout(() => note.remove(), offer ? SHOWN * 2 : SHOWN);
}

/** Runs a request and shows its error, if any. @template Value @param {() => Promise<Value>} work */
export async function orToast(work) {
    try {
        return await work();
    } catch (error) {
        toast(error?.message ?? t('Something went wrong.'));
        return undefined;
    }
}
