import { LiveSpectra } from './spectra/live-spectra.js';
import { DynamicGain } from './levels/dynamic-gain.js';
import { PointBinning } from './levels/point-binning.js';
import { drag, flow } from './levels/viscosity.js';

/** @typedef {import('./spectra/track-spectra.js').TrackSpectra} TrackSpectra */

/** Time constant of the trail in seconds. */
const TRAIL = 0.24;
/** Maximum duration of a step in seconds: after a pause, the movement continues instead of jumping. */
const LONGEST_STEP = 0.1;

/**
 * Turns the music at a time into the heights of points, in preallocated arrays.
 *
 * Levels come from the track's spectra, from the audio output if the track has no spectra, or are flat.
 */
export class LevelMeter {
    /** Heights from 0 to 1. */
    levels = new Float32Array(0);
    /** The heights with a delay. */
    trail = new Float32Array(0);
    /** The heights that `levels` approach. */
    targets = new Float32Array(0);
    #gain = new DynamicGain();
    #binning = new PointBinning(64, 8);
    #bands = new Float32Array(64);
    /** @type {TrackSpectra | null} */
    #frames = null;
    /** @type {LiveSpectra | null} */
    /** @type {LiveSpectra | null} */
    #live = null;

    /** Number of points. @param {number} count */
    set pointCount(count) {
        if (count === this.levels.length) return;
        this.levels = new Float32Array(count);
        this.trail = new Float32Array(count);
        this.targets = new Float32Array(count);
        this.#binning = new PointBinning(this.#bands.length, count);
    }

    /** Current source of the levels. @returns {'frames' | 'live' | 'none'} */
    get source() {
        return this.#frames ? 'frames' : this.#live ? 'live' : 'none';
    }

    /** Takes levels from a track's spectra. @param {TrackSpectra} frames */
    useFrames(frames) {
        this.#frames = frames;
        this.#live = null;
        this.#useBands(frames.bandCount);
    }

    /** Takes levels from the audio output. @param {AnalyserNode} analyser */
    useSound(analyser) {
        this.#frames = null;
        const known = this.#live;
        const live = known && known.analyser === analyser ? known : new LiveSpectra(analyser);
        this.#live = live;
        this.#useBands(live.bandCount);
    }

    /** Uses no source; the levels fall to zero. */
    useNothing() {
        this.#frames = null;
        this.#live = null;
        this.#gain.reset();
    }

    /**
     * Advances to a time.
     *
     * @param {number} position in the track, in seconds
     * @param {number} seconds since the last step
     * @param {boolean} isPlaying
     * @param {number} sensitivity from 0 to 1
     * @param {number} viscosity from 0 to 1
     */
    step(position, seconds, isPlaying, sensitivity, viscosity) {
        const time = seconds < LONGEST_STEP ? seconds : LONGEST_STEP;
        if (!isPlaying || (this.#frames === null && this.#live === null)) {
            this.targets.fill(0);
        } else {
            if (this.#frames !== null) this.#frames.copyInto(position, this.#bands);
            else this.#live?.copyInto(this.#bands);
            this.#binning.apply(this.#bands, this.targets);
            this.#gain.apply(this.targets, time, sensitivity);
        }
        flow(this.targets, this.levels, time, viscosity);
        drag(this.levels, this.trail, time, TRAIL);
    }

    /** Shows the mean of the whole track without animation, for users who prefer reduced motion. @param {number} sensitivity */
    still(sensitivity) {
        if (this.#frames === null) {
            this.levels.fill(0);
        } else {
            this.#frames.copyMeanInto(this.#bands);
            this.#binning.apply(this.#bands, this.levels);
            // Long enough for the gain to settle; then scaled down.
            this.#gain.apply(this.levels, 60, sensitivity);
            for (let index = 0; index < this.levels.length; index++) this.levels[index] *= 0.7;
        }
        this.trail.set(this.levels);
    }

    /** Whether all levels have fallen to zero. */
    get isFlat() {
        for (let index = 0; index < this.trail.length; index++) if (this.trail[index] > 0.002) return false;
        return true;
    }

    /** @param {number} count */
    #useBands(count) {
        if (count === this.#bands.length) return;
        this.#bands = new Float32Array(count);
        this.#binning = new PointBinning(count, this.levels.length);
    }
}
