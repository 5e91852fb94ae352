import { joinedBytes, withoutTag } from '../loading/bytes.js';
import { framesOf } from '../loading/mp3-frames.js';
import { PlaybackError } from '../loading/playback-error.js';
import { t } from '../../texts/text.js';

/** Frames before a segment that its decoder needs: the longest bit reservoir, and the overlap of the windows. */
const PREROLL = 10;

/**
 * Returns the frames of a segment's file.
 * @param {Uint8Array} bytes an ID3 tag, then whole frames
 * @param {import('./station-timeline.js').StationSegment} segment
 */
export function stationFrames(bytes, segment) {
    const frames = withoutTag(bytes);
    return segment.format === 'mp3' ? framesOf(frames, segment.frame_count) : adtsFrames(frames);
}

/** Returns the frames of an Audio Data Transport Stream (ISO/IEC 13818-7 §6.2). @param {Uint8Array} bytes */
function adtsFrames(bytes) {
    const frames = [];
    let at = 0;
    while (at + 7 <= bytes.length) {
        const length = ((bytes[at + 3] & 3) << 11) | (bytes[at + 4] << 3) | (bytes[at + 5] >> 5);
        if (bytes[at] !== 0xff || length < 7 || at + length > bytes.length) break;
        frames.push(bytes.subarray(at, at + length));
        at += length;
    }
    return frames;
}

/** Decodes segments of stations so that they join without a gap. */
export class StationDecoder {
    #decoder;
    /** The last frames of the segment that was decoded last. */
    #last = /** @type {{number: number, frames: Uint8Array[]} | null} */ (null);

    /** @param {import('../decks/segment-decoder.js').SegmentDecoder} decoder */
    constructor(decoder) {
        this.#decoder = decoder;
    }

    /**
     * Decodes a segment at a sample rate.
     * @param {Uint8Array} bytes its file
     * @param {import('./station-timeline.js').StationSegment} segment
     * @param {number} rate
     * @returns {Promise<Float32Array[]>} one array per channel
     */
    async decode(bytes, segment, rate) {
        const frames = stationFrames(bytes, segment);
        if (!frames.length) throw new PlaybackError('decoding', t('The station’s audio is damaged.'), { canRetry: false });
        const last = this.#last;
        const preroll = last?.number === segment.number - 1 && !segment.is_discontinuity ? last.frames : [];
        this.#last = { number: segment.number, frames: frames.slice(-PREROLL) };
        const wanted = Math.round((frames.length * segment.samples_per_frame * rate) / segment.sample_rate_hz);
        const all = joinedBytes([...preroll, ...frames]);
        if (segment.format === 'aac') return await decodeAAC(all, wanted, rate);
        return await this.#decoder.decode(
            all,
            /** @type {any} */ ({ coding: 'mp3', rate, channels: Math.min(segment.channels, 2) }),
            /** @type {any} */ ({
                prerollFrames: preroll.length,
                frames: frames.length,
                skip: 0,
                start: 0,
                end: wanted,
                coded: { rate: segment.sample_rate_hz, samplesPerFrame: segment.samples_per_frame },
            }),
        );
    }
}

/** Decodes AAC; the segment's samples are the last ones. The browser finds out the channels and the rate. */
async function decodeAAC(bytes, wanted, rate) {
    let decoded;
    try {
        decoded = await new OfflineAudioContext(2, 1, rate).decodeAudioData(bytes.buffer);
    } catch (cause) {
        throw new PlaybackError('decoding', t('This browser cannot decode the station’s audio.'), { canRetry: false, cause });
    }
    const from = Math.max(0, decoded.length - wanted);
    return Array.from({ length: Math.min(decoded.numberOfChannels, 2) }, (_, channel) => {
        const samples = new Float32Array(wanted);
        samples.set(decoded.getChannelData(channel).subarray(from, from + wanted));
        return samples;
    });
}
