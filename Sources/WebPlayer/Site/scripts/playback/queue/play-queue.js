import { isFollowing } from './transition.js';

/**
 * An item of the queue.
 *
 * @typedef {object} QueueItem
 * @property {number} uid identifies the item: a track may be in the queue more than once
 * @property {any} track from the catalogue
 */
let lastUid = 0;

/**
 * The queue with shuffle and repeat. Dispatches `change` events: `detail.isNewStart` if another item starts immediately,
 * `detail.isEnd` if nothing is left to play.
 */
export class PlayQueue extends EventTarget {
    /** @type {'off' | 'all' | 'one'} */
    #repeatMode;
    /** Items that cannot be played. @type {WeakSet<QueueItem>} */
    #unplayable = new WeakSet();

    constructor() {
        super();
        /** @type {QueueItem[]} in playing order */
        this.items = [];
        /** Index of the current item; −1 if the queue is empty. */
        this.index = -1;
        this.#repeatMode = 'off';
        /** The order before shuffling; null if not shuffled. @type {QueueItem[] | null} */
        this.unshuffled = null;
        this.isShuffled = false;
    }

    /** @returns {QueueItem | null} */
    get current() {
        return this.items[this.index] ?? null;
    }

    /** Replaces the queue and plays. */
    playNow(tracks, at = 0) {
        const isShuffled = this.shuffle;
        this.items = tracks.map(item);
        this.unshuffled = null;
        this.index = this.items.length === 0 ? -1 : Math.min(Math.max(at, 0), this.items.length - 1);
        if (isShuffled) this.mix();
        this.changed({ isNewStart: true, isPlayWanted: true });
    }

    /** Replaces the queue without playing. */
    load(tracks, at = 0) {
        this.items = tracks.map(item);
        this.unshuffled = this.shuffle ? [...this.items] : null;
        this.index = this.items.length === 0 ? -1 : Math.min(Math.max(at, 0), this.items.length - 1);
        this.changed({ isNewStart: true });
    }

    /** Inserts tracks after the current one. */
    playNext(tracks) {
        this.insert(this.index + 1, tracks);
    }

    /** Appends tracks. */
    add(tracks) {
        this.insert(this.items.length, tracks);
    }

    insert(at, tracks) {
        const added = tracks.map(item);
        if (this.unshuffled) {
            const place = this.current && at <= this.index + 1 ? this.unshuffled.indexOf(this.current) + 1 : this.unshuffled.length;
            this.unshuffled.splice(place, 0, ...added);
        }
        this.items.splice(at, 0, ...added);
        const isFirst = this.index < 0 && this.items.length > 0;
        if (isFirst) this.index = 0;
        this.changed();
    }

    /** Moves an item. */
    move(from, to) {
        if (from === to || !this.items[from] || !this.items[to]) return;
        const current = /** @type {QueueItem} */ (this.current);
        this.items.splice(to, 0, ...this.items.splice(from, 1));
        this.index = this.items.indexOf(current);
        this.changed();
    }

