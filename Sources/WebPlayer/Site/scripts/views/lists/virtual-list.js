import { closest, h } from '../parts/dom.js';
import { isSame, replaceKeepingFocus, sortChildren } from '../parts/redraw.js';
import { TallBox } from './tall-box.js';

/** Rows drawn beyond the visible area, above and below. */
const MARGIN = 8;
/** Milliseconds after the last scroll event until the list counts as at rest. */
const REST = 90;

/**
 * A virtual list: only visible rows are in the DOM, so that it can show a million rows.
 *
 * All rows have the same height; in a grid, several items share a row. Arrow keys move the focus between items, and one item is in
 * the tab order. With `fill`, elements scrolled out of view are reused for other items. Scrolling does not query the layout, unless
 * the list was at rest before.
 *
 * @typedef {object} ListParts
 * @property {HTMLElement} scroller the scrolling element around the list
 * @property {() => number} count
 * @property {(index: number) => HTMLElement} make creates a row or a grid item; with `fill`, an empty one
 * @property {(element: HTMLElement, index: number, isHurried: boolean) => void} [fill] shows an item in an element; if hurried,
 *     leaves slow parts to `rest`
 * @property {(element: HTMLElement, index: number) => void} [rest] adds the parts that a hurried `fill` left out
 * @property {(index: number) => any} [key] identifies an item after the list has changed; by default the index
 * @property {() => boolean} [isByIndex] whether items are identified by their index after all
 * @property {(index: number) => any[]} [state] the values that an item's element shows; it is redrawn if one of them changes
 * @property {() => number} rowHeight in pixels
 * @property {() => number} [columns]
 * @property {string} label
 * @property {string} [className]
 * @property {(index: number, event: Event) => void} [onOpen] called for Enter and double clicks
 * @property {(index: number, event: KeyboardEvent) => void} [onKey]
 * @property {(index: number, event: KeyboardEvent) => void} [onMove] called after a key has moved the focus to an item
 */
export class VirtualList {
    #parts;
    #box;
    /** @type {Map<number, HTMLElement>} */
    #shown = new Map();
    /** Key and state of each element. @type {Map<HTMLElement, {key: any, state: any[] | null}>} */
    #items = new Map();
    #focusKey = undefined;
    #columns = 1;
    #height = 0;
    #focus = 0;
    #request = 0;
    #begin = 0;
    #tall = new TallBox();
    #resting = 0;
    #movedAt = 0;
    /** Elements available for reuse. @type {HTMLElement[]} */
    #spare = [];
    /** Indexes of items filled in a hurry. @type {Set<number>} */
    #hasty = new Set();
    #listeners = new AbortController();
    #sizes;

