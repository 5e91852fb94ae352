const NAME = 'downloads';

/**
 * Tracks that are kept in this browser, each with all that is needed to play and to show it: IndexedDB, which pages of plain
 * HTTP have too.
 */
export class DownloadStore {
    #database = null;
    /** @type {Map<number, {track: any, bytes: number, at: number}>} */
    tracks = new Map();

    /** Reads what is there. */
    async open() {
        try {
            this.#database = await new Promise((resolve, reject) => {
                const request = indexedDB.open(NAME, 1);
                request.onupgradeneeded = () => {
                    request.result.createObjectStore('tracks', { keyPath: 'track.id' });
                    request.result.createObjectStore('parts');
                };
                request.onsuccess = () => resolve(request.result);
                request.onerror = () => reject(request.error);
            });
            this.#database.onversionchange = () => this.#database.close();
            for (const entry of await this.#done(this.#database.transaction('tracks').objectStore('tracks').getAll())) {
                this.tracks.set(entry.track.id, entry);
            }
        } catch {
            // A private window may have no database: nothing is kept then.
        }
    }

    get isOpen() { return this.#database !== null; }

    /** @param {number} id @param {string} name of the part, such as `file` @returns {Promise<{type: string, blob: Blob} | undefined>} */
    async part(id, name) {
        if (!this.#database) return undefined;
        const part = await this.#done(this.#database.transaction('parts').objectStore('parts').get(`${id}/${name}`));
        return part?.blob instanceof ArrayBuffer ? { ...part, blob: new Blob([part.blob], { type: part.type }) } : part;
    }

    /** Keeps a track with its parts: all of it, or nothing. @param {any} track @param {Map<string, {type: string, blob: Blob}>} parts */
    async put(track, parts) {
        let bytes = 0;
        for (const { blob } of parts.values()) bytes += blob.size;
        const entry = { track, bytes, at: Date.now() };
        const write = kept => this.#change(transaction => {
            for (const [name, part] of kept) transaction.objectStore('parts').put(part, `${track.id}/${name}`);
            transaction.objectStore('tracks').put(entry);
        });
        try {
            await write(parts);
        } catch (error) {
            if (error.name === 'QuotaExceededError' || !this.#database) throw error;
            // Safari's private windows keep no blobs, but their bytes.
            await write(await bytesOf(parts));
        }
        this.tracks.set(track.id, entry);
    }

    /** @param {number} id */
    async remove(id) {
        await this.#change(transaction => {
            transaction.objectStore('parts').delete(IDBKeyRange.bound(`${id}/`, `${id}/\uffff`));
            transaction.objectStore('tracks').delete(id);
        });
        this.tracks.delete(id);
    }

    async #change(body) {
        if (!this.#database) throw new Error('This browser keeps nothing for this page.');
        const transaction = this.#database.transaction(['tracks', 'parts'], 'readwrite');
        body(transaction);
        await new Promise((resolve, reject) => {
            transaction.oncomplete = resolve;
            // A transaction that is given up may not say why; what failed in it does.
            transaction.onerror = ({ target }) => reject(target.error ?? new Error('This browser does not keep it.'));
            transaction.onabort = () => reject(transaction.error ?? new Error('There is no room left.'));
        });
    }

    #done(request) {
        return new Promise((resolve, reject) => {
            request.onsuccess = () => resolve(request.result);
            request.onerror = () => reject(request.error);
        });
    }
}

/** Parts as bytes instead of blobs. @param {Map<string, {type: string, blob: Blob}>} parts */
async function bytesOf(parts) {
    return new Map(await Promise.all(Array.from(parts, async ([name, part]) => [name, { ...part, blob: await part.blob.arrayBuffer() }])));
}
