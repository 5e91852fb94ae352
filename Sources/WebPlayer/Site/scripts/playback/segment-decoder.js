import { measureTrimming } from './decoder-calibration.js';
import { framesOf } from './mp3-frames.js';
import { PlaybackError } from './playback-error.js';

/**
 * Decodes segments by the browser's own decoder, at the file's sample rate, to exactly the samples a decode of the whole
 * file has there.
 *
 * The pre-roll fills the bit reservoir and the overlap of the filter bank; what comes of it is dropped. What the browser
 * leaves away at either end by itself is measured, and given to it in copies of the outermost frames. The cut is
 * counted from the end, so that it also holds for decoders that say nothing of frames whose reservoir is missing.
 */
export class SegmentDecoder {
    /**
     * @param {(bytes: ArrayBuffer, rate: number, channels: number) => Promise<AudioBuffer>} [decode]
     *   the browser's decoder; it may take the buffer away
     */
    constructor(decode = decodeAtRate) {
        this.decodeFrames = decode;
        /** @type {Map<number, Promise<import('./decoder-calibration.js').Trimming>>} */
        this.trimmings = new Map();
    }

    /**
     * @param {Uint8Array} bytes the frames of pre-roll and of the segment
     * @param {import('./segment-index.js').SegmentIndex} index
     * @param {import('./segment-index.js').Segment} segment
     * @returns {Promise<Float32Array[]>} a channel each, from the segment's `start` to its `end`
     */
    async decode(bytes, index, segment) {
        const wanted = segment.end - segment.start;
        if (wanted === 0) return Array.from({ length: index.channels }, () => new Float32Array(0));
        const perFrame = index.samplesPerFrame;
        const { head, tail } = await this.trimming(perFrame);
        const frames = framesOf(bytes, segment.prerollFrames + segment.frames);
        if (frames.length === 0) throw damaged();
        // One frame alone is no stream to some browsers, so a pre-roll of none gets a copy, too.
        const before = Math.max(Math.ceil(head / perFrame) - segment.prerollFrames, frames.length < 2 ? 1 : 0, 0);
        const after = Math.ceil(Math.max(tail, 0) / perFrame);
        let decoded;
        try {
            decoded = await this.decodeFrames(joined(frames, before, after), index.rate, index.channels);
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
     * What this browser leaves away, measured once for each kind of stream.
     * @param {number} samplesPerFrame
     */
    trimming(samplesPerFrame) {
        let trimming = this.trimmings.get(samplesPerFrame);
        if (!trimming) {
            trimming = measureTrimming(this.decodeFrames, samplesPerFrame).catch((error) => {
                this.trimmings.delete(samplesPerFrame);
                throw new PlaybackError('decoding', 'This browser cannot decode MP3.', { canRetry: false, cause: error });
            });
            this.trimmings.set(samplesPerFrame, trimming);
        }
        return trimming;
    }
}

function damaged(cause) {
    return new PlaybackError('decoding', 'This browser cannot decode the track.', { canRetry: false, cause });
}

/** Frames one after the other in a buffer of their own, the first and the last so many times more. */
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

/** Decodes at a rate: a context of the file's own rate does not resample. */
function decodeAtRate(bytes, rate, channels) {
    return new OfflineAudioContext(channels, 1, rate).decodeAudioData(bytes);
}
