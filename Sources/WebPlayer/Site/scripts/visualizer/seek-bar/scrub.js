/** From how many pixels beside the bar the position moves how fast. */
const ZONES = [[150, 0.1], [95, 0.25], [45, 0.5]];

/**
 * A scrub with a pointer: the further it is beside the bar, the finer it moves the position.
 */
export class Scrub {
    #x;
    #secondsPerPixel;
    #duration;
    /** Where the scrub has come to, in seconds. */
    position;
    /** How fast it moves: 1 as the pointer does. */
    speed = 1;

    /**
     * @param {number} x of the pointer in the bar, in pixels
     * @param {number} width of the bar, in pixels
     * @param {number} duration in seconds
     */
    constructor(x, width, duration) {
        this.#x = x;
        this.#secondsPerPixel = duration / width;
        this.#duration = duration;
        this.position = this.#within(x * this.#secondsPerPixel);
    }

    /**
     * The pointer has moved.
     *
     * @param {number} x in the bar, in pixels
     * @param {number} beside how far above or below the bar it is, in pixels
     */
    move(x, beside) {
        this.speed = ZONES.find(([distance]) => beside >= distance)?.[1] ?? 1;
        const moved = x - this.#x;
        this.#x = x;
        this.position = this.#within(this.position + moved * this.#secondsPerPixel * this.speed);
    }

    /** @param {number} position */
    #within(position) {
        return Math.min(this.#duration, Math.max(0, position));
    }
}
