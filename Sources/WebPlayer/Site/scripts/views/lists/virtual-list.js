import { h } from '../parts/dom.js';

/** Rows beyond the edges that are there already. */
const MARGIN = 8;
/** Milliseconds after the last movement at which a list rests. */
const REST = 90;

/**
 * A list of which only what is seen is in the page, for a hundred thousand rows as for ten.
 *
 * Rows are of one height. Several items may share a row (covers in a grid). Keys move from item to item; one of them is the way in
 * for the Tab key. Where `fill` is given, elements that have been scrolled out of sight are used again for other items; and nothing
 * is asked of the layout while scrolling.
 *
 * @typedef {object} ListParts
 * @property {HTMLElement} scroller what scrolls, with the list in it
 * @property {() => number} count
 * @property {(index: number) => HTMLElement} make a row, or an item of a grid; with `fill` an empty one
 * @property {(element: HTMLElement, index: number, isHurried: boolean) => void} [fill] puts an item into an element; in a hurry what
 *     takes long is left out, for `rest`
 * @property {(element: HTMLElement, index: number) => void} [rest] puts in what was left out
 * @property {() => number} rowHeight pixels
 * @property {() => number} [columns]
 * @property {string} label
 * @property {string} [className]
 * @property {(index: number, event: Event) => void} [onOpen] Enter, or a double click
 * @property {(index: number, event: KeyboardEvent) => void} [onKey]
 */
