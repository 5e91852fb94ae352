/** Pictures that are looked at together, and how long one may take: two of a screen of 60 Hz are too long. */
const COUNT = 30;
const LONGEST = 25;
/** Longer than this the page was away. */
const AWAY = 500;
/** Pictures in time after which more is tried again, at first and at most: a minute and ten of them. */
const PATIENCE = 1800;
const MOST_PATIENCE = 36_000;

/** How much is drawn, from all to little: whether with glows and fine lines, and which share of the pixels' density. */
export const DETAILS = Object.freeze([
    Object.freeze({ isPlain: false, density: 1 }), Object.freeze({ isPlain: false, density: 0.75 }),
    Object.freeze({ isPlain: true, density: 0.62 }), Object.freeze({ isPlain: true, density: 0.5 }),
]);

const SEEN = 0;
const LATE = 1;
const LEVEL = 2;
const IN_TIME = 3;
const WANTED = 4;

/**
 * Finds how much can be drawn in time: less where pictures come late, and more again where they have come in time for long. Where
 * more then proves too much, it is not tried again for a longer time.
 */
export class Pace {
    #numbers = new Int32Array(5);

    constructor() {
        this.#numbers[WANTED] = PATIENCE;
    }

    /** Which of `DETAILS` is to be drawn. */
    get level() {
        return this.#numbers[LEVEL];
    }

    /**
     * A picture was drawn.
     *
     * @param {number} milliseconds since the one before
     * @returns {boolean} whether the level is another now
     */
    note(milliseconds) {
        if (milliseconds > AWAY) return false;
        const numbers = this.#numbers;
        numbers[SEEN]++;
        if (milliseconds > LONGEST) numbers[LATE]++;
        if (numbers[SEEN] < COUNT) return false;
        const late = numbers[LATE];
        numbers[SEEN] = 0;
        numbers[LATE] = 0;
        if (late > COUNT / 3) {
            // So soon after more was tried: that was too much.
            if (numbers[IN_TIME] < 4 * COUNT && numbers[LEVEL] < DETAILS.length - 1) numbers[WANTED] = Math.min(2 * numbers[WANTED], MOST_PATIENCE);
            numbers[IN_TIME] = 0;
            if (numbers[LEVEL] === DETAILS.length - 1) return false;
            numbers[LEVEL]++;
            return true;
        }
        numbers[IN_TIME] += COUNT;
        if (numbers[LEVEL] === 0 || numbers[IN_TIME] < numbers[WANTED]) return false;
        numbers[IN_TIME] = 0;
        numbers[LEVEL]--;
        return true;
    }
}
