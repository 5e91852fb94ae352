/** Distances from the bar in pixels, with the scrubbing speed from there on. */
const ZONES = [[150, 0.1], [95, 0.25], [45, 0.5]];

/**
 * Scrubbing with a pointer: the further it is from the bar, the slower the position moves.
 */
export class Scrub {
    #x;
    #secondsPerPixel;
    #duration;
    /** The position in seconds. */
    position;
    /** Speed relative to the pointer; 1 on the bar. */
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
     * Moves the pointer.
     *
     * @param {number} x in the bar, in pixels
     * @param {number} beside distance above or below the bar, in pixels
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
