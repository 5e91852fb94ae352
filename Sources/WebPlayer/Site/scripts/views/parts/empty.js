import { h } from './dom.js';
import { icon } from './icons.js';

/** Creates a placeholder for an empty page or list. */
export function empty(name, title, text, ...more) {
    return h('div.empty', null, icon(name), h('h2', null, title), text && h('p', null, text), more);
}
