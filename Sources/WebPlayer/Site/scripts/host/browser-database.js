/** Milliseconds after which a database that does not answer counts as missing. */
const ANSWER_TIMEOUT = 10_000;

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
     * Opens a database and waits until it can be read.
     * @param {string} name
     * @param {number} version
     * @param {(database: IDBDatabase) => void} create creates the object stores of this version
     * @returns {Promise<BrowserDatabase | null>} null if the browser has none, as in private windows, or if it does not answer in time,
     *     as while another page holds it
     */
    static async open(name, version, create) {
        let timer = 0;
        const late = new Promise((resolve) => {
            timer = setTimeout(resolve, ANSWER_TIMEOUT, null);
        });
        const opened = BrowserDatabase.#opened(name, version, create).catch(() => null);
        const database = await Promise.race([opened, late]);
        clearTimeout(timer);
        // One that opens too late must not block the upgrade of a newer page.
        if (!database) opened.then((unused) => unused?.close());
        return database;
    }

    /** @param {string} name @param {number} version @param {(database: IDBDatabase) => void} create */
    static async #opened(name, version, create) {
        const request = indexedDB.open(name, version);
        request.onupgradeneeded = () => create(request.result);
        const database = new BrowserDatabase(await done(request));
        // An open database may still wait for a change that another page has not finished.
        const [first] = database.names;
        await database.read(database.names, (stores) => done(stores[first].getKey(0)));
        return database;
    }

    close() {
        this.#database.close();
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