export class VirtualList {
    #parts;
    #box;
    /** @type {Map<number, HTMLElement>} */
    #shown = new Map();
    #columns = 1;
    #height = 0;
    #focus = 0;
    #request = 0;
    #begin = 0;
    #seenHeight = 0;
    #resting = 0;
    #movedAt = 0;
    /** Elements for other items. @type {HTMLElement[]} */
    #spare = [];
    /** Items whose elements lack something. @type {Set<number>} */
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
        this.#box.addEventListener('keydown', event => this.#key(event));
        this.#box.addEventListener('focusin', event => {
            const row = event.target.closest('[data-index]');
            if (row) this.#setFocus(Number(row.dataset.index), false);
        });
        this.#box.addEventListener('dblclick', event => this.#opened(event));
        requestAnimationFrame(() => this.#measure());
    }

    /** Draws everything anew: the list is another one. */
    refresh() {
        this.#empty();
        this.#focus = Math.min(this.#focus, Math.max(0, this.#parts.count() - 1));
        this.#measure();
    }

    /** Draws one row anew. */
    update(index) {
        const old = this.#shown.get(index);
        if (!old) return;
        if (this.#parts.fill) {
            this.#put(old, index, false);
            return;
        }
        const hadFocus = old.contains(document.activeElement);
        const fresh = this.#make(index);
        old.replaceWith(fresh);
        this.#shown.set(index, fresh);
        if (hadFocus) fresh.focus({ preventScroll: true });
    }

    /** The rows that are in the page. @returns {IterableIterator<[number, HTMLElement]>} */
    get rows() { return this.#shown.entries(); }

    /** Brings an item into view. */
    scrollTo(index, where = 'nearest') {
        const { scroller } = this.#parts;
        this.#place();
        const top = this.#begin + Math.floor(index / this.#columns) * this.#height;
        if (where === 'center') scroller.scrollTop = top - scroller.clientHeight / 2 + this.#height / 2;
        else if (top < scroller.scrollTop + 60) scroller.scrollTop = top - 60;
        else if (top + this.#height > scroller.scrollTop + scroller.clientHeight) {
            scroller.scrollTop = top + this.#height - scroller.clientHeight + 8;
        }
        this.#draw();
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
        // What stands above may have become higher since it last moved.
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
        const rows = Math.ceil(this.#parts.count() / columns);
        this.#box.style.height = `${rows * height}px`;
        this.#box.style.setProperty('--columns', String(columns));
        this.#place();
        this.#draw();
    }

    /** Takes all items out of the list. */
    #empty() {
        for (const [index, element] of this.#shown) this.#drop(index, element);
        this.#hasty.clear();
    }

    #drop(index, element) {
        this.#shown.delete(index);
        this.#hasty.delete(index);
        // It stays in the page until it is known that none needs it: taking it out and putting it in again costs more.
        if (this.#parts.fill) this.#spare.push(element);
        else element.remove();
    }

    /** Notes where the list begins in what scrolls, and how much of that is seen: asked for while nothing moves. */
    #place() {
        const { scroller } = this.#parts;
        this.#seenHeight = scroller.clientHeight;
        this.#begin = this.#box.getBoundingClientRect().top - scroller.getBoundingClientRect().top + scroller.scrollTop;
    }

    #draw() {
        if (!this.#height || !this.element.isConnected) return;
        const parts = this.#parts;
        const shown = this.#shown;
        const count = parts.count();
        const seen = parts.scroller.scrollTop - this.#begin;
        const firstRow = Math.max(0, Math.floor(seen / this.#height) - MARGIN);
        const lastRow = Math.ceil((seen + this.#seenHeight) / this.#height) + MARGIN;
        const first = firstRow * this.#columns;
        const end = Math.min(count, lastRow * this.#columns);
        const focused = document.activeElement;
        const hasFocus = this.#box.contains(focused);
        for (const [index, element] of shown) {
            // What has the focus stays: it must not be lost by scrolling.
            if ((index < first || index >= end) && !(hasFocus && element.contains(focused))) this.#drop(index, element);
        }
        // More than half anew at a time: nobody sees covers fly by.
        const isHurried = shown.size > 0 && shown.size < (end - first) / 2;
        let added = null;
        for (let index = first; index < end; index++) {
            if (shown.has(index)) continue;
            // The first that was left comes first: a list that is filled anew keeps each element in its place, and the focus.
            let element = this.#spare.shift();
            if (element) this.#put(element, index, isHurried);
            else element = this.#make(index, isHurried);
            if (!element.isConnected) (added ??= document.createDocumentFragment()).append(element);
            shown.set(index, element);
        }
        if (added) this.#box.append(added);
        for (const element of this.#spare) element.remove();
        this.#restSoon();
    }

    /** Once nothing moves any more, rows get what they lack. */
    #restSoon() {
        if (!this.#hasty.size) return;
        clearTimeout(this.#resting);
        this.#resting = setTimeout(() => {
            for (const index of this.#hasty) {
                const element = this.#shown.get(index);
                if (element) this.#parts.rest?.(element, index);
            }
            this.#hasty.clear();
        }, REST);
    }

    /** Puts an item into an element that there is. */
    #put(element, index, isHurried) {
        this.#parts.fill(element, index, isHurried);
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

    /** Puts an element into its place. */
    #label(element, index) {
        element.dataset.index = String(index);
        element.setAttribute('aria-posinset', String(index + 1));
        element.setAttribute('aria-setsize', String(this.#parts.count()));
        element.tabIndex = index === this.#focus ? 0 : -1;
        element.style.transform = this.#columns === 1
            ? `translateY(${index * this.#height}px)`
            : `translate(${(index % this.#columns) * 100}%, ${Math.floor(index / this.#columns) * this.#height}px)`;
    }

    #setFocus(index, isMoved) {
        const before = this.#shown.get(this.#focus);
        if (before) before.tabIndex = -1;
        this.#focus = index;
        if (isMoved) this.scrollTo(index);
        const row = this.#shown.get(index);
        if (!row) return;
        row.tabIndex = 0;
        if (isMoved) row.focus({ preventScroll: true });
    }

    #key(event) {
        if (event.target !== event.target.closest('[data-index]')) {
            if (event.key === 'Escape') event.target.closest('[data-index]')?.focus();
            return;
        }
        const count = this.#parts.count();
        const page = Math.max(1, Math.floor(this.#parts.scroller.clientHeight / this.#height) - 1) * this.#columns;
        const isGrid = this.#columns > 1;
        const steps = {
            ArrowDown: this.#columns, ArrowUp: -this.#columns, PageDown: page, PageUp: -page, Home: -count, End: count,
            ...(isGrid ? { ArrowRight: 1, ArrowLeft: -1 } : {}),
        };
        if (event.key in steps && !event.altKey && !event.ctrlKey && !event.metaKey) {
            this.#setFocus(Math.min(count - 1, Math.max(0, this.#focus + steps[event.key])), true);
        } else if (event.key === 'Enter') this.#parts.onOpen?.(this.#focus, event);
        else {
            this.#parts.onKey?.(this.#focus, event);
            return;
        }
        event.preventDefault();
        event.stopPropagation();
    }

    #opened(event) {
        const row = event.target.closest('[data-index]');
        if (row && !event.target.closest('button, a, input')) this.#parts.onOpen?.(Number(row.dataset.index), event);
    }
}
