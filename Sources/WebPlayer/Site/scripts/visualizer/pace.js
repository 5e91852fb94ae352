/** Pictures that are looked at together, and how long one may take: two of a screen of 60 Hz are too long. */
const COUNT = 90;
const LONGEST = 25;
/** Longer than this the page was away. */
const AWAY = 500;

/**
 * Whether pictures come as fast as they should: on a slow machine it says so, for less to be drawn.
 */
export class Pace {
    #numbers = new Int32Array(2);

    /**
     * A picture was drawn.
     *
     * @param {number} milliseconds since the one before
     * @returns {boolean} whether most of the last ones were late, told once for them
     */
    isLate(milliseconds) {
        if (milliseconds > AWAY) return false;
        const numbers = this.#numbers;
        numbers[0]++;
        if (milliseconds > LONGEST) numbers[1]++;
        if (numbers[0] < COUNT) return false;
        const isLate = numbers[1] > COUNT / 2;
        numbers.fill(0);
        return isLate;
    }
}
