const NAME = 'library';
const VERSION = 1;

/**
 * The library as it was last seen, in the browser's database, so that a start shows it at once.
 *
 * Tracks lie in it by the hundreds: a hundred thousand records would take seconds to read.
 */
export class CatalogueStore {
    #database = null;

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

    /** @param {string} name @returns {Promise<any>} undefined where there is no such part */
    async read(name) {
        if (!this.#database) return undefined;
        return done(this.#database.transaction('parts').objectStore('parts').get(name));
    }

    /** All parts of names with this beginning, in order. @param {string} prefix @returns {Promise<any[]>} */
    async readAll(prefix) {
        if (!this.#database) return [];
        const range = IDBKeyRange.bound(prefix, `${prefix}\uffff`);
        return done(this.#database.transaction('parts').objectStore('parts').getAll(range));
    }

    /**
     * Writes parts; all others of names with one of the beginnings go. All of it happens, or nothing.
     * @param {Record<string, unknown>} parts
     * @param {string[]} [replacing]
     */
    async write(parts, replacing = []) {
        if (!this.#database) return;
        const transaction = this.#database.transaction('parts', 'readwrite');
        const store = transaction.objectStore('parts');
        for (const prefix of replacing) store.delete(IDBKeyRange.bound(prefix, `${prefix}\uffff`));
        for (const [name, value] of Object.entries(parts)) store.put(value, name);
        await new Promise((resolve, reject) => {
            transaction.oncomplete = resolve;
            transaction.onerror = () => reject(transaction.error);
            transaction.onabort = () => reject(transaction.error);
        });
    }

    /** Forgets the library. */
    async clear() {
        if (!this.#database) return;
        await done(this.#database.transaction('parts', 'readwrite').objectStore('parts').clear());
    }
}

function done(request) {
    return new Promise((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
    });
}
