import { BrowserDatabase, done, keysBelow } from '../host/browser-database.js';

const VERSION = 1;
/** Format of the stored data. If it differs, the library is read again from the host. */
const FORM = 5;
/**
 * Formats of earlier releases, which are shown until the library has been read: 2 without the library's identity and file sizes of
 * tracks, 4 without damaged frames of tracks.
 */
const EARLIER_FORMS = [2, 4];
/** Range of ids per chunk. A hundred thousand records would take seconds to read, and a single one to write. */
const CHUNK = 500;
const LISTS = ['tracks', 'albums', 'artists'];

/**
 * The last known state of the library, in IndexedDB, so that the page can show it immediately on start.
 *
 * Items are stored by id in chunks, and the order of each list separately, so that a change writes only the chunks it touches.
 *
 * @typedef {object} Library
 * @property {string} library identity of the library; empty if an earlier release wrote the data
 * @property {string} revision the revision of the lists
 * @property {number} trackCount number of tracks of a large library, whose tracks are not stored; otherwise 0
 * @property {any[]} tracks
 * @property {any[]} albums
 * @property {any[]} artists
 * @property {boolean} [isEarlier] whether an earlier release wrote the data, which has to be read again
 */
export class CatalogueStore {
    #name;
    /** @type {BrowserDatabase | null} */
    #database = null;
    /**
     * Stamp of the data last read or written here. It differs if another tab has written since.
     * @type {string | null}
     */
    #stamp = null;

    /** @param {string} [name] of the host's database */
    constructor(name = 'library') {
        this.#name = name;
    }

    /** @returns {Promise<boolean>} whether the database is available; private windows may have none */
    async open() {
        this.#database = await BrowserDatabase.open(this.#name, VERSION, (database) => database.createObjectStore('parts'));
        return this.#database !== null;
    }

    /** @returns {Promise<Library | null>} null if nothing usable is stored */
    async read() {
        if (!this.#database) return null;
        const [head, ...lists] = await this.#database.read(['parts'], ({ parts }) =>
            Promise.all([
                done(parts.get('head')),
                ...LISTS.flatMap((list) => [done(parts.get(`order/${list}`)), done(parts.getAll(keysBelow(list)))]),
            ]));
        if (head?.form !== FORM && !EARLIER_FORMS.includes(head?.form)) return null;
        /** @type {any} */
        const library = {
            library: head.library ?? '',
            revision: head.revision,
            trackCount: head.trackCount ?? 0,
            isEarlier: head.form !== FORM,
        };
        for (const [index, list] of LISTS.entries()) {
            const [order, parts] = [lists[2 * index], lists[2 * index + 1]];
            const items = new Map();
            for (const part of parts) for (const item of part) items.set(item.id, item);
            library[list] = Array.from(order, (id) => items.get(id));
            if (library[list].includes(undefined) || items.size !== order.length) return null;
        }
        this.#stamp = head.stamp;
        return library;
    }

    /**
     * Writes the library; only the changed chunks if the stored data is what this tab wrote or read last. All or nothing.
     * @param {Library} library
     * @param {Record<string, Map<number, any>>} [changed] changed items of each list since the last write, by id
     */
    async write({ library, revision, trackCount, ...lists }, changed) {
        if (!this.#database) return;
        const stamp = `${Date.now()} ${Math.random()}`;
        const known = this.#stamp;
        // If this write fails, the next one must write everything.
        this.#stamp = null;
        await this.#database.change(['parts'], async ({ parts }) => {
            const { stamp: found } = await done(parts.get('head')) ?? {};
            const isOurs = changed !== undefined && found !== undefined && found === known;
            if (!isOurs) parts.clear();
            for (const list of LISTS) {
                const touched = isOurs ? new Set([...changed[list].keys()].map(chunkOf)) : null;
                if (touched?.size === 0) continue;
                for (const [chunk, items] of byChunk(lists[list], touched)) {
                    if (items.length) parts.put(items, name(list, chunk));
                    else parts.delete(name(list, chunk));
                }
                parts.put(Uint32Array.from(lists[list].map((item) => item.id)), `order/${list}`);
            }
            parts.put({ form: FORM, library, revision, trackCount, stamp }, 'head');
        });
        this.#stamp = stamp;
    }

    /** Deletes the stored library. */
    async clear() {
        if (!this.#database) return;
        await this.#database.change(['parts'], ({ parts }) => parts.clear());
        this.#stamp = null;
    }
}

function chunkOf(id) {
    return Math.floor(id / CHUNK);
}

function name(list, chunk) {
    return `${list}/${String(chunk).padStart(8, '0')}`;
}

/** Groups items by chunk. @param {any[]} items @param {Set<number> | null} wanted null for all chunks that have items */
function byChunk(items, wanted) {
    /** @type {Map<number, any[]>} */
    const found = new Map(Array.from(wanted ?? [], (chunk) => [chunk, []]));
    for (const item of items) {
        const chunk = chunkOf(item.id);
        if (wanted && !wanted.has(chunk)) continue;
        const known = found.get(chunk);
        if (known) known.push(item);
        else found.set(chunk, [item]);
    }
    return found;
}
