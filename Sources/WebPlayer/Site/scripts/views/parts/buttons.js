import { h } from './dom.js';
import { icon } from './icons.js';

/** A button that is an icon; `label` is what it is called. */
export function iconButton(name, label, onclick, properties = {}) {
    return h('button.icon-button', { type: 'button', 'aria-label': label, title: label, onclick, ...properties }, icon(name));
}

/** A button with words, and an icon before them. */
export function textButton(label, onclick, { name, kind = '', ...properties } = {}) {
    return h(`button.text-button${kind ? `.${kind}` : ''}`, { type: 'button', onclick, ...properties }, name && icon(name), h('span', null, label));
}
