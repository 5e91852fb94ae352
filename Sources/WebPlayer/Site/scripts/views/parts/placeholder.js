import { h } from './dom.js';

/** @typedef {'shelves' | 'shelf' | 'cards' | 'rows' | 'tiles' | 'hero' | 'roundHero' | 'settings' | 'setting'} PlaceholderKind */

const bar = (/** @type {string} */ className = '') => h(`span.bone${className && `.${className}`}`);
const times = (/** @type {number} */ count, /** @type {() => HTMLElement} */ make) => Array.from({ length: count }, make);
const card = () => h('div.bone-card', null, h('div.card-picture', null, bar('is-square')), bar('is-title'), bar('is-text'));

const row = () => h('div.bone-row', null, bar('is-cover'), bar('is-title'), bar('is-text'));
const hero = (className = '') =>
    h(
        'div.hero',
        null,
        h(`div.cover.bone${className && `.${className}`}`),
        h('div.hero-text', null, bar('is-kind'), bar('is-name'), bar('is-facts'), bar('is-button')),
    );

const setting = () => h('div.setting', null, bar('is-title'));
const shelf = () =>
    h('div.bone-shelf', null, h('div.shelf-head', null, bar('is-heading')), h('div.shelf-cards', null, times(12, card)));

/** Makers of the placeholders of each kind. Whatever does not fit on a screen is cut off. @type {Record<PlaceholderKind, () => HTMLElement[]>} */
const MAKERS = {
    shelves: () => times(3, shelf),
    shelf: () => [shelf()],
    cards: () => [h('div.bone-cards', null, times(30, card))],
    rows: () => [h('div.bone-head'), ...times(40, row)],
    tiles: () => [h('div.tiles', null, times(12, () => h('div.bone-tile', null, bar('is-title'), bar('is-text'))))],
    hero: () => [hero()],
    roundHero: () => [hero('is-round')],
    settings: () => [h('div.settings-box', null, times(4, setting))],
    setting: () => [setting()],
};

/**
 * Creates placeholders with the geometry of content that is being loaded. They appear after a moment, so that they do not flash.
 * @param {...PlaceholderKind} kinds from top to bottom
 */
export function placeholder(...kinds) {
    return h('div.bones', { 'aria-hidden': 'true' }, kinds.map((kind) => MAKERS[kind]()));
}

/**
 * Returns a function that shows placeholders in place of an element while its content is being loaded.
 * @param {HTMLElement} page marked as busy meanwhile
 * @param {HTMLElement} content hidden meanwhile
 * @param {...PlaceholderKind} kinds
 */
export function waiting(page, content, ...kinds) {
    /** @type {HTMLElement | null} */
    let shown = null;
    return (/** @type {boolean} */ isWaiting) => {
        markBusy(page, isWaiting);
        if (isWaiting === Boolean(shown)) return;
        content.hidden = isWaiting;
        shown?.remove();
        shown = isWaiting ? placeholder(...kinds) : null;
        if (shown) content.before(shown);
    };
}

/** Shows placeholders in the lists that are empty, until their content replaces them. @param {PlaceholderKind} kind @param {...HTMLElement} lists */
export function startPlaceholders(kind, ...lists) {
    for (const list of lists) if (list.childElementCount === 0) list.append(placeholder(kind));
}

/** Removes the placeholders of lists whose content could not be loaded. @param {...HTMLElement} lists */
export function endPlaceholders(...lists) {
    for (const list of lists) list.querySelector(':scope > .bones')?.remove();
}

/** Tells screen readers whether an element is being loaded. @param {HTMLElement} element @param {boolean} isBusy */
export function markBusy(element, isBusy) {
    if (isBusy) element.setAttribute('aria-busy', 'true');
    else element.removeAttribute('aria-busy');
}

/** A text that is not known yet; its line has the same height. */
export const UNKNOWN = '\u00a0';