    /** Removes an item. If it is the current one, the next one plays; playback ends after the last one. */
    remove(index) {
        const [removed] = this.items.splice(index, 1);
        if (!removed) return;
        if (this.unshuffled) this.unshuffled = this.unshuffled.filter((each) => each !== removed);
        const wasCurrent = index === this.index;
        if (index < this.index) this.index -= 1;
        const isAtEnd = this.index >= this.items.length;
        if (isAtEnd) this.index = this.#repeatMode === 'all' && this.items.length > 0 ? 0 : this.items.length - 1;
        this.changed({ isNewStart: wasCurrent, isEnd: wasCurrent && isAtEnd && this.#repeatMode !== 'all' });
    }

    /**
     * Removes all items but the current one.
     * @returns {() => void} undoes it
     */
    clear() {
        const { items, unshuffled } = this;
        this.items = this.current ? [this.current] : [];
        this.index = this.items.length - 1;
        this.unshuffled = this.unshuffled && [...this.items];
        this.changed();
        return () => this.#putBack(items, unshuffled ?? items);
    }

    /**
     * Puts back removed items around the current one. Items added since then come last; if one of them is the current one,
     * they come first.
     * @param {QueueItem[]} items the whole queue as it was
     * @param {QueueItem[]} unshuffled the same before shuffling
     */
    #putBack(items, unshuffled) {
        const { current } = this;
        const merged = (before, now) => {
            const [first, last] = !current || before.includes(current) ? [before, now] : [now, before];
            const known = new Set(first);
            return [...first, ...last.filter((each) => !known.has(each))];
        };
        if (this.isShuffled) this.unshuffled = merged(unshuffled, this.unshuffled ?? this.items);
        this.items = merged(this.isShuffled ? items : unshuffled, this.items);
        this.index = current ? this.items.indexOf(current) : this.items.length > 0 ? 0 : -1;
        this.changed();
    }

    /** Plays an item. */
    jump(index) {
        if (!this.items[index]) return;
        this.#unplayable.delete(this.items[index]);
        this.index = index;
        this.changed({ isNewStart: true, isPlayWanted: true });
    }

    /** Leaves out an item that cannot be played, until it is asked for. If it is the current one, the next one plays. */
    skip(item) {
        this.#unplayable.add(item);
        const next = item === this.current ? this.after(item) : null;
        if (next) this.index = this.items.indexOf(next);
        this.changed({ isNewStart: next !== null });
    }

    /** Tries items again that could not be played. */
    forgetSkipped() {
        this.#unplayable = new WeakSet();
    }

    /**
     * Arranges the items after the current one. Items that are not named come last.
     * @param {QueueItem[]} order
     * @returns {() => void} undoes it
     */
    arrange(order) {
        const before = this.items.slice(this.index + 1);
        const coming = new Set(before);
        const first = order.filter((item) => coming.delete(item));
        this.items = [...this.items.slice(0, this.index + 1), ...first, ...coming];
        this.changed();
        return () => this.arrange(before);
    }

    get shuffle() {
        return this.isShuffled;
    }

    set shuffle(isOn) {
        if (isOn === this.shuffle) return;
        if (isOn) {
            this.mix();
        } else {
            const current = this.current;
            this.items = this.unshuffled ?? this.items;
            this.unshuffled = null;
            this.index = current ? this.items.indexOf(current) : -1;
        }
        this.isShuffled = isOn;
        this.changed();
    }

    get repeat() {
        return this.#repeatMode;
    }

    set repeat(mode) {
        this.#repeatMode = mode === 'all' || mode === 'one' ? mode : 'off';
        this.changed();
    }

    /** Shuffles all items after the current one, each order with equal probability (Fisher–Yates). */
    mix() {
        this.unshuffled = [...this.items];
        const rest = this.items.filter((_, place) => place !== this.index);
        for (let i = rest.length - 1; i > 0; i--) {
            const other = Math.floor(Math.random() * (i + 1));
            [rest[i], rest[other]] = [rest[other], rest[i]];
        }
        const current = this.current;
        this.items = current ? [current, ...rest] : rest;
        if (current) this.index = 0;
    }

    /**
     * Returns the item that plays after another; null at the end. Those that cannot be played are left out.
     * @param {QueueItem | null} item
     * @returns {QueueItem | null}
     */
    after(item) {
        if (!item) return null;
        if (this.#repeatMode === 'one') return item;
        const place = this.items.indexOf(item);
        return this.#playableFrom((place < 0 ? this.index : place) + 1, this.#repeatMode === 'all');
    }

    /** Returns the first item from a place on that can be played. @param {number} start @param {boolean} isRound whether to go on at the start */
    #playableFrom(start, isRound) {
        const { items } = this;
        const end = isRound ? start + items.length : items.length;
        for (let place = start; place < end; place++) {
            const item = items[place % items.length];
            if (!this.#unplayable.has(item)) return item;
        }
        return null;
    }

    /** Whether the item before or after it in the queue is also its neighbour on the album. */
    isInAlbumOrder(item) {
        const place = this.items.indexOf(item);
        if (place < 0) return false;
        const { [place - 1]: before, [place + 1]: after } = this.items;
        return Boolean((before && isFollowing(before.track, item.track)) || (after && isFollowing(item.track, after.track)));
    }

    /** Moves on to an item that playback has reached. */
    arrive(item) {
        const place = this.items.indexOf(item);
        if (place < 0 || place === this.index) return;
        this.index = place;
        this.changed({ isArrival: true });
    }

    /** Skips to the next item on request of the user, also if the current one repeats. Returns whether there is one. */
    next() {
        const next = this.#playableFrom(this.index + 1, this.#repeatMode !== 'off');
        if (next) this.jump(this.items.indexOf(next));
        return next !== null;
    }

    /** Goes to the previous item. Returns whether there is one. */
    previous() {
        if (this.index > 0) this.jump(this.index - 1);
        else if (this.#repeatMode === 'all' && this.items.length > 0) this.jump(this.items.length - 1);
        else return false;
        return true;
    }

    /**
     * Updates the tracks of all items; the order is unchanged.
     * @param {Pick<Map<number, any>, 'get'>} trackById
     * @returns {boolean} whether any track has changed
     */
    renew(trackById) {
        let isOther = false;
        for (const item of this.items) {
            const known = trackById.get(item.track.id);
            if (!known || known === item.track) continue;
            item.track = known;
            isOther = true;
        }
        return isOther;
    }

    /** @param {{isNewStart?: boolean, isEnd?: boolean, isPlayWanted?: boolean, isArrival?: boolean}} [detail] */
    changed(detail = {}) {
        this.dispatchEvent(new CustomEvent('change', { detail }));
    }
}

function item(track) {
    lastUid += 1;
    return { uid: lastUid, track };
}
