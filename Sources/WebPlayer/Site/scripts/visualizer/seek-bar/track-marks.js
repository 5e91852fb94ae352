/**
 * Marks on a track's timeline, in seconds.
 *
 * @typedef {object} TrackMarks
 * @property {Float64Array} beats
 * @property {number | null} cueIn where the music starts, if not at the start of the track
 * @property {number | null} cueOut where it ends, if not at the end of the track
 */

/** Cues closer than this to the start or end are not shown, in seconds. */
const NEAR = 0.3;

/**
 * Returns the marks in the host's `/tracks/:id/analysis`.
 *
 * @param {{duration_seconds?: number, beat_seconds?: number[], cue_in_seconds?: number, cue_out_seconds?: number}} analysis
 * @returns {TrackMarks}
 */
export function marksOf(analysis) {
    const duration = analysis.duration_seconds ?? Infinity;
    const { cue_in_seconds: cueIn = 0, cue_out_seconds: cueOut = Infinity } = analysis;
    return {
        beats: Float64Array.from(analysis.beat_seconds ?? []),
        cueIn: cueIn > NEAR ? cueIn : null,
        cueOut: cueOut < duration - NEAR ? cueOut : null,
    };
}

/**
 * Returns the step between the beats to show, so that they do not overlap: all, or every 2nd, 4th, 8th …
 *
 * @param {Float64Array} beats in seconds
 * @param {number} pixelsPerSecond
 * @param {number} least minimum distance in pixels
 * @returns {number} 1 for all; 0 if there are too few beats
 */
export function beatStride(beats, pixelsPerSecond, least = 6) {
    if (beats.length < 2) return 0;
    const spacing = pixelsPerSecond * (beats[beats.length - 1] - beats[0]) / (beats.length - 1);
    if (!(spacing > 0)) return 0;
    let stride = 1;
    while (stride * spacing < least) stride *= 2;
    return stride;
}
