/** Decoded segments that are kept for going back and on, at most: three quarters of a minute. */
const MOST_SEGMENTS = 8;

/** The decoded segments of a track, those used last kept. */
export class DecodedSound {
    /** @param {import('./segment-decoder.js').SegmentDecoder} decoder */
    constructor(decoder) {
        this.decoder = decoder;
        /** Those used last at the end. @type {Map<number, Promise<Float32Array[]>>} */
        this.segments = new Map();
    }

    /**
     * A segment's samples.
     * @param {number} number
     * @param {import('./segment-index.js').SegmentIndex} index
     * @param {import('./track-bytes.js').TrackBytes} bytes
     */
    get(number, index, bytes) {
        const { segments } = this;
        let sound = segments.get(number);
        if (sound) {
            // The last used are the last to go.
            segments.delete(number);
        } else {
            sound = this.decoder.decode(bytes.get(number), index, bytes.segment(number));
            sound.catch(() => segments.delete(number));
        }
        segments.set(number, sound);
        for (const old of segments.keys()) {
            if (segments.size <= MOST_SEGMENTS) break;
            segments.delete(old);
        }
        return sound;
    }

    /** How many are kept. */
    get size() {
        return this.segments.size;
    }

    clear() {
        this.segments.clear();
    }
}
