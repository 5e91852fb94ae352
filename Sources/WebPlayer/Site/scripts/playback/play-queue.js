/**
 * What is to be played, in which order.
 *
 * @typedef {object} QueueItem
 * @property {number} uid a number of this place in the queue: a track may stand in it more than once
 * @property {any} track as the catalogue gives it
 */
let lastUid = 0;

/**
 * The queue with shuffle and repeat. It tells of every change by the event `change`, with `detail.isNewStart` where
 * something else is to be played at once.
 */
export class PlayQueue extends EventTarget {
    constructor() {
        super();
        /** @type {QueueItem[]} in the order in which they are played */
        this.items = [];
        /** Place of the current item; −1 for none. */
        this.index = -1;
        /** @type {'off' | 'all' | 'one'} */
        this.repeatMode = 'off';
        /** The order before shuffling; null where it is not shuffled. @type {QueueItem[] | null} */
        this.unshuffled = null;
        this.isShuffled = false;
    }

    /** @returns {QueueItem | null} */
    get current() {
        return this.items[this.index] ?? null;
    }

    /** Plays tracks now, in place of all that was there. */
    playNow(tracks, at = 0) {
        const isShuffled = this.shuffle;
        this.items = tracks.map(item);
        this.unshuffled = null;
        this.index = this.items.length === 0 ? -1 : Math.min(Math.max(at, 0), this.items.length - 1);
        if (isShuffled) this.mix();
        this.changed({ isNewStart: true, isPlayWanted: true });
    }

    /** Stands at a place among tracks, without playing. */
    load(tracks, at = 0) {
        this.items = tracks.map(item);
        this.unshuffled = this.shuffle ? [...this.items] : null;
        this.index = this.items.length === 0 ? -1 : Math.min(Math.max(at, 0), this.items.length - 1);
        this.changed({ isNewStart: true });
    }

    /** Puts tracks behind the current one. */
    playNext(tracks) {
        this.insert(this.index + 1, tracks);
    }

    /** Puts tracks at the end. */
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

    /** Moves the item at one place to another. */
    move(from, to) {
        if (from === to || !this.items[from] || !this.items[to]) return;
        const current = this.current;
        this.items.splice(to, 0, ...this.items.splice(from, 1));
        this.index = this.items.indexOf(current);
        this.changed();
    }

    /** Takes an item out. Where it is the current one, the next is played. */
    remove(index) {
        const [removed] = this.items.splice(index, 1);
        if (!removed) return;
        if (this.unshuffled) this.unshuffled = this.unshuffled.filter((each) => each !== removed);
        const wasCurrent = index === this.index;
        if (index < this.index) this.index -= 1;
        if (this.index >= this.items.length) this.index = this.items.length - 1;
        this.changed({ isNewStart: wasCurrent });
    }

    /** Takes out all but the current item. */
    clear() {
        this.items = this.current ? [this.current] : [];
        this.index = this.items.length - 1;
        this.unshuffled = this.unshuffled && [...this.items];
        this.changed();
    }

    /** Goes to an item. */
    jump(index) {
        if (!this.items[index]) return;
        this.index = index;
        this.changed({ isNewStart: true, isPlayWanted: true });
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
        return this.repeatMode;
    }

    set repeat(mode) {
        this.repeatMode = mode === 'all' || mode === 'one' ? mode : 'off';
        this.changed();
    }

    /** Mixes all that is not current behind it: each order is as likely (Fisher and Yates). */
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
     * What comes by itself after an item; null for the end.
     * @param {QueueItem | null} item
     * @returns {QueueItem | null}
     */
    after(item) {
        if (!item) return null;
        if (this.repeatMode === 'one') return item;
        const place = this.items.indexOf(item);
        const next = this.items[(place < 0 ? this.index : place) + 1];
        return next ?? (this.repeatMode === 'all' ? this.items[0] ?? null : null);
    }

    /** Playing has gone on to an item by itself. */
    arrive(item) {
        const place = this.items.indexOf(item);
        if (place < 0 || place === this.index) return;
        this.index = place;
        this.changed({ isArrival: true });
    }

    /** Goes one on, as the listener wants it: a repeated track is left, too. */
    next() {
        if (this.index + 1 < this.items.length) this.jump(this.index + 1);
        else if (this.repeatMode !== 'off' && this.items.length > 0) this.jump(0);
        else return false;
        return true;
    }

    /** Goes one back. */
    previous() {
        if (this.index > 0) this.jump(this.index - 1);
        else if (this.repeatMode === 'all' && this.items.length > 0) this.jump(this.items.length - 1);
        else return false;
        return true;
    }

    /**
     * Takes what is known of its tracks now, in the same order.
     * @param {Map<number, any>} trackById
     * @returns {boolean} whether that is something else
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

    /** @param {{isNewStart?: boolean, isPlayWanted?: boolean, isArrival?: boolean}} [detail] */
    changed(detail = {}) {
        this.dispatchEvent(new CustomEvent('change', { detail }));
    }
}

function item(track) {
    lastUid += 1;
    return { uid: lastUid, track };
}
