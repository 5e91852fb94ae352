const NAME = 'library';
const VERSION = 1;
/** What is written: a page that writes otherwise reads the library anew. */
const FORM = 2;
/** Numbers of items that lie together. A hundred thousand records would take seconds to read; one for all, to write. */
const CHUNK = 500;
const LISTS = ['tracks', 'albums', 'artists'];

/**
 * The library as it was last seen, in the browser's database, so that a start shows it at once.
 *
 * Items lie in it by their numbers, some hundred in a part, and beside them the order of each list; so a change is written with
 * the few parts that hold it. Each reading and each writing is one transaction: nobody sees half of a change.
 *
 * @typedef {object} Library
 * @property {string} base address of the host
 * @property {string} revision name of the state
 * @property {any[]} tracks
 * @property {any[]} albums
 * @property {any[]} artists
 */
export class CatalogueStore {
    #database = null;
    /** Of what we last read or wrote: another tab may have written since. */
    #stamp = null;

    /** @returns {Promise<boolean>} whether there is a database; private windows may have none */
    async open() {
        try {
            this.#database = await new Promise((resolve, reject) => {
                const request = indexedDB.open(NAME, VERSION);
                request.onupgradeneeded = () => request.result.createObjectStore('parts');
                request.onsuccess = () => resolve(request.result);
                request.onerror = () => reject(request.error);
                request.onblocked = () => reject(new Error('another page holds the database'));
            });
            // A newer page in another tab may need it.
            this.#database.onversionchange = () => this.#database.close();
            return true;
        } catch {
            return false;
        }
    }

    /** @returns {Promise<Library | null>} null where there is nothing, or nothing that we could use */
    async read() {
        if (!this.#database) return null;
        const parts = this.#database.transaction('parts').objectStore('parts');
        const [head, ...lists] = await Promise.all([
            done(parts.get('head')),
            ...LISTS.flatMap(list => [done(parts.get(`order/${list}`)), done(parts.getAll(chunks(list)))]),
        ]);
        if (head?.form !== FORM) return null;
        const library = { base: head.base, revision: head.revision };
        for (const [index, list] of LISTS.entries()) {
            const [order, parts] = [lists[2 * index], lists[2 * index + 1]];
            const items = new Map();
            for (const part of parts) for (const item of part) items.set(item.id, item);
            library[list] = Array.from(order, id => items.get(id));
            if (library[list].includes(undefined) || items.size !== order.length) return null;
        }
        this.#stamp = head.stamp;
        return library;
    }

    /**
     * Writes the library, or of one that was written by us what has changed. All of it happens, or nothing.
     * @param {Library} library
     * @param {Record<string, Map<number, any>>} [changed] for each list the numbers of what has changed since it was last written
     */
    async write({ base, revision, ...lists }, changed) {
        if (!this.#database) return;
        const transaction = this.#database.transaction('parts', 'readwrite');
        const parts = transaction.objectStore('parts');
        const stamp = `${Date.now()} ${Math.random()}`;
        const known = this.#stamp;
        // What fails to be written now is missing next time.
        this.#stamp = null;
        const finished = new Promise((resolve, reject) => {
            transaction.oncomplete = resolve;
            transaction.onerror = () => reject(transaction.error);
            transaction.onabort = () => reject(transaction.error);
        });
        try {
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
                parts.put(Uint32Array.from(lists[list], item => item.id), `order/${list}`);
            }
            parts.put({ form: FORM, base, revision, stamp }, 'head');
        } catch (error) {
            // Else what is written so far would stay.
            finished.catch(() => {});
            transaction.abort();
            throw error;
        }
        await finished;
        this.#stamp = stamp;
    }

    /** Forgets the library. */
    async clear() {
        if (!this.#database) return;
        await done(this.#database.transaction('parts', 'readwrite').objectStore('parts').clear());
        this.#stamp = null;
    }
}

function chunkOf(id) {
    return Math.floor(id / CHUNK);
}

function name(list, chunk) {
    return `${list}/${String(chunk).padStart(8, '0')}`;
}

function chunks(list) {
    return IDBKeyRange.bound(`${list}/`, `${list}/\uffff`);
}

/** Items by their chunks. @param {any[]} items @param {Set<number> | null} wanted null for all chunks that have items */
function byChunk(items, wanted) {
    const found = new Map(Array.from(wanted ?? [], chunk => [chunk, []]));
    for (const item of items) {
        const chunk = chunkOf(item.id);
        if (wanted && !wanted.has(chunk)) continue;
        if (!found.has(chunk)) found.set(chunk, []);
        found.get(chunk).push(item);
    }
    return found;
}

function done(request) {
    return new Promise((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
    });
}
