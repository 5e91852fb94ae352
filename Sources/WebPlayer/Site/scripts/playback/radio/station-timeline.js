/**
 * A segment as `GET /stations/:id/timeline` describes it.
 *
 * @typedef {object} StationSegment
 * @property {number} number
 * @property {number} start_ms
 * @property {number} duration_seconds
 * @property {'mp3' | 'aac'} format
 * @property {number} frame_count
 * @property {number} samples_per_frame
 * @property {number} sample_rate_hz
 * @property {number} channels
 * @property {boolean} is_discontinuity
 */

/** The last hour of a station: its segments and titles. Times are milliseconds since 1970. */
export class StationTimeline {
    /** @type {StationSegment[]} */
    segments = [];
    /** @type {{start_ms: number, text: string}[]} */
    titles = [];

    /** Adds an answer of the host, which contains the segments after the last known one. @param {any} answer */
    add(answer) {
        const last = this.segments.at(-1)?.number ?? 0;
        this.segments.push(...answer.segments.filter((segment) => segment.number > last));
        const first = answer.first_number ?? Infinity;
        const gone = this.segments.findIndex((segment) => segment.number >= first);
        this.segments.splice(0, gone < 0 ? this.segments.length : gone);
        this.titles = answer.titles;
    }

    /** Number of the last segment; undefined without any. */
    get lastNumber() {
        return this.segments.at(-1)?.number;
    }

    get start() {
        return this.segments[0]?.start_ms ?? 0;
    }

    get end() {
        const last = this.segments.at(-1);
        return last ? endOf(last) : 0;
    }

    /** Seconds of audio that is kept. */
    get seconds() {
        return this.segments.reduce((sum, segment) => sum + segment.duration_seconds, 0);
    }

    /** @param {number} number @returns {StationSegment | undefined} */
    segment(number) {
        const first = this.segments[0]?.number ?? 0;
        return this.segments[number - first];
    }

    /** Returns the segment at a time, or the next one after it; undefined after the end. @param {number} time */
    at(time) {
        return this.segments.find((segment) => endOf(segment) > time);
    }

    /** Returns the title at a time; empty without one. @param {number} time */
    titleAt(time) {
        return this.titles.filter((title) => title.start_ms <= time).at(-1)?.text ?? '';
    }

    /** Returns the time that is so many seconds of audio before the end. @param {number} seconds */
    beforeEnd(seconds) {
        let rest = seconds;
        for (const segment of [...this.segments].reverse()) {
            if (segment.duration_seconds >= rest) return endOf(segment) - rest * 1000;
            rest -= segment.duration_seconds;
        }
        return this.start;
    }
}

/** @param {StationSegment} segment */
export function endOf(segment) {
    return segment.start_ms + segment.duration_seconds * 1000;
}
