/** Maximum height in pixels: browsers limit that of an element, Firefox to about 17.8 million. */
const TALLEST = 15_000_000;
/** Screens that a scroll event may pass over in a list that is taller; more is a jump of the scroll bar. */
const JUMP = 4;

/**
 * Where the rows of a list are in its box, which is smaller than all rows of a list that is taller than an element may be.
 *
 * Then a jump of the scroll bar goes to the same part of the list as of the box, and small movements are exact. At rest, the scroll
 * position is moved to the part of the box that the list is at, so that both ends stay within reach.
 *
 * All places are in pixels: `seen` is the scroll position from the top of the box, `top` the same place from the top of the first row.
 */
export class TallBox {
    /** Height of all rows. */
    #whole = 0;
    #seen = 0;
    /** Height of the box. */
    height = 0;
    /** Height of what is visible. */
    screen = 0;
    /** How much higher up in the box rows are than in one of the whole height. */
    offset = 0;

    /** Whether the box is lower than all rows. */
    get isTall() {
        return this.#whole > this.height;
    }

    /** Sets the height of all rows. @param {number} whole @returns {boolean} whether rows have to be moved */
    resize(whole) {
        this.#whole = whole;
        this.height = Math.min(whole, TALLEST);
        return this.#change(Math.min(this.offset, whole - this.height));
    }

    /** Takes over that the user has scrolled. @param {number} seen @returns {boolean} whether rows have to be moved */
    scrolled(seen) {
        const isJump = Math.abs(seen - this.#seen) > JUMP * this.screen;
        this.#seen = seen;
        return isJump && this.#change(this.#offsetAt(seen / Math.max(1, this.height - this.screen)));
    }

    /** Returns the scroll position that shows a place. @param {number} top @param {number} seen the current one */
    show(top, seen) {
        if (Math.abs(top - seen - this.offset) > JUMP * this.screen) this.offset = this.#offsetAt(top / this.#travel);
        this.#seen = top - this.offset;
        return this.#seen;
    }

    /** Returns the scroll position to move to at rest, where the same rows are then visible; null to stay. */
    settled() {
        const top = this.#seen + this.offset;
        const near = JUMP * this.screen;
        // Near the ends, places are those of a whole box, so that the first and the last row are reached.
        const offset = this.#offsetAt(top < near ? 0 : top > this.#travel - near ? 1 : top / this.#travel);
        const isEnd = top < near || top > this.#travel - near;
        if (!isEnd && Math.abs(offset - this.offset) < this.screen || !this.#change(offset)) return null;
        this.#seen = top - offset;
        return this.#seen;
    }

    /** How far all rows can be scrolled. */
    get #travel() {
        return Math.max(1, this.#whole - this.screen);
    }

    /** Returns the offset at a part of the way through the list. @param {number} part from 0 to 1 */
    #offsetAt(part) {
        return Math.round((this.#whole - this.height) * Math.min(1, Math.max(0, part)));
    }

    #change(offset) {
        const isOther = offset !== this.offset;
        this.offset = offset;
        return isOther;
    }
}
