/** Pictures per measurement. */
const COUNT = 30;
/** With more late pictures than MANY, the detail is reduced immediately; with more than FEW, if it happens twice in a row. */
const MANY = COUNT / 3;
const FEW = 3;
/** The usual time per picture in milliseconds, and the factor above which a picture is late. */
const USUAL = 1000 / 60;
const LATER = 1.5;
/** The factor above which the detail is reduced by two levels at once. */
const MUCH_LATER = 2.5;
/** Intervals above this mean that the page was in the background, in milliseconds. */
const AWAY = 500;
/** If pictures at the lowest level still take this share of the time at full detail, drawing is not what takes the time. */
const NO_HELP = 0.85;
/** Pictures in time before more detail is tried again, initially and at most: half a minute and ten minutes. */
const FIRST_WAIT = 1800;
const LONGEST_WAIT = 36_000;

/** Levels of detail: whether to omit glows and fine lines, and the share of the pixel density. */
export const DETAILS = Object.freeze([
    Object.freeze({ isPlain: false, density: 1 }),
    Object.freeze({ isPlain: false, density: 0.75 }),
    Object.freeze({ isPlain: true, density: 0.62 }),
    Object.freeze({ isPlain: true, density: 0.5 }),
]);
const LEAST = DETAILS.length - 1;

/** Indexes in the array of numbers. Numbers in fields would be allocated for each picture. */
const SEEN = 0;
const LATE = 1;
const SUM = 2;
const LEVEL = 3;
const IN_TIME = 4;
const WANTED = 5;
const DOUBTS = 6;
const SCREEN = 7;
const MEAN_OF_ALL = 8;
const TRIED = 9;

/**
 * Adapts the level of detail to the speed of the machine: less if pictures are late, and more again after they have been in time
 * for long. If more then proves too much, the next attempt waits longer. If less does not help, the browser itself limits the
 * frame rate, as some do to save power: then everything is drawn at that rate.
 */
export class Pace {
    #numbers = new Float64Array(10);

    constructor() {
        this.#numbers[WANTED] = FIRST_WAIT;
        this.#numbers[SCREEN] = USUAL;
    }

    /** Index of the current level in `DETAILS`. */
    get level() {
        return this.#numbers[LEVEL];
    }

    /**
     * Records a picture.
     *
     * @param {number} milliseconds since the previous one
     * @returns {boolean} whether the level has changed
     */
    note(milliseconds) {
        if (milliseconds > AWAY) return false;
        const numbers = this.#numbers;
        numbers[SEEN]++;
        numbers[SUM] += milliseconds;
        if (milliseconds > LATER * numbers[SCREEN]) numbers[LATE]++;
        if (numbers[SEEN] < COUNT) return false;
        const level = numbers[LEVEL];
        this.#judge(numbers[LATE], numbers[SUM] / COUNT);
        numbers[SEEN] = numbers[LATE] = numbers[SUM] = 0;
        return numbers[LEVEL] !== level;
    }

    #judge(late, mean) {
        const numbers = this.#numbers;
        if (mean < numbers[SCREEN] / LATER) numbers[SCREEN] = Math.max(mean, USUAL);
        if (late > MANY) this.#less(mean);
        else if (late <= FEW) this.#more();
        else if (numbers[DOUBTS]++ > 0) this.#less(mean);
    }

    #less(mean) {
        const numbers = this.#numbers;
        const level = numbers[LEVEL];
        if (level === LEAST) {
            if (mean < NO_HELP * numbers[MEAN_OF_ALL]) return;
            numbers[SCREEN] = mean;
            numbers[LEVEL] = 0;
        } else {
            if (level === 0) numbers[MEAN_OF_ALL] = mean;
            // Soon after more detail was tried: that was too much.
            if (numbers[TRIED] && numbers[IN_TIME] < 4 * COUNT) numbers[WANTED] = Math.min(2 * numbers[WANTED], LONGEST_WAIT);
            numbers[LEVEL] = Math.min(level + (mean > MUCH_LATER * numbers[SCREEN] ? 2 : 1), LEAST);
        }
        numbers[IN_TIME] = numbers[DOUBTS] = numbers[TRIED] = 0;
    }

    #more() {
        const numbers = this.#numbers;
        numbers[DOUBTS] = 0;
        numbers[IN_TIME] += COUNT;
        if (numbers[LEVEL] === 0 || numbers[IN_TIME] < numbers[WANTED]) return;
        numbers[IN_TIME] = 0;
        numbers[TRIED] = 1;
        numbers[LEVEL]--;
    }
}
