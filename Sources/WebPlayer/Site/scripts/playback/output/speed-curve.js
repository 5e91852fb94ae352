/**
 * The speed of a track that is mixed in: constant over the overlap, then back to 1, linearly in time.
 *
 * @typedef {object} SpeedCurve
 * @property {number} entry position at which the track is entered, in seconds
 * @property {number} ratio speed during the overlap
 * @property {number} overlap duration of the overlap in seconds
 * @property {number} back duration of the return to the track's own speed in seconds
 */

/** Returns the curve of a host's plan with a mix. @param {any} plan @returns {SpeedCurve} */
export function speedCurveOf({ cue_in_seconds: entry, overlap_seconds: overlap, mix }) {
    const { ratio, return_start_seconds: from, return_end_seconds: to } = mix;
    return { entry, ratio, overlap, back: Math.max(0, to - from) / ((ratio + 1) / 2) };
}

/** Returns the position in the track a time after the start of the mix, in seconds. @param {SpeedCurve} curve @param {number} time */
export function positionOn({ entry, ratio, overlap, back }, time) {
    if (time <= overlap) return entry + ratio * time;
    const end = entry + ratio * overlap;
    const passed = time - overlap;
    if (passed <= back) return end + ratio * passed + ((1 - ratio) * passed * passed) / (2 * back);
    return end + (back * (ratio + 1)) / 2 + passed - back;
}

/** Returns the time after the start of the mix at which the track has its own speed again, in seconds. @param {SpeedCurve} curve */
export function endOf({ overlap, back }) {
    return overlap + back;
}
