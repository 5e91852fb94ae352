/** Time constants of the peak follower in seconds, for rising and falling peaks. */
const RISE = 0.08;
const FALL = 7;
/** Minimum of the peak: −54 dBFS. Quieter passages are not made to look loud. */
const LOWEST_PEAK = 0.4;
/** Minimum of the visible range: −79 dBFS. */
const LOWEST_BOTTOM = 0.12;
/** Initial peak: −27 dBFS. */
const FIRST_PEAK = 0.7;
/** Music loses about 3 dB per octave towards the treble: boost of the highest band, on the scale of 90 dB. */
const TILT = 0.22;

/**
 * Scales levels to the height of the picture. A peak follower uses the loudest level of the last seconds as the top, so that quiet
 * passages are lively and loud ones do not clip.
 */
export class DynamicGain {
    /** The peak, from 0 to 1; in a typed array, because a number in an object would be allocated each time it changes. */
    #peak = new Float64Array([FIRST_PEAK]);

    /** The level that maps to the top, from 0 to 1. */
    get peak() {
        return this.#peak[0];
    }

    /** Resets the peak. */
    reset() {
        this.#peak[0] = FIRST_PEAK;
    }

    /**
     * Follows the peak and scales the levels in place to heights from 0 to 1.
     *
     * @param {Float32Array} levels from 0 (−90 dBFS) to 1 (0 dBFS)
     * @param {number} seconds since the last call
     * @param {number} sensitivity from 0 to 1: how far below the peak levels are still visible
     */
    apply(levels, seconds, sensitivity) {
        const count = levels.length;
        const tilt = count > 1 ? TILT / (count - 1) : 0;
        let loudest = 0;
        for (let index = 0; index < count; index++) {
            // Levels at the floor stay there.
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
