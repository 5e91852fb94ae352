/**
 * @typedef {object} ConvertedSegment a segment made by the host
 * @property {'high' | 'low'} quality
 * @property {number} prerollFrames
 * @property {number} [frames] number of its own frames, if they are not at the positions of the original's
 * @property {number} [skip] decoded samples before its start
 * @property {{rate: number, samplesPerFrame: number}} [coded] its stream, if that is not the original's
 */

/** The downloaded segments of a track, each with the frames of its pre-roll. */
export class TrackBytes {
    /** @param {import('./segment-index.js').SegmentIndex} index */
    constructor(index) {
        this.index = index;
        /** @type {Map<number, Uint8Array>} */
        this.segments = new Map();
        this.byteCount = 0;
        /**
         * The segments that are not the original: their quality, and what their frames have different from the index.
         * @type {Map<number, ConvertedSegment>}
         */
        this.low = new Map();
        /** The segment that is arriving, and which part of it is there, from 0 to 1. @type {{number: number, share: number} | null} */
        this.arriving = null;
        /** Whether the host has a low quality of the track; true until it says otherwise. */
        this.hasLow = true;
    }

    /** Bit rate of the original, in bits per second. */
    get bitsPerSecond() {
        const { segments, duration } = this.index;
        return ((segments[segments.length - 1].endByte - segments[0].firstByte) * 8) / Math.max(duration, 1);
    }

    /** Whether a segment was downloaded in a lower quality. @param {number} number */
    isLow(number) {
        return this.low.has(number);
    }

    /** The quality of a downloaded segment. @param {number} number @returns {'original' | 'high' | 'low'} */
    qualityOf(number) {
        return this.low.get(number)?.quality ?? (this.index.isConverted ? 'high' : 'original');
    }

    /**
     * Returns a segment as in the index, but with the frames of the lower quality if that was downloaded.
     * @param {number} number
     * @returns {import('./segment-index.js').Segment & Partial<ConvertedSegment>}
     */
    segment(number) {
        return { ...this.index.segments[number], ...this.low.get(number) };
    }

    /** @param {number} number */
    has(number) {
        return this.segments.has(number);
    }

    /** @param {number} number */
    get(number) {
        return this.segments.get(number);
    }

    /**
     * Returns the byte range for a run of segments, without the pre-roll of the first one if the segment before it is in memory.
     * @returns {[number, number]} the first byte and the one after the last
     */
    range(from, to) {
        const first = this.index.segments[from];
        return [this.has(from - 1) && !this.isLow(from - 1) ? first.firstByte : first.prerollByte, this.index.segments[to].endByte];
    }

    /**
     * @param {number} number
     * @param {Uint8Array} own its bytes, from its first frame or from its pre-roll
     * @param {Uint8Array} [before] bytes of the original segment before it, if just downloaded
     */
    put(number, own, before = this.isLow(number - 1) ? undefined : this.segments.get(number - 1)) {
        if (this.has(number)) return;
        const segment = this.index.segments[number];
        const missing = segment.endByte - segment.prerollByte - own.length;
        let bytes = own;
        if (missing > 0) {
            if (!before || before.length < missing) return;
            bytes = new Uint8Array(missing + own.length);
            bytes.set(before.subarray(before.length - missing));
            bytes.set(own, missing);
        }
        this.segments.set(number, bytes);
        this.byteCount += bytes.length;
    }

    /**
     * @param {number} number
     * @param {Uint8Array} bytes in a lower quality, with the pre-roll
     * @param {ConvertedSegment} converted
     */
    putLow(number, bytes, converted) {
        if (this.has(number)) return;
        this.segments.set(number, bytes);
        this.low.set(number, converted);
        this.byteCount += bytes.length;
    }

    /** Returns the first missing segment from a number on; the segment count if none is missing. */
    firstMissing(number) {
        let each = number;
        while (each < this.index.segments.length && this.has(each)) each++;
        return each;
    }

    /** Returns the sample up to which the track is buffered without a gap from a sample on. */
    reach(sample) {
        const first = this.index.at(sample).number;
        const missing = this.firstMissing(first);
        return missing === first ? sample : this.index.segments[missing - 1].end;
    }

    /** Returns the samples that are buffered from a sample on, with the part of a segment that is still arriving. */
    arrived(sample) {
        const reach = this.reach(sample);
        const { number, share } = this.arriving ?? { number: -1, share: 0 };
        const segment = this.index.segments[number];
        if (!segment || this.has(number) || reach < segment.start || reach >= segment.end) return reach - sample;
        return Math.max(reach, segment.start + share * (segment.end - segment.start)) - sample;
    }

    /** Buffered ranges in seconds. */
    get stretches() {
        /** @type {number[][]} */
        const stretches = [];
        for (const { number, start, end } of this.index.segments) {
            if (!this.has(number)) continue;
            const [from, to] = [start / this.index.rate, end / this.index.rate];
            const last = stretches.at(-1);
            if (last && last[1] >= from) last[1] = to;
            else stretches.push([from, to]);
        }
        return stretches;
    }

    /**
     * Evicts segments, those farthest from a sample first, until at most `limit` bytes are left.
     * @param {number} limit
     * @param {number} sample
     */
    shrink(limit, sample) {
        if (this.byteCount <= limit) return;
        const here = this.index.at(sample).number;
        // Segments behind the position are evicted before those ahead.
        const distance = (number) => (number < here ? (here - number) * 4 : number - here);
        const numbers = [...this.segments.keys()].sort((one, other) => distance(other) - distance(one));
        for (const number of numbers) {
            if (this.byteCount <= limit || number === here) return;
            this.byteCount -= this.segments.get(number)?.length ?? 0;
            this.segments.delete(number);
            this.low.delete(number);
        }
    }
}
