import { browserStorage } from './browser-storage.js';
import { SETTINGS } from './settings-table.js';

/** Key in the browser's storage. */
const KEY = 'settings';

/** The user's settings, stored in the browser. Dispatches 'change' events with the `key`. */
export class Settings extends EventTarget {
    #storage;
    #chosen;

    /** @param {Storage} [storage] */
    constructor(storage = browserStorage()) {
        super();
        this.#storage = storage;
        this.#chosen = this.#read();
        // Applies changes made in another tab.
        addEventListener('storage', (event) => {
            if (event.key !== KEY) return;
            const before = this.#chosen;
            this.#chosen = this.#read();
            for (const key of new Set([...Object.keys(before), ...Object.keys(this.#chosen)])) {
                if (before[key] !== this.#chosen[key]) this.#emit(key);
            }
        });
    }

    /** @param {string} key */
    get(key) {
        return Object.hasOwn(this.#chosen, key) ? this.#chosen[key] : SETTINGS[key]?.initial;
    }

    /** @param {string} key @param {unknown} value */
    set(key, value) {
        if (this.get(key) === value) return;
        this.#chosen[key] = value;
        this.#write();
        this.#emit(key);
    }

    /** Returns to the initial value. @param {string} key */
    reset(key) {
        if (!Object.hasOwn(this.#chosen, key)) return;
        delete this.#chosen[key];
        this.#write();
        this.#emit(key);
    }

    /** Returns a copy of all settings that have been set. */
    all() {
        return { ...this.#chosen };
    }

    /** Replaces all settings; unknown keys and values of the wrong type are dropped. @param {Record<string, unknown>} chosen */
    replace(chosen) {
        const keys = new Set([...Object.keys(this.#chosen), ...Object.keys(chosen)]);
        this.#chosen = {};
        for (const [key, value] of Object.entries(chosen)) {
            if (Object.hasOwn(SETTINGS, key) && typeof SETTINGS[key].initial === typeof value) this.#chosen[key] = value;
        }
        this.#write();
        for (const key of keys) this.#emit(key);
    }

    #emit(key) {
        this.dispatchEvent(Object.assign(new Event('change'), { key }));
    }

    #read() {
        try {
            const stored = JSON.parse(this.#storage.getItem(KEY) ?? '{}');
            return stored && typeof stored === 'object' && !Array.isArray(stored) ? stored : {};
        } catch {
            return {};
        }
    }

    #write() {
        try {
            this.#storage.setItem(KEY, JSON.stringify(this.#chosen));
        } catch {
            // Storage is full or blocked: the value lasts until the page is closed.
        }
    }
}
