import { h } from './dom.js';

/**
 * Creates a group of rows below a heading.
 * @param {string} title
 * @param {...any} content
 */
export function settingsGroup(title, ...content) {
    return h('section.settings-group', { 'aria-label': title }, h('h2', null, title), content);
}

/** Creates the box of a group for rows. @param {string} label accessible name of the list */
export function rowList(label) {
    return h('div.settings-box', { role: 'list', 'aria-label': label });
}

/**
 * Creates a row of a list: a name, details below it, and controls at its end.
 * @param {string | Node} name
 * @param {(string | Node | null | false)[]} details each on a line of its own
 * @param {...any} controls
 */
export function listRow(name, details, ...controls) {
    return h(
        'div.setting',
        { role: 'listitem' },
        h(
            'div.setting-name',
            null,
            h('span', null, name),
            details.filter(Boolean).map((each) => (typeof each === 'string' ? h('small', null, each) : each)),
        ),
        controls.some(Boolean) && h('div.setting-control', null, controls),
    );
}

/** Puts the placeholder of an empty list into a row of it. @param {HTMLElement} placeholder */
export function inList(placeholder) {
    return h('div', { role: 'listitem' }, placeholder);
}

/** Creates the text of an empty list. @param {string} text */
export function emptyRow(text) {
    return h('p.settings-empty', { role: 'listitem' }, text);
}
