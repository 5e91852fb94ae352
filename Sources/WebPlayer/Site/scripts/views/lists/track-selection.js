/**
 * The selected rows of a list, by their keys. Dispatches 'change'.
 *
 * The track of a row that is selected is kept: a list that is read in windows may have forgotten it.
 */
export class TrackSelection extends EventTarget {
    #parts;
    /** Places and tracks by key. @type {Map<any, {index: number, track: any}>} */
    #chosen = new Map();
    /** The row at which a range starts. */
    #anchor = 0;

    /**
     * @param {object} parts
     * @param {() => number} parts.count
     * @param {(index: number) => any} parts.key undefined for rows that are not known
     * @param {(index: number) => any} parts.track
     * @param {() => boolean} parts.isWindowed whether only some rows are known
     */
    constructor(parts) {
        super();
        this.#parts = parts;
    }

    get size() {
        return this.#chosen.size;
    }

    /** The row at which a range starts. */
    get anchor() {
        return this.#anchor;
    }

    /** @param {number} index */
    has(index) {
        return this.#chosen.size > 0 && this.#chosen.has(this.#parts.key(index));
    }

    /** The tracks of the selected rows, in the order of the list. @returns {any[]} */
    get tracks() {
        if (this.#parts.isWindowed()) {
            return [...this.#chosen.values()].sort((one, other) => one.index - other.index).map(({ track }) => track);
        }
        return this.#indexes.map((index) => this.#parts.track(index));
    }

    get #indexes() {
        const found = [];
        if (!this.#chosen.size) return found;
        const count = this.#parts.count();
        for (let index = 0; index < count; index++) if (this.has(index)) found.push(index);
        return found;
    }

    /** Selects or deselects a row. @param {number} index */
    toggle(index) {
        if (!this.#chosen.delete(this.#parts.key(index))) this.#add(index);
        this.#anchor = index;
        this.#changed();
    }

    /** Selects the rows from the last chosen one to another, and only these. @param {number} index */
    extend(index) {
        const [first, last] = [Math.min(this.#anchor, index), Math.max(this.#anchor, index)];
        this.#chosen = new Map();
        for (let each = first; each <= last && each < this.#parts.count(); each++) this.#add(each);
        this.#changed();
    }

    /** Selects rows with their tracks, and only these. @param {number} from index of the first one @param {any[]} tracks */
    choose(from, tracks) {
        this.#chosen = new Map(tracks.map((track, place) => [track.id, { index: from + place, track }]));
        this.#changed();
    }

    /** Makes a row the start of the next range, and deselects all. @param {number} index */
    start(index) {
        this.#anchor = index;
        this.clear();
    }

    all() {
        this.#chosen = new Map();
        for (let index = 0; index < this.#parts.count(); index++) this.#add(index);
        this.#changed();
    }

    clear() {
        if (!this.#chosen.size) return;
        this.#chosen = new Map();
        this.#changed();
    }

    /** Forgets the rows that the list no longer has. Rows of a list that is read in windows stay. */
    prune() {
        if (!this.#chosen.size || this.#parts.isWindowed()) return;
        const kept = new Set(this.#indexes.map((index) => this.#parts.key(index)));
        if (kept.size === this.#chosen.size) return;
        this.#chosen = new Map([...this.#chosen].filter(([key]) => kept.has(key)));
        this.#changed();
    }

    #add(index) {
        const key = this.#parts.key(index);
        if (key !== undefined) this.#chosen.set(key, { index, track: this.#parts.track(index) });
    }

    #changed() {
        this.dispatchEvent(new Event('change'));
    }
}
