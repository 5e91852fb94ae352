/** @typedef {Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> & {prefix?: string}} KeyStorage */

/**
 * The part of the browser's storage that belongs to one host.
 *
 * The keys of the host that served the page have no prefix, as in releases that knew one host only.
 *
 * @param {KeyStorage} storage
 * @param {string} prefix precedes all keys
 * @returns {KeyStorage}
 */
export function partOf(storage, prefix) {
    if (!prefix) return storage;
    return {
        prefix,
        getItem: (key) => storage.getItem(prefix + key),
        setItem: (key, value) => storage.setItem(prefix + key, value),
        removeItem: (key) => storage.removeItem(prefix + key),
    };
}

/** Returns the storage for the time that this tab is open; in memory if the browser blocks it. @returns {KeyStorage} */
export function tabStorage() {
    try {
        return sessionStorage;
    } catch {
        // deno-lint-ignore no-unreachable -- reading the property may throw
        return memoryStorage();
    }
}

/** Returns a storage in memory. @returns {KeyStorage} */
export function memoryStorage() {
    /** @type {Map<string, string>} */
    const values = new Map();
    return {
        getItem: (key) => values.get(key) ?? null,
        setItem: (key, value) => {
            values.set(key, String(value));
        },
        removeItem: (key) => {
            values.delete(key);
        },
    };
}
