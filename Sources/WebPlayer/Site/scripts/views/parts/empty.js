import { h } from './dom.js';
import { icon } from './icons.js';

/** What stands where there is nothing (yet). */
export function empty(name, title, text, ...more) {
    return h('div.empty', null, icon(name), h('h2', null, title), text && h('p', null, text), more);
}
