import { measureTrimming } from './decoder-calibration.js';
import { framesOf } from '../loading/mp3-frames.js';
import { PlaybackError } from '../loading/playback-error.js';

/**
 * Decodes segments with the browser's decoder, at the file's sample rate, to exactly the samples that decoding the whole file
 * would yield.
 *
 * The pre-roll fills the bit reservoir and the overlap of the filter bank; its output is dropped. The samples that the browser
 * removes at either end are measured and compensated by repeating the outermost frames. The cut is counted from the end, so that
 * it also holds for decoders that output nothing for frames whose reservoir is missing.
 */
export class SegmentDecoder {
    #decodeFrames;
    /** @type {Map<number, Promise<import('./decoder-calibration.js').Trimming>>} */
    #trimmings;

    /**
     * @param {(bytes: ArrayBuffer, rate: number, channels: number) => Promise<AudioBuffer>} [decode]
     *   the browser's decoder; it may detach the buffer
     */
    constructor(decode = decodeAtRate) {
        this.#decodeFrames = decode;
        this.#trimmings = new Map();
    }

    /**
     * @param {Uint8Array} bytes the frames of the pre-roll and of the segment
     * @param {import('../loading/segment-index.js').SegmentIndex} index
     * @param {import('../loading/segment-index.js').Segment} segment
     * @returns {Promise<Float32Array[]>} one array per channel, from the segment's `start` to its `end`
     */
    async decode(bytes, index, segment) {
        const wanted = segment.end - segment.start;
        if (wanted === 0) return Array.from({ length: index.channels }, () => new Float32Array(0));
        const perFrame = index.samplesPerFrame;
        const { head, tail } = await this.trimming(perFrame);
        const frames = framesOf(bytes, segment.prerollFrames + segment.frames);
        if (frames.length === 0) throw damaged();
        // Some browsers cannot decode a single frame, so an empty pre-roll gets a copy too.
        const before = Math.max(Math.ceil(head / perFrame) - segment.prerollFrames, frames.length < 2 ? 1 : 0, 0);
        const after = Math.ceil(Math.max(tail, 0) / perFrame);
        let decoded;
        try {
            decoded = await this.#decodeFrames(joined(frames, before, after), index.rate, index.channels);
        } catch (error) {
            throw damaged(error);
        }
        const from = decoded.length + tail - (segment.frames + after) * perFrame + segment.skip;
        return Array.from({ length: index.channels }, (_, channel) => {
            const samples = new Float32Array(wanted);
            const source = decoded.getChannelData(Math.min(channel, decoded.numberOfChannels - 1));
            const first = Math.max(from, 0);
            samples.set(source.subarray(first, Math.max(first, from + wanted)), Math.min(first - from, wanted));
            return samples;
        });
    }

    /**
     * Returns how many samples this browser removes, measured once per frame size.
     * @param {number} samplesPerFrame
     */
    trimming(samplesPerFrame) {
        let trimming = this.#trimmings.get(samplesPerFrame);
        if (!trimming) {
            trimming = measureTrimming(this.#decodeFrames, samplesPerFrame).catch((error) => {
                this.#trimmings.delete(samplesPerFrame);
                throw new PlaybackError('decoding', 'This browser cannot decode MP3.', { canRetry: false, cause: error });
            });
            this.#trimmings.set(samplesPerFrame, trimming);
        }
        return trimming;
    }
}

function damaged(cause) {
    return new PlaybackError('decoding', 'This browser cannot decode the track.', { canRetry: false, cause });
}

/** Concatenates frames into a new buffer, repeating the first one `before` and the last one `after` times. */
function joined(frames, before, after) {
    const all = [...Array(before).fill(frames[0]), ...frames, ...Array(after).fill(frames.at(-1))];
    const bytes = new Uint8Array(all.reduce((sum, frame) => sum + frame.length, 0));
    let offset = 0;
    for (const frame of all) {
        bytes.set(frame, offset);
        offset += frame.length;
    }
    return bytes.buffer;
}

/** Decodes at a given rate: a context with the file's own rate does not resample. */
function decodeAtRate(bytes, rate, channels) {
    return new OfflineAudioContext(channels, 1, rate).decodeAudioData(bytes);
}
