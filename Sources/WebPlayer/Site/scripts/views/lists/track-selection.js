/** The selected rows of a list, by their keys. Dispatches 'change'. */
export class TrackSelection extends EventTarget {
    #parts;
    /** @type {Set<any>} */
    #keys = new Set();
    /** The row at which a range starts. */
    #anchor = 0;

    /** @param {{count: () => number, key: (index: number) => any}} parts */
    constructor(parts) {
        super();
        this.#parts = parts;
    }

    get size() {
        return this.#keys.size;
    }

    /** @param {number} index */
    has(index) {
        return this.#keys.size > 0 && this.#keys.has(this.#parts.key(index));
    }

    /** The selected rows in the order of the list. @returns {number[]} */
    get indexes() {
        const found = [];
        if (!this.#keys.size) return found;
        const count = this.#parts.count();
        for (let index = 0; index < count; index++) if (this.#keys.has(this.#parts.key(index))) found.push(index);
        return found;
    }

    /** Selects or deselects a row. @param {number} index */
    toggle(index) {
        const key = this.#parts.key(index);
        if (!this.#keys.delete(key)) this.#keys.add(key);
        this.#anchor = index;
        this.#changed();
    }

    /** Selects the rows from the last chosen one to another, and only these. @param {number} index */
    extend(index) {
        const [first, last] = [Math.min(this.#anchor, index), Math.max(this.#anchor, index)];
        this.#keys = new Set();
        for (let each = first; each <= last && each < this.#parts.count(); each++) this.#keys.add(this.#parts.key(each));
        this.#changed();
    }

    /** Makes a row the start of the next range, and deselects all. @param {number} index */
    start(index) {
        this.#anchor = index;
        this.clear();
    }

    all() {
        this.#keys = new Set(Array.from({ length: this.#parts.count() }, (_, index) => this.#parts.key(index)));
        this.#changed();
    }

    clear() {
        if (!this.#keys.size) return;
        this.#keys = new Set();
        this.#changed();
    }

    /** Forgets the rows that the list no longer has. */
    prune() {
        if (!this.#keys.size) return;
        const kept = new Set(this.indexes.map((index) => this.#parts.key(index)));
        if (kept.size === this.#keys.size) return;
        this.#keys = kept;
        this.#changed();
    }

    #changed() {
        this.dispatchEvent(new Event('change'));
    }
}
