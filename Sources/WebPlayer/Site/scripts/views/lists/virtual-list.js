import { h } from '../parts/dom.js';

/** Rows beyond the edges that are there already. */
const MARGIN = 8;

/**
 * A list of which only what is seen is in the page, for a hundred thousand rows as for ten.
 *
 * Rows are of one height. Several items may share a row (covers in a grid). Keys move from item to item; one of them is the way in
 * for the Tab key.
 *
 * @typedef {object} ListParts
 * @property {HTMLElement} scroller what scrolls, with the list in it
 * @property {() => number} count
 * @property {(index: number) => HTMLElement} make a row, or an item of a grid
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
        for (const element of this.#shown.values()) element.remove();
        this.#shown.clear();
        this.#focus = Math.min(this.#focus, Math.max(0, this.#parts.count() - 1));
        this.#measure();
    }

    /** Draws one row anew. */
    update(index) {
        const old = this.#shown.get(index);
        if (!old) return;
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
        const top = this.#top() + Math.floor(index / this.#columns) * this.#height;
        if (where === 'center') scroller.scrollTop = top - scroller.clientHeight / 2 + this.#height / 2;
        else if (top < scroller.scrollTop + 60) scroller.scrollTop = top - 60;
        else if (top + this.#height > scroller.scrollTop + scroller.clientHeight) {
            scroller.scrollTop = top + this.#height - scroller.clientHeight + 8;
        }
        this.#draw();
    }

    close() {
        cancelAnimationFrame(this.#request);
        this.#listeners.abort();
        this.#sizes.disconnect();
    }

    focusOn(index) {
        this.#setFocus(index, true);
    }

    #later() {
        this.#request ||= requestAnimationFrame(() => {
            this.#request = 0;
            this.#draw();
        });
    }

    #measure() {
        if (!this.element.isConnected) return;
        const columns = Math.max(1, this.#parts.columns?.() ?? 1);
        const height = this.#parts.rowHeight();
        if (columns !== this.#columns || height !== this.#height) {
            for (const element of this.#shown.values()) element.remove();
            this.#shown.clear();
        }
        this.#columns = columns;
        this.#height = height;
        const rows = Math.ceil(this.#parts.count() / columns);
        this.#box.style.height = `${rows * height}px`;
        this.#box.style.setProperty('--columns', String(columns));
        this.#draw();
    }

    /** Where the list begins in what scrolls. */
    #top() {
        const { scroller } = this.#parts;
        return this.#box.getBoundingClientRect().top - scroller.getBoundingClientRect().top + scroller.scrollTop;
    }

    #draw() {
        if (!this.element.isConnected || !this.#height) return;
        const { scroller } = this.#parts;
        const count = this.#parts.count();
        const seen = scroller.scrollTop - this.#top();
        const firstRow = Math.max(0, Math.floor(seen / this.#height) - MARGIN);
        const lastRow = Math.ceil((seen + scroller.clientHeight) / this.#height) + MARGIN;
        const first = firstRow * this.#columns;
        const end = Math.min(count, lastRow * this.#columns);
        for (const [index, element] of this.#shown) {
            // What has the focus stays: it must not be lost by scrolling.
            if ((index < first || index >= end) && !element.contains(document.activeElement)) {
                element.remove();
                this.#shown.delete(index);
            }
        }
        const added = document.createDocumentFragment();
        for (let index = first; index < end; index++) {
            if (this.#shown.has(index)) continue;
            const element = this.#make(index);
            this.#shown.set(index, element);
            added.append(element);
        }
        if (added.childNodes.length) this.#box.append(added);
    }

    #make(index) {
        const element = this.#parts.make(index);
        element.dataset.index = String(index);
        element.setAttribute('role', 'listitem');
        element.setAttribute('aria-posinset', String(index + 1));
        element.setAttribute('aria-setsize', String(this.#parts.count()));
        element.tabIndex = index === this.#focus ? 0 : -1;
        element.style.transform = this.#columns === 1
            ? `translateY(${index * this.#height}px)`
            : `translate(${(index % this.#columns) * 100}%, ${Math.floor(index / this.#columns) * this.#height}px)`;
        return element;
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
