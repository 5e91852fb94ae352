import { LiveFrames } from './frames/live-frames.js';
import { DynamicGain } from './levels/dynamic-gain.js';
import { PointBinning } from './levels/point-binning.js';
import { drag, flow } from './levels/viscosity.js';

/** @typedef {import('./frames/track-frames.js').TrackFrames} TrackFrames */

/** How far what drags is behind, in seconds. */
const TRAIL = 0.24;
/** A step of the picture is never taken for longer than this: after a pause it goes on, it does not jump. */
const LONGEST_STEP = 0.1;

/**
 * Turns the music of a moment into the heights of the points, in arrays that are made once.
 *
 * Levels come from the track's frames, from the sound itself where there are no frames, or from nowhere (flat).
 */
export class LevelMeter {
    /** Heights from 0 to 1. */
    levels = new Float32Array(0);
    /** The same, dragging behind. */
    trail = new Float32Array(0);
    /** What levels are on their way to. */
    targets = new Float32Array(0);
    #gain = new DynamicGain();
    #binning = new PointBinning(64, 8);
    #bands = new Float32Array(64);
    /** @type {TrackFrames | null} */
    #frames = null;
    /** @type {LiveFrames | null} */
    #live = null;

    /** How many points there are. @param {number} count */
    set pointCount(count) {
        if (count === this.levels.length) return;
        this.levels = new Float32Array(count);
        this.trail = new Float32Array(count);
        this.targets = new Float32Array(count);
        this.#binning = new PointBinning(this.#bands.length, count);
    }

    /** Where levels come from now. @returns {'frames' | 'live' | 'none'} */
    get source() {
        return this.#frames ? 'frames' : this.#live ? 'live' : 'none';
    }

    /** Levels come from a track's frames. @param {TrackFrames} frames */
    useFrames(frames) {
        this.#frames = frames;
        this.#live = null;
        this.#useBands(frames.bandCount);
    }

    /** Levels come from the sound. @param {AnalyserNode} analyser */
    useSound(analyser) {
        this.#frames = null;
        if (this.#live?.analyser !== analyser) this.#live = new LiveFrames(analyser);
        this.#useBands(this.#live.bandCount);
    }

    /** There are no levels; those that are shown sink. */
    useNothing() {
        this.#frames = null;
        this.#live = null;
        this.#gain.reset();
    }

    /**
     * Goes on to a moment.
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
            else this.#live.copyInto(this.#bands);
            this.#binning.apply(this.#bands, this.targets);
            this.#gain.apply(this.targets, time, sensitivity);
        }
        flow(this.targets, this.levels, time, viscosity);
        drag(this.levels, this.trail, time, TRAIL);
    }

    /** Shows the mean of the whole track, at once: for who wants nothing to move. @param {number} sensitivity */
    still(sensitivity) {
        if (this.#frames === null) {
            this.levels.fill(0);
        } else {
            this.#frames.copyMeanInto(this.#bands);
            this.#binning.apply(this.#bands, this.levels);
            // Long enough for the follower to arrive: the mean is lower than what is heard at any time.
            this.#gain.apply(this.levels, 60, sensitivity);
            for (let index = 0; index < this.levels.length; index++) this.levels[index] *= 0.7;
        }
        this.trail.set(this.levels);
    }

    /** Whether everything has come to rest at the bottom. */
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
