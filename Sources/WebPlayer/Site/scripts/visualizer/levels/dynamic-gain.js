/** Seconds in which the follower rises to a louder peak, and falls to a lower one. */
const RISE = 0.08;
const FALL = 7;
/** What the follower does not fall below: −54 dBFS. What is softer than that is not made to look loud. */
const LOWEST_PEAK = 0.4;
/** What counts as silence at any rate: −79 dBFS. */
const LOWEST_BOTTOM = 0.12;
/** Where it begins, before it has heard anything: −27 dBFS. */
const FIRST_PEAK = 0.7;
/** Music loses about 3 dB an octave towards the treble: what the highest of the bands is raised by, on the scale of 90 dB. */
const TILT = 0.22;

/**
 * Fits what is heard into the picture: a peak follower takes the loudest of the last seconds for the top, so that soft passages
 * look alive too and loud ones do not clip.
 */
export class DynamicGain {
    /** The peak, from 0 to 1; in an array, for a number in an object would be made anew each time. */
    #peak = new Float64Array([FIRST_PEAK]);

    /** What counts as the top at the moment, from 0 to 1. */
    get peak() {
        return this.#peak[0];
    }

    /** Forgets what it has heard. */
    reset() {
        this.#peak[0] = FIRST_PEAK;
    }

    /**
     * Follows the peak and scales the levels, in place, to heights from 0 to 1.
     *
     * @param {Float32Array} levels from 0 (−90 dBFS) to 1 (0 dBFS)
     * @param {number} seconds since the last time
     * @param {number} sensitivity from 0 to 1: how far below the peak something is still seen
     */
    apply(levels, seconds, sensitivity) {
        const count = levels.length;
        const tilt = count > 1 ? TILT / (count - 1) : 0;
        let loudest = 0;
        for (let index = 0; index < count; index++) {
            // What is at the floor stays there.
            if (levels[index] > 0) levels[index] += tilt * index * Math.min(1, levels[index] * 4);
            if (levels[index] > loudest) loudest = levels[index];
        }
        const before = this.#peak[0];
        const wanted = Math.max(loudest, LOWEST_PEAK);
        const peak = before + (wanted - before) * (1 - Math.exp(-seconds / (wanted > before ? RISE : FALL)));
        this.#peak[0] = peak;
        // 20 to 50 dB below the peak.
        const bottom = Math.max(peak - (20 + 30 * sensitivity) / 90, LOWEST_BOTTOM);
        const power = 1.7 - 0.6 * sensitivity;
        for (let index = 0; index < count; index++) {
            const height = (levels[index] - bottom) / (peak - bottom);
            levels[index] = height <= 0 ? 0 : height >= 1 ? 1 : height ** power;
        }
    }
}
