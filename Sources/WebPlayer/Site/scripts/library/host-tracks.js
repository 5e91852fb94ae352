import { keepRecent } from './recent.js';

/** Tracks per request. */
const PAGE = 100;
/** Pages kept in memory: far more than a screen shows. */
const KEPT = 40;
/** Pages that may wait for an answer; of more, those shown last are read. */
const WAITING = 4;
/** Concurrent requests. */
const WIDTH = 2;
/** The most tracks that are played from one on, and how many of them come before it. */
const PLAYED = 1000;
const BEFORE = 100;
/** Milliseconds until rows that could not be read are asked for again. */
const RETRY_DELAY = 10_000;
/** The most tracks that are read at once, to be selected. */
export const MOST = 2000;
/** The most tracks that are played in random order. */
const SAMPLE = 1000;

/**
 * A page of tracks.
 * @typedef {{tracks: any[], version: number}} Page
 */

/**
 * A list of tracks in a library too large to be kept in the browser: the host finds and sorts them, and only the pages around the shown
 * rows are read. Like an array, it has `length`, `at` and `slice`.
 *
 * Events: 'load' (`detail` is {from, to}: the rows that have become known), 'length'.
 */
export class HostTracks extends EventTarget {
    #read;
    #version;
    #sample;
    #order;
    #columns;
    /** The same list in other orders, by the column. @type {Map<string, HostTracks>} */
    #orders = new Map();
    /** Pages by number, the one used longest ago first. @type {Map<number, Page>} */
    #pages = new Map();
    /** Numbers of the pages to read, the one shown last at the end. @type {number[]} */
    #wanted = [];
    /** @type {Map<number, Promise<void>>} */
    #reading = new Map();
    #retry = 0;
    /** The version of the library that the number of tracks is of. */
    #counted = NaN;
    /** Number of tracks; 0 while unknown. */
    length = 0;
    /** Whether the number of tracks is known. */
    isKnown = false;
    /** @type {Error | null} */
    error = null;

    /**
     * @param {object} parts
     * @param {(offset: number, limit: number) => Promise<{items: any[], total: number}>} parts.read reads a page from the host
     * @param {(limit: number) => Promise<any[]>} parts.sample reads random tracks of the list
     * @param {(column: string) => HostTracks} parts.order returns the list sorted by a column, descending with a minus
     * @param {{has(name: string): boolean}} parts.columns those that the host can sort the list by
     * @param {() => number} parts.version changes when the library has changed: pages read before are then read again
     */
    constructor({ read, sample, order, columns, version }) {
        super();
        this.#read = read;
        this.#sample = sample;
        this.#order = order;
        this.#columns = columns;
        this.#version = version;
    }

    /** Returns a track; undefined if it is not known yet. Then 'load' follows, unless other rows are asked for meanwhile. @param {number} index */
    at(index) {
        const number = Math.floor(index / PAGE);
        const page = this.#pages.get(number);
        if (!page || page.version !== this.#version()) this.#want(number);
        else keepRecent(this.#pages, number, page, KEPT);
        return page?.tracks[index % PAGE];
    }

    /** Returns a track if it is known; nothing is read. @param {number} index */
    peek(index) {
        return this.#pages.get(Math.floor(index / PAGE))?.tracks[index % PAGE];
    }

    /** Makes sure that the number of tracks is known, by reading the first page. */
    async ready() {
        if (this.#counted !== this.#version()) await this.#page(0);
        return this;
    }

    /** Reads the tracks of a range, at most {@link MOST}. @param {number} from @param {number} [to] end of the range @returns {Promise<any[]>} */
    async slice(from, to = Infinity) {
        await this.ready();
        const end = Math.min(to, from + MOST, this.length);
        const numbers = [];
        for (let number = Math.floor(from / PAGE); number * PAGE < end; number++) numbers.push(number);
        /** @type {any[]} */
        const found = [];
        // The pages of a long range may displace each other: they are taken as they come.
        for (let at = 0; at < numbers.length; at += WIDTH) {
            const few = numbers.slice(at, at + WIDTH);
            await Promise.all(few.map((number) => this.#page(number)));
            for (const number of few) found.push(...this.#pages.get(number)?.tracks ?? []);
        }
        const start = from - (numbers[0] ?? 0) * PAGE;
        return found.slice(start, start + end - from);
    }

    /** Reads tracks to be played in random order: all, or some of many. @returns {Promise<any[]>} */
    async sample() {
        await this.ready();
        return this.length > SAMPLE ? this.#sample(SAMPLE) : this.slice(0);
    }

    /**
     * Reads the tracks to be played from one on, with some before it.
     * @param {number} index
     * @returns {Promise<{tracks: any[], at: number}>} `at` is the place of the track among them
     */
    async around(index) {
        const from = Math.max(0, index - BEFORE);
        return { tracks: await this.slice(from, from + PLAYED), at: index - from };
    }

    /** Whether the list can be sorted by a column. @param {string} column */
    canSort(column) {
        return this.#columns.has(column);
    }

    /** Returns the list sorted by a column, descending with a minus. @param {string} column @returns {HostTracks} */
    ordered(column) {
        const known = this.#orders.get(column) ?? this.#order(column);
        // Only the order that is shown keeps its pages.
        this.#orders = new Map([[column, known]]);
        return known;
    }

    #want(number) {
        if (this.#reading.has(number) || this.error) return;
        this.#wanted = [...this.#wanted.filter((each) => each !== number), number].slice(-WAITING);
        this.#next();
    }

    #next() {
        while (this.#reading.size < WIDTH && this.#wanted.length) {
            this.#page(/** @type {number} */ (this.#wanted.pop())).catch(() => {});
        }
    }

    /** Reads a page, unless that is done already. @param {number} number */
    async #page(number) {
        const known = this.#pages.get(number);
        if (known?.version === this.#version()) return;
        const running = this.#reading.get(number) ?? this.#load(number).finally(() => {
            this.#reading.delete(number);
            this.#next();
        });
        this.#reading.set(number, running);
        await running;
    }

    async #load(number) {
        const version = this.#version();
        try {
            const { items, total } = await this.#read(number * PAGE, PAGE);
            this.error = null;
            keepRecent(this.#pages, number, { tracks: items, version }, KEPT);
            const isOther = !this.isKnown || total !== this.length;
            this.length = total;
            this.#counted = version;
            this.isKnown = true;
            if (isOther) this.dispatchEvent(new Event('length'));
            this.dispatchEvent(new CustomEvent('load', { detail: { from: number * PAGE, to: number * PAGE + items.length } }));
        } catch (error) {
            this.error = error;
            this.#wanted = [];
            clearTimeout(this.#retry);
            this.#retry = setTimeout(() => {
                this.error = null;
                // Rows on the screen ask again.
                this.dispatchEvent(new CustomEvent('load', { detail: { from: 0, to: this.length } }));
                if (!this.isKnown) this.#want(0);
            }, RETRY_DELAY);
            this.dispatchEvent(new Event('length'));
            throw error;
        }
    }
}