    /** @param {ListParts} parts */
    constructor(parts) {
        this.#parts = parts;
        const isGrid = Boolean(parts.columns);
        this.#box = h('div.virtual', { role: 'list', 'aria-label': parts.label });
        if (isGrid) this.#box.classList.add('is-grid');
        this.element = h(`div.virtual-list${parts.className ? `.${parts.className}` : ''}`, null, this.#box);
        const { signal } = this.#listeners;
        parts.scroller.addEventListener('scroll', () => this.#later(), { passive: true, signal });
        this.#sizes = new ResizeObserver(() => this.#measure());
        this.#sizes.observe(this.element);
        this.#sizes.observe(parts.scroller);
        this.#box.addEventListener('keydown', (event) => this.#key(event));
        this.#box.addEventListener('focusin', (event) => {
            const row = closest(event, '[data-index]');
            if (row) this.#setFocus(Number(row.dataset.index), false);
        });
        this.#box.addEventListener('dblclick', (event) => this.#opened(event));
        requestAnimationFrame(() => this.#measure());
    }

    /**
     * Redraws after the list has changed. Remaining items keep their elements and the focus, and visible items their screen
     * position.
     * @param {{isAnchored?: boolean}} options `isAnchored`: false if the user asked for another list or order
     */
    refresh({ isAnchored = true } = {}) {
        const { scroller } = this.#parts;
        const hasFocus = this.#box.contains(document.activeElement);
        if (this.#height && this.element.isConnected) this.#place();
        const places = this.#placesOf(this.#wantedKeys());
        const anchor = isAnchored ? this.#anchor() : null;
        const kept = new Map();
        for (const [index, element] of [...this.#shown].sort((one, other) => one[0] - other[0])) {
            const place = places.get(this.#items.get(element).key)?.shift();
            if (place === undefined) this.#drop(index, element);
            else kept.set(place, element);
        }
        this.#shown = kept;
        this.#hasty.clear();
        const count = this.#parts.count();
        const focus = this.#focusKey === undefined ? undefined : this.#placesOf(new Set([this.#focusKey])).get(this.#focusKey)?.[0];
        this.#focus = focus ?? Math.min(this.#focus, Math.max(0, count - 1));
        for (const [index, element] of kept) {
            const { state } = this.#items.get(element);
            if (state && isSame(state, this.#stateOf(index))) this.#label(element, index);
            else this.update(index);
        }
        if (anchor && this.#height) {
            const place = this.#placesOf(new Set([anchor.key])).get(anchor.key)?.[0];
            const rows = place === undefined ? 0 : Math.floor(place / this.#columns) - Math.floor(anchor.index / this.#columns);
            // Set the height first, so that the scroll position is not clamped.
            this.#resize();
            if (rows) scroller.scrollTop += rows * this.#height;
        }
        this.#measure();
        sortChildren(this.#box, [...this.#shown].sort((one, other) => one[0] - other[0]).map(([, element]) => element));
        // The focused item is gone: the item at its index gets the focus.
        if (hasFocus && count && !this.#shown.get(this.#focus)?.contains(document.activeElement)) this.#setFocus(this.#focus, true);
    }

    #keyOf(index) {
        return this.#isByIndex ? index : this.#parts.key?.(index);
    }

    get #isByIndex() {
        return !this.#parts.key || Boolean(this.#parts.isByIndex?.());
    }

    #stateOf(index) {
        return this.#parts.state?.(index) ?? null;
    }

    #wantedKeys() {
        return new Set(Array.from(this.#shown.values(), (element) => this.#items.get(element).key));
    }

    /**
     * Returns the indexes of items by key; an item may occur more than once.
     * @param {Set<any>} keys
     * @returns {Map<any, number[]>}
     */
    #placesOf(keys) {
        const places = new Map();
        if (!keys.size) return places;
        const count = this.#parts.count();
        if (this.#isByIndex) return new Map([...keys].filter((key) => key < count).map((key) => [key, [key]]));
        for (let index = 0; index < count; index++) {
            const key = this.#keyOf(index);
            if (!keys.has(key)) continue;
            if (places.has(key)) places.get(key).push(index);
            else places.set(key, [index]);
        }
        return places;
    }

    /** Returns the item whose screen position is kept: the focused one if it is visible, otherwise the first visible one. */
    #anchor() {
        if (!this.#height || !this.element.isConnected) return null;
        const seen = this.#top;
        if (seen <= 0 && !this.#box.contains(document.activeElement)) return null;
        const first = Math.max(0, Math.ceil(seen / this.#height)) * this.#columns;
        const end = first + Math.ceil(this.#tall.screen / this.#height) * this.#columns;
        const focused = this.#box.contains(document.activeElement) && this.#focus >= first - this.#columns && this.#focus < end
            ? this.#focus
            : first;
        const element = this.#shown.get(focused) ?? this.#shown.get(first);
        return element
            ? { index: this.#shown.get(focused) === element ? focused : first, key: this.#items.get(element).key }
            : null;
    }

    /** Redraws one row. */
    update(index) {
        const old = this.#shown.get(index);
        if (!old) return;
        if (this.#parts.fill) {
            this.#put(old, index, false);
            return;
        }
        const fresh = this.#make(index);
        replaceKeepingFocus(old, fresh);
        this.#items.delete(old);
        this.#shown.set(index, fresh);
    }

    /** The rows in the DOM. @returns {IterableIterator<[number, HTMLElement]>} */
    get rows() {
        return this.#shown.entries();
    }

    /** Scrolls an item into view. */
    scrollTo(index, where = 'nearest') {
        const { scroller } = this.#parts;
        this.#place();
        const seen = this.#top;
        const top = Math.floor(index / this.#columns) * this.#height;
        if (where === 'center') this.#show(top - scroller.clientHeight / 2 + this.#height / 2);
        else if (top < seen + 60) this.#show(top - 60);
        else if (top + this.#height > seen + scroller.clientHeight) this.#show(top + this.#height - scroller.clientHeight + 8);
        this.#draw();
    }

    /** Scrolls to a place in pixels from the top of the first row. @param {number} top */
    #show(top) {
        const { scroller } = this.#parts;
        scroller.scrollTop = this.#begin + this.#tall.show(top, scroller.scrollTop - this.#begin);
        this.#reposition();
    }

    /** The visible place in pixels from the top of the first row. */
    get #top() {
        return this.#parts.scroller.scrollTop - this.#begin + this.#tall.offset;
    }

    #reposition() {
        for (const [index, element] of this.#shown) this.#move(element, index);
    }

    close() {
        cancelAnimationFrame(this.#request);
        clearTimeout(this.#resting);
        this.#listeners.abort();
        this.#sizes.disconnect();
    }

    focusOn(index) {
        this.#setFocus(index, true);
    }

    #later() {
        // The content above may have become taller since the last scroll.
        const now = performance.now();
        if (now - this.#movedAt > REST) this.#place();
        this.#movedAt = now;
        this.#request ||= requestAnimationFrame(() => {
            this.#request = 0;
            this.#draw();
        });
    }

    #measure() {
        if (!this.element.isConnected) return;
        const columns = Math.max(1, this.#parts.columns?.() ?? 1);
        const height = this.#parts.rowHeight();
        if (columns !== this.#columns || height !== this.#height) this.#empty();
        this.#columns = columns;
        this.#height = height;
        this.#resize();
        this.#box.style.setProperty('--columns', String(columns));
        this.#place();
        this.#draw();
    }

    #resize() {
        const isMoved = this.#tall.resize(Math.ceil(this.#parts.count() / this.#columns) * this.#height);
        this.#box.style.height = `${this.#tall.height}px`;
        if (isMoved) this.#reposition();
    }

    /** Removes all items from the list. */
    #empty() {
        for (const [index, element] of this.#shown) this.#drop(index, element);
        this.#hasty.clear();
    }

    #drop(index, element) {
        this.#shown.delete(index);
        this.#hasty.delete(index);
        // Kept in the DOM until the next draw, which may reuse it: removing and adding it again costs more.
        if (this.#parts.fill) this.#spare.push(element);
        else {
            this.#items.delete(element);
            element.remove();
        }
    }

    /** Measures the position of the list in the scrolling element, and the visible height. Avoid calling this while scrolling. */
    #place() {
        const { scroller } = this.#parts;
        this.#tall.screen = scroller.clientHeight;
        this.#begin = this.#box.getBoundingClientRect().top - scroller.getBoundingClientRect().top + scroller.scrollTop;
    }

    #draw() {
        if (!this.#height || !this.element.isConnected) return;
        const parts = this.#parts;
        const shown = this.#shown;
        const count = parts.count();
        if (this.#tall.scrolled(parts.scroller.scrollTop - this.#begin)) this.#reposition();
        const seen = this.#top;
        const firstRow = Math.max(0, Math.floor(seen / this.#height) - MARGIN);
        const lastRow = Math.ceil((seen + this.#tall.screen) / this.#height) + MARGIN;
        const first = firstRow * this.#columns;
        const end = Math.min(count, lastRow * this.#columns);
        const focused = document.activeElement;
        const hasFocus = this.#box.contains(focused);
        for (const [index, element] of shown) {
            // The focused element stays: scrolling must not lose the focus.
            if ((index < first || index >= end) && !(hasFocus && element.contains(focused))) this.#drop(index, element);
        }
        // More than half of the rows are new: covers that fly by need not be loaded.
        const isHurried = shown.size > 0 && shown.size < (end - first) / 2;
        let added = null;
        for (let index = first; index < end; index++) {
            if (shown.has(index)) continue;
            // Reuse in order: a list that is refilled keeps each element in its place, and the focus.
            let element = this.#spare.shift();
            if (element) this.#put(element, index, isHurried);
            else element = this.#make(index, isHurried);
            if (!element.isConnected) (added ??= document.createDocumentFragment()).append(element);
            shown.set(index, element);
        }
        if (added) this.#box.append(added);
        for (const element of this.#spare) {
            this.#items.delete(element);
            element.remove();
        }
        this.#restSoon();
    }

    /** Completes hurried rows once the list is at rest. */
    #restSoon() {
        if (!this.#hasty.size && !this.#tall.isTall) return;
        clearTimeout(this.#resting);
        this.#resting = setTimeout(() => {
            const seen = this.#tall.settled();
            if (seen !== null) {
                this.#parts.scroller.scrollTop = this.#begin + seen;
                this.#reposition();
            }
            for (const index of this.#hasty) {
                const element = this.#shown.get(index);
                if (element) this.#parts.rest?.(element, index);
            }
            this.#hasty.clear();
        }, REST);
    }

    /** Shows an item in an existing element. */
    #put(element, index, isHurried) {
        this.#parts.fill?.(element, index, isHurried);
        if (isHurried) this.#hasty.add(index);
        this.#label(element, index);
    }

    #make(index, isHurried = false) {
        const element = this.#parts.make(index);
        element.setAttribute('role', 'listitem');
        if (this.#parts.fill) this.#put(element, index, isHurried);
        else this.#label(element, index);
        return element;
    }

    /** Positions an element and updates its attributes. */
    #label(element, index) {
        this.#items.set(element, { key: this.#keyOf(index), state: this.#stateOf(index) });
        element.dataset.index = String(index);
        element.setAttribute('aria-posinset', String(index + 1));
        element.setAttribute('aria-setsize', String(this.#parts.count()));
        element.tabIndex = index === this.#focus ? 0 : -1;
        this.#move(element, index);
    }

    /** Positions an element. */
    #move(element, index) {
        const top = Math.floor(index / this.#columns) * this.#height - this.#tall.offset;
        element.style.transform = this.#columns === 1
            ? `translateY(${top}px)`
            : `translate(${(index % this.#columns) * 100}%, ${top}px)`;
    }

    #setFocus(index, isMoved) {
        const before = this.#shown.get(this.#focus);
        if (before) before.tabIndex = -1;
        this.#focus = index;
        this.#focusKey = this.#parts.count() > index ? this.#keyOf(index) : undefined;
        if (isMoved) this.scrollTo(index);
        const row = this.#shown.get(index);
        if (!row) return;
        row.tabIndex = 0;
        if (isMoved) row.focus({ preventScroll: true });
    }

    #key(event) {
        if (event.target !== closest(event, '[data-index]')) {
            if (event.key !== 'Escape') return;
            closest(event, '[data-index]')?.focus();
            // Escape only moves the focus from a button to its row.
            event.preventDefault();
            event.stopPropagation();
            return;
        }
        const count = this.#parts.count();
        const page = Math.max(1, Math.floor(this.#parts.scroller.clientHeight / this.#height) - 1) * this.#columns;
        const isGrid = this.#columns > 1;
        const steps = {
            ArrowDown: this.#columns,
            ArrowUp: -this.#columns,
            PageDown: page,
            PageUp: -page,
            Home: -count,
            End: count,
            ...(isGrid ? { ArrowRight: 1, ArrowLeft: -1 } : {}),
        };
        if (event.key in steps && !event.altKey && !event.ctrlKey && !event.metaKey) {
            this.#setFocus(Math.min(count - 1, Math.max(0, this.#focus + steps[event.key])), true);
            this.#parts.onMove?.(this.#focus, event);
        } else if (event.key === 'Enter') this.#parts.onOpen?.(this.#focus, event);
        else {
            this.#parts.onKey?.(this.#focus, event);
            return;
        }
        event.preventDefault();
        event.stopPropagation();
    }

    #opened(event) {
        const row = closest(event, '[data-index]');
        if (row && !closest(event, 'button, a, input')) this.#parts.onOpen?.(Number(row.dataset.index), event);
    }
}
