import { BrowserDatabase, done, keysBelow } from '../host/browser-database.js';
import { t } from '../texts/text.js';

const NAME = 'downloads';
const VERSION = 2;

/**
 * Downloaded tracks with everything needed to play and show them, in IndexedDB, which plain HTTP pages may use too.
 *
 * The key is the library and the audio hash: another library at the same address has other tracks under the same ids.
 *
 * @typedef {{key: string, library: string, track: any, bytes: number, at: number}} Kept
 */
export class DownloadStore {
    /** @type {BrowserDatabase | null} */
    #database = null;
    #library;
    #others;
    /** @type {Map<string, Kept>} */
    #kept = new Map();
    /** Downloads of the current library by track id; made when first needed. */
    #byId = /** @type {Map<number, Kept> | null} */ (null);
    #byIdLibrary = '';

    /**
     * @param {() => string} library returns the identity of the current library
     * @param {() => Set<string>} [others] returns the identities of the libraries of other known hosts
     */
    constructor(library, others = () => new Set()) {
        this.#library = library;
        this.#others = others;
    }

    /** Opens the database and loads the list of downloads. */
    async open() {
        this.#database = await BrowserDatabase.open(NAME, VERSION, (database) => {
            database.createObjectStore('songs', { keyPath: 'key' });
            database.createObjectStore('pieces');
            database.createObjectStore('waiting', { keyPath: 'key' });
        });
        // Private windows may have no database, and a damaged one cannot be read: downloads are unavailable then.
        if (!this.#database) return;
        try {
            for (const entry of await this.#all('songs')) this.#kept.set(entry.key, entry);
        } catch {
            this.#database = null;
        }
    }

    get isOpen() {
        return this.#database !== null;
    }

    /** Downloads of the current library. @returns {Kept[]} */
    get entries() {
        return [...this.#kept.values()].filter((entry) => entry.library === this.#library());
    }

    /** Downloads of libraries that no known host serves any more. @returns {Kept[]} */
    get others() {
        const known = this.#others().add(this.#library());
        return [...this.#kept.values()].filter((entry) => !known.has(entry.library));
    }

    /** @param {string | undefined} hash audio hash */
    has(hash) {
        return this.#kept.has(this.#key(hash));
    }

    /** Returns the download of the track with this id. @param {number} id @returns {Kept | undefined} */
    byId(id) {
        if (!this.#byId || this.#byIdLibrary !== this.#library()) {
            this.#byIdLibrary = this.#library();
            this.#byId = new Map(this.entries.map((entry) => [entry.track.id, entry]));
        }
        return this.#byId?.get(id);
    }

    /**
     * Returns a part of a download.
     * @param {string} hash audio hash
     * @param {string} name such as `file`
     * @returns {Promise<{type: string, blob: Blob} | undefined>}
     */
    async part(hash, name) {
        if (!this.#database) return undefined;
        const part = await this.#database.read(['pieces'], ({ pieces }) => done(pieces.get(`${this.#key(hash)}/${name}`)));
        return part && { ...part, blob: blobOf(part) };
    }

    /**
     * Stores a track with its parts, in a single transaction.
     * @param {any} track
     * @param {Map<string, {type: string, blob: Blob}>} parts
     */
    async put(track, parts) {
        const key = this.#key(track.audio_hash);
        const entry = { key, library: this.#library(), track, bytes: byteCount(parts.values()), at: Date.now() };
        const write = (kept) =>
            this.#change(['songs', 'pieces', 'waiting'], ({ songs, pieces, waiting }) => {
                for (const [name, part] of kept) pieces.put(part, `${key}/${name}`);
                songs.put(entry);
                waiting.delete(key);
            });
        try {
            await write(parts);
        } catch (error) {
            if (error.name === 'QuotaExceededError' || !this.#database) throw error;
            // Safari's private windows cannot store blobs, but can store their bytes.
            await write(await bytesOf(parts));
        }
        this.#set(key, entry);
    }

    /** @param {Kept[]} entries */
    async remove(entries) {
        if (!entries.length) return;
        await this.#change(['songs', 'pieces'], ({ songs, pieces }) => {
            for (const { key } of entries) {
                pieces.delete(keysBelow(key));
                songs.delete(key);
            }
        });
        for (const { key } of entries) this.#set(key, null);
    }

    /** Returns the download of a track. @param {any} track @returns {Kept | undefined} */
    of(track) {
        return this.#kept.get(this.#key(track.audio_hash));
    }

    // ---- Download queue

    /** Adds tracks to the stored download queue, so that it survives a reload. @param {any[]} tracks */
    async wait(tracks) {
        if (!this.#database) return;
        let order = Date.now();
        await this.#change(['waiting'], ({ waiting }) => {
            for (const track of tracks) {
                waiting.put({ key: this.#key(track.audio_hash), library: this.#library(), order: order++, track });
            }
        });
    }

    /** Returns the queued tracks of the current library in order. @returns {Promise<any[]>} */
    async waiting() {
        if (!this.#database) return [];
        const found = (await this.#all('waiting')).filter((entry) => entry.library === this.#library());
        return found.sort((a, b) => a.order - b.order).map((entry) => entry.track);
    }

    /** Removes tracks from the queue. @param {Iterable<string>} hashes audio hashes */
    async stopWaiting(hashes) {
        if (!this.#database) return;
        await this.#change(['waiting'], ({ waiting }) => {
            for (const hash of hashes) waiting.delete(this.#key(hash));
        });
    }

    /**
     * Adopts the downloads of earlier releases, which were stored by track id alone. A download is removed unless its audio is that
     * of the library's track with this id.
     * @param {(id: number) => Promise<any>} find returns the library's track with an id
     */
    async adopt(find) {
        if (!this.#database?.names.includes('tracks')) return;
        for (const { track, at } of await this.#all('tracks')) {
            const range = keysBelow(track.id);
            const [names, values] = await this.#database.read(
                ['parts'],
                ({ parts }) => Promise.all([done(parts.getAllKeys(range)), done(parts.getAll(range))]),
            );
            const kept = new Map(names.map((name, index) => [String(name).slice(String(name).indexOf('/') + 1), values[index]]));
            const known = await find(track.id);
            const hash = await hashOf(kept.get('segments.json'));
            const isOurs = Boolean(hash) && known?.audio_hash === hash && kept.has('file');
            const key = this.#key(hash);
            const bytes = byteCount(Array.from(kept.values(), (part) => ({ blob: blobOf(part) })));
            const entry = { key, library: this.#library(), track: known, bytes, at };
            await this.#change(['songs', 'pieces', 'tracks', 'parts'], (stores) => {
                if (isOurs) {
                    stores.songs.put(entry);
                    for (const [name, part] of kept) stores.pieces.put(part, `${key}/${name}`);
                }
                stores.tracks.delete(track.id);
                stores.parts.delete(range);
            });
            if (isOurs) this.#set(key, entry);
        }
    }

    /** Removes all downloads, except those of the libraries of other known hosts. */
    async forget() {
        if (!this.#database) return;
        const others = this.#others();
        if (others.size) {
            await this.remove([...this.#kept.values()].filter((entry) => !others.has(entry.library)));
            const waiting = (await this.#all('waiting')).filter((entry) => !others.has(entry.library));
            await this.#change(['waiting'], (stores) => waiting.forEach(({ key }) => stores.waiting.delete(key)));
            return;
        }
        await this.#change(this.#database.names, (stores) => {
            for (const store of Object.values(stores)) store.clear();
        });
        this.#kept.clear();
        this.#byId = null;
    }

    #key(hash) {
        return `${this.#library()}/${hash}`;
    }

    #set(key, entry) {
        if (entry) this.#kept.set(key, entry);
        else this.#kept.delete(key);
        this.#byId = null;
    }

    #all(store) {
        return /** @type {BrowserDatabase} */ (this.#database).read([store], (stores) => done(stores[store].getAll()));
    }

    async #change(names, body) {
        if (!this.#database) throw new Error(t('This browser does not allow downloads.'));
        await this.#database.change(names, body);
    }
}

/** Returns the content of a part, which may be stored as bytes. */
function blobOf({ type, blob }) {
    return blob instanceof ArrayBuffer ? new Blob([blob], { type }) : blob;
}

function byteCount(parts) {
    let bytes = 0;
    for (const { blob } of parts) bytes += blob.size;
    return bytes;
}

/** Returns the audio hash in a segment index; empty if it has none. @param {{type: string, blob: any} | undefined} part */
async function hashOf(part) {
    try {
        return String(JSON.parse(await blobOf(part).text()).audio_hash ?? '');
    } catch {
        return '';
    }
}

/** Converts the blobs of parts to bytes. @param {Map<string, {type: string, blob: Blob}>} parts */
async function bytesOf(parts) {
    const stored = new Map();
    for (const [name, part] of parts) stored.set(name, { ...part, blob: await part.blob.arrayBuffer() });
    return stored;
}
