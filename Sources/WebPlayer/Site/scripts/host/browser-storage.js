import { memoryStorage } from './host-storage.js';

/**
 * The browser's `localStorage`. If the browser blocks it (reading the property then throws), values are kept in memory until the
 * page is closed.
 *
 * @returns {Storage}
 */
export function browserStorage() {
    try {
        return localStorage;
    } catch {
        // deno-lint-ignore no-unreachable -- reading the property may throw
        return forThisVisit;
    }
}

/** @type {any} */
const forThisVisit = memoryStorage();
