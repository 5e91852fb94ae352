/** Maximum number of decoded segments in the cache: about 45 seconds. */
const MOST_SEGMENTS = 8;

/** A cache of a track's decoded segments that evicts the least recently used. */
export class DecodedSound {
    /** @param {import('./segment-decoder.js').SegmentDecoder} decoder */
    constructor(decoder) {
        this.decoder = decoder;
        /** Least recently used first. @type {Map<number, Promise<Float32Array[]>>} */
        this.segments = new Map();
    }

    /**
     * Returns the samples of a segment, decoding it if necessary.
     * @param {number} number
     * @param {import('../loading/segment-index.js').SegmentIndex} index
     * @param {import('../loading/track-bytes.js').TrackBytes} bytes
     */
    get(number, index, bytes) {
        const { segments } = this;
        let sound = segments.get(number);
        if (sound) {
            // Reinserted below as the most recently used.
            segments.delete(number);
        } else {
            sound = this.decoder.decode(/** @type {Uint8Array} */ (bytes.get(number)), index, bytes.segment(number));
            sound.catch(() => segments.delete(number));
        }
        segments.set(number, sound);
        for (const old of segments.keys()) {
            if (segments.size <= MOST_SEGMENTS) break;
            segments.delete(old);
        }
        return sound;
    }

    /** Number of cached segments. */
    get size() {
        return this.segments.size;
    }

    clear() {
        this.segments.clear();
    }
}
