import { h } from './dom.js';
import { icon } from './icons.js';

/** Creates an icon button; `label` is its accessible name and tooltip. */
export function iconButton(name, label, onclick, properties = {}) {
    return h('button.icon-button', { type: 'button', 'aria-label': label, title: label, onclick, ...properties }, icon(name));
}

/**
 * Creates a button with a text and an optional icon.
 * @param {string} label
 * @param {(event: MouseEvent) => void} onclick
 * @param {{name?: string, kind?: string, [attribute: string]: unknown}} options `name` of the icon, `kind` such as `is-main` or `is-danger`
 */
export function textButton(label, onclick, { name, kind = '', ...properties } = {}) {
    return h(
        `button.text-button${kind ? `.${kind}` : ''}`,
        { type: 'button', onclick, ...properties },
        name && icon(name),
        h('span', null, label),
    );
}
