/** Milliseconds after which a database that does not open counts as missing. */
const OPEN_TIMEOUT = 10_000;

/**
 * A database of the browser (IndexedDB). Each read and each change is one transaction, so that no tab sees half of a change.
 */
export class BrowserDatabase {
    #database;

    /** @param {IDBDatabase} database */
    constructor(database) {
        this.#database = database;
        // A newer version of the page in another tab may need to upgrade the database.
        database.onversionchange = () => database.close();
    }

    /**
     * Opens a database.
     * @param {string} name
     * @param {number} version
     * @param {(database: IDBDatabase) => void} create creates the object stores of this version
     * @returns {Promise<BrowserDatabase | null>} null if the browser has none, as in private windows, does not open it in time, or another page holds it
     */
    static async open(name, version, create) {
        try {
            const request = indexedDB.open(name, version);
            request.onupgradeneeded = () => create(request.result);
            return new BrowserDatabase(
                await new Promise((resolve, reject) => {
                    // It may wait forever for another page, or because of a defect of the browser.
                    let isGivenUp = false;
                    const giveUp = (error) => {
                        isGivenUp = true;
                        clearTimeout(timer);
                        reject(error);
                    };
                    const timer = setTimeout(giveUp, OPEN_TIMEOUT, new Error('the database does not open'));
                    request.onsuccess = () => {
                        clearTimeout(timer);
                        if (isGivenUp) request.result.close();
                        else resolve(request.result);
                    };
                    request.onerror = () => giveUp(request.error);
                    request.onblocked = () => giveUp(new Error('another page holds the database'));
                }),
            );
        } catch {
            return null;
        }
    }

    /** Names of the object stores. */
    get names() {
        return [...this.#database.objectStoreNames];
    }

    /**
     * Reads in one transaction.
     * @template Value
     * @param {string[]} names of object stores
     * @param {(stores: Record<string, IDBObjectStore>) => Promise<Value>} body may only await requests of these stores
     */
    read(names, body) {
        return body(storesOf(this.#database.transaction(names)));
    }

    /**
     * Changes in one transaction: all of it or, after an error, nothing.
     * @param {string[]} names of object stores
     * @param {(stores: Record<string, IDBObjectStore>) => unknown} body may only await requests of these stores
     */
    async change(names, body) {
        const transaction = this.#database.transaction(names, 'readwrite');
        const finished = new Promise((resolve, reject) => {
            transaction.oncomplete = resolve;
            // An aborted transaction may have no error; the failed request has one.
            transaction.onerror = ({ target }) => reject(/** @type {IDBRequest} */ (target).error ?? transaction.error);
            transaction.onabort = () => reject(transaction.error ?? new Error('The browser storage is full.'));
        });
        // It may fail before `body` has ended.
        finished.catch(() => {});
        try {
            await body(storesOf(transaction));
        } catch (error) {
            // Otherwise the transaction would commit what has been written so far.
            try {
                transaction.abort();
            } catch {
                // The failed request has ended it already.
            }
            throw error;
        }
        await finished;
    }
}

/**
 * Waits for a request.
 * @template Value
 * @param {IDBRequest<Value>} request
 * @returns {Promise<Value>}
 */
export function done(request) {
    return new Promise((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
    });
}

/** Returns the range of keys such as `tracks/1` for `tracks`. @param {string | number} prefix */
export function keysBelow(prefix) {
    return IDBKeyRange.bound(`${prefix}/`, `${prefix}/\uffff`);
}

/** @param {IDBTransaction} transaction */
function storesOf(transaction) {
    return Object.fromEntries(Array.from(transaction.objectStoreNames, (name) => [name, transaction.objectStore(name)]));
}
