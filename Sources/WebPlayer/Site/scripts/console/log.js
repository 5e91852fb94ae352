/** Maximum number of entries in the log; the oldest are dropped. */
const CAPACITY = 4000;

/** Levels, most severe first. */
export const LEVELS = ['error', 'warn', 'info', 'debug'];
/** Categories of entries. */
export const CATEGORIES = ['Host', 'Player', 'Library', 'Offline', 'Page'];

/**
 * The log that the developer console shows.
 *
 * @typedef {{number: number, at: number, level: string, category: string, text: string, isMark?: boolean}} LogEntry
 */
export class Log extends EventTarget {
    /** @type {LogEntry[]} */
    entries = [];
    #number = 0;

    /**
     * @param {'error' | 'warn' | 'info' | 'debug'} level
     * @param {string} category one of the categories
     * @param {string} text
     */
    add(level, category, text, isMark = false) {
        const entry = { number: ++this.#number, at: Date.now(), level, category, text, isMark };
        this.entries.push(entry);
        if (this.entries.length > CAPACITY) this.entries.splice(0, this.entries.length - CAPACITY);
        this.dispatchEvent(new CustomEvent('entry', { detail: entry }));
    }

    clear() {
        this.entries = [];
        this.dispatchEvent(new Event('clear'));
    }

    /** Returns the entries that pass a filter. @param {{levels: Set<string>, categories: Set<string>, text: string}} filter */
    filtered(filter) {
        return this.entries.filter((entry) => passes(entry, filter));
    }
}

/** @param {LogEntry} entry @param {{levels: Set<string>, categories: Set<string>, text: string}} filter */
export function passes(entry, { levels, categories, text }) {
    if (entry.isMark) return true;
    return levels.has(entry.level) && categories.has(entry.category) && (!text || entry.text.toLowerCase().includes(text));
}

/** Formats an entry as a line of the exported file. @param {LogEntry} entry */
export function lineOf(entry) {
    return entry.isMark
        ? `---- ${entry.text} ${new Date(entry.at).toISOString()}`
        : `${new Date(entry.at).toISOString()} ${entry.level.toUpperCase().padEnd(5)} ${entry.category.padEnd(7)} ${entry.text}`;
}
