/**
 * What is to be marked on a track's timeline, in seconds.
 *
 * @typedef {object} TrackMarks
 * @property {Float64Array} beats
 * @property {number | null} cueIn where the music begins, if not at the beginning
 * @property {number | null} cueOut where it ends, if not at the end
 */

/** Less than this from the end of a track nobody sees. */
const NEAR = 0.3;

/**
 * The marks in the host's `/tracks/:id/analysis`.
 *
 * @param {{duration_seconds?: number, beat_seconds?: number[], cue_in_seconds?: number, cue_out_seconds?: number}} analysis
 * @returns {TrackMarks}
 */
export function marksOf(analysis) {
    const duration = analysis.duration_seconds ?? Infinity;
    const { cue_in_seconds: cueIn, cue_out_seconds: cueOut } = analysis;
    return {
        beats: Float64Array.from(analysis.beat_seconds ?? []),
        cueIn: cueIn > NEAR ? cueIn : null,
        cueOut: cueOut < duration - NEAR ? cueOut : null,
    };
}

/**
 * Which beats to show, so that they do not run into each other: all, or every 2nd, 4th, 8th …
 *
 * @param {Float64Array} beats in seconds
 * @param {number} pixelsPerSecond
 * @param {number} least pixels between two of them
 * @returns {number} 1 for all; 0 where there are none to show
 */
export function beatStride(beats, pixelsPerSecond, least = 6) {
    if (beats.length < 2) return 0;
    const spacing = pixelsPerSecond * (beats[beats.length - 1] - beats[0]) / (beats.length - 1);
    if (!(spacing > 0)) return 0;
    let stride = 1;
    while (stride * spacing < least) stride *= 2;
    return stride;
}
