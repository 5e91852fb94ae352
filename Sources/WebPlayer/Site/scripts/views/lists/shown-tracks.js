import { toast } from '../parts/toast.js';
import { sortedIndexes } from './track-columns.js';

/**
 * @typedef {import('../../library/host-tracks.js').HostTracks} HostTracks
 * @typedef {{source: any[], tracks: any[], places: number[] | null}} Sorted
 */

/**
 * The tracks of a list in the order of the table: sorted here, or by the host if the list is read in windows. Dispatches the events
 * 'load' and 'length' of such a list.
 */
export class ShownTracks extends EventTarget {
    #app;
    #layout;
    #source;
    #isRanked;
    /** @type {Sorted | null} */
    #known = null;
    /** The list of the host in the order of the table. @type {HostTracks | null} */
    #windowed = null;
    #listeners = new AbortController();

    /**
     * @param {Pick<import('../../app.js').App, 'favourites' | 'plays'>} app @param {import('./track-layout.js').TrackLayout} layout
     * @param {() => any[] | HostTracks} source the tracks in the order of the view
     * @param {boolean} isRanked whether they stay in this order
     */
    constructor(app, layout, source, isRanked) {
        super();
        this.#app = app;
        this.#layout = layout;
        this.#source = source;
        this.#isRanked = isRanked;
    }

    /** The tracks are sorted again when they are asked for. */
    forget() {
        this.#known = null;
    }

    /** @returns {any[] | HostTracks} */
    get tracks() {
        const source = this.#source();
        return Array.isArray(source) ? this.#sorted(source).tracks : this.#ordered(source);
    }

    /** Whether only some tracks are known. */
    get isWindowed() {
        return !Array.isArray(this.#source());
    }

    /** Returns a track if it is known. @param {number} index */
    peek(index) {
        const { tracks } = this;
        return Array.isArray(tracks) ? tracks[index] : tracks.peek(index);
    }

    /** Returns the place of a row in the order of the view. @param {number} index */
    place(index) {
        const source = this.#source();
        return Array.isArray(source) ? this.#sorted(source).places?.[index] ?? index : index;
    }

    /** Whether the tracks can be sorted by a column. @param {string} name */
    canSort(name) {
        const source = this.#source();
        return Array.isArray(source) || source.canSort(name);
    }

    close() {
        this.#listeners.abort();
    }

    /** @param {any[]} source @returns {Sorted} */
    #sorted(source) {
        if (this.#known?.source === source) return this.#known;
        const order = this.#isRanked ? null : this.#layout.order;
        const places = order ? sortedIndexes(source, order.column, order.isDescending, this.#app) : null;
        const sorted = { source, tracks: places ? places.map((index) => source[index]) : source, places };
        this.#known = sorted;
        return sorted;
    }

    /** @param {HostTracks} source */
    #ordered(source) {
        const order = this.#isRanked ? null : this.#layout.order;
        const tracks = order && source.canSort(order.column.name)
            ? source.ordered((order.isDescending ? '-' : '') + order.column.name)
            : source;
        if (tracks === this.#windowed) return tracks;
        this.#windowed = tracks;
        this.#listeners.abort();
        this.#listeners = new AbortController();
        const { signal } = this.#listeners;
        tracks.addEventListener('load', (/** @type {any} */ { detail }) => this.#pass(new CustomEvent('load', { detail })), {
            signal,
        });
        tracks.addEventListener('length', () => this.#pass(new Event('length')), { signal });
        tracks.ready().catch((error) => toast(error.message));
        return tracks;
    }

    #pass(event) {
        this.dispatchEvent(event);
    }
}
