/** Pictures that are looked at together. */
const COUNT = 30;
/** Of so many: more late ones ask for less at once, more than a few when it happens twice in a row. */
const MANY = COUNT / 3;
const FEW = 3;
/** A screen's time for a picture, in milliseconds, and by how much longer one takes that is late. */
const USUAL = 1000 / 60;
const LATER = 1.5;
/** The same for pictures that are so late that two steps are taken at once. */
const MUCH_LATER = 2.5;
/** Longer than this the page was away. */
const AWAY = 500;
/** Where pictures still take this share of the time that they took with all drawn, it is not the drawing that takes it. */
const NO_HELP = 0.85;
/** Pictures in time after which more is tried again, at first and at most: half a minute and ten. */
const PATIENCE = 1800;
const MOST_PATIENCE = 36_000;

/** How much is drawn, from all to little: whether with glows and fine lines, and which share of the pixels' density. */
export const DETAILS = Object.freeze([
    Object.freeze({ isPlain: false, density: 1 }), Object.freeze({ isPlain: false, density: 0.75 }),
    Object.freeze({ isPlain: true, density: 0.62 }), Object.freeze({ isPlain: true, density: 0.5 }),
]);
const LEAST = DETAILS.length - 1;

/** Places in the array of numbers: numbers in fields of their own would be made anew for a picture. */
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
 * Finds how much can be drawn in time: less where pictures come late, and more again where they have come in time for long. Where
 * more then proves too much, it is not tried again for a longer time. Where less does not help, it is the browser that wants fewer
 * pictures, as some do to save power: then all is drawn at the pace that there is.
 */
export class Pace {
    #numbers = new Float64Array(10);

    constructor() {
        this.#numbers[WANTED] = PATIENCE;
        this.#numbers[SCREEN] = USUAL;
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
            // So soon after more was tried: that was too much.
            if (numbers[TRIED] && numbers[IN_TIME] < 4 * COUNT) numbers[WANTED] = Math.min(2 * numbers[WANTED], MOST_PATIENCE);
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
