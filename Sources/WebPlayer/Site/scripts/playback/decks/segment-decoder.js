import { measureTrimming } from './decoder-calibration.js';
import { SILENT_FILES } from './silent-files.js';
import { stereoOf } from './stereo-mix.js';
import { fromBase64, joinedBytes } from '../loading/bytes.js';
import { framesOf } from '../loading/mp3-frames.js';
import { PlaybackError } from '../loading/playback-error.js';
import { t } from '../../texts/text.js';

/** The highest sample rate that all browsers can decode at. */
const HIGHEST_RATE = 192_000;

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
    #plays;
    /** Whether the browser decodes a codec. @type {Map<string, Promise<boolean>>} */
    #known;
    /** @type {Map<number, Promise<import('./decoder-calibration.js').Trimming>>} */
    #trimmings;

    /**
     * @param {(bytes: ArrayBuffer, rate: number, channels: number) => Promise<AudioBuffer>} [decode]
     *   the browser's decoder; it may detach the buffer
     * @param {(type: string) => boolean} [plays] whether the browser plays a media type
     */
    constructor(decode = decodeAtRate, plays = playsType) {
        this.#decodeFrames = decode;
        this.#plays = plays;
        this.#trimmings = new Map();
        this.#known = new Map();
    }

    /**
     * Returns whether this browser decodes the original of a track.
     * @param {import('../loading/segment-index.js').SegmentIndex} index
     * @returns {Promise<boolean>}
     */
    async canDecode(index) {
        if (index.coding === 'mp3') return true;
        if (index.rate > HIGHEST_RATE) return false;
        const codec = index.coding === 'flac' ? 'flac' : index.codec;
        let answer = this.#known.get(codec);
        if (!answer) {
            answer = this.#decodes(codec);
            this.#known.set(codec, answer);
        }
        return await answer;
    }

    /** Decodes some silence; of other codecs, the browser is asked. @param {string} codec @returns {Promise<boolean>} */
    async #decodes(codec) {
        const silence = SILENT_FILES[codec];
        if (!silence) return this.#plays(`audio/mp4; codecs="${codec}"`);
        try {
            const { length } = await this.#decodeFrames(fromBase64(silence.file).buffer, silence.rate, 1);
            return silence.length ? length === silence.length : length > 0;
        } catch {
            return false;
        }
    }

    /**
     * @param {Uint8Array} bytes the frames of the pre-roll and of the segment
     * @param {import('../loading/segment-index.js').SegmentIndex} index
     * @param {import('../loading/segment-index.js').Segment & {coded?: {rate: number, samplesPerFrame: number}}} segment
     * @returns {Promise<Float32Array[]>} one array per channel, from the segment's `start` to its `end`
     */
    async decode(bytes, index, segment) {
        const wanted = segment.end - segment.start;
        if (wanted === 0) return Array.from({ length: index.channels }, () => new Float32Array(0));
        if (index.coding !== 'mp3' && !segment.coded) return await this.#decodeStream(bytes, index, segment);
        const coded = segment.coded ?? index;
        // The browser converts the sample rate if the frames have another one than the track.
        const scale = index.rate / coded.rate;
        const perFrame = coded.samplesPerFrame;
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
        // A resampler may drop samples at the end. Frames with a rate of their own need no others, so all of them are decoded.
        const from = scale === 1
            ? decoded.length + tail - (segment.frames + after) * perFrame + segment.skip
            : Math.round(((before + segment.prerollFrames) * perFrame + segment.skip - head) * scale);
        return Array.from(
            { length: index.channels },
            (_, channel) => part(decoded.getChannelData(Math.min(channel, decoded.numberOfChannels - 1)), from, wanted),
        );
    }

    /**
     * Decodes FLAC frames, which need no others, or fragments of MP4 with those of the pre-roll; more than two channels are mixed.
     * The segment's samples are the last ones.
     */
    async #decodeStream(bytes, index, segment) {
        const stream = joinedBytes([index.streamHead, bytes]);
        let decoded;
        try {
            decoded = await this.#decodeFrames(stream.buffer, index.rate, index.fileChannels);
        } catch (error) {
            throw damaged(error);
        }
        const channels = Array.from({ length: decoded.numberOfChannels }, (_, channel) => decoded.getChannelData(channel));
        const from = decoded.length - segment.samples + segment.skip;
        return stereoOf(channels).map((samples) => part(samples, from, segment.end - segment.start));
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
                throw new PlaybackError('decoding', t('This browser cannot decode MP3.'), { canRetry: false, cause: error });
            });
            this.#trimmings.set(samplesPerFrame, trimming);
        }
        return trimming;
    }
}

function damaged(cause) {
    return new PlaybackError('decoding', t('This browser cannot decode the track.'), { canRetry: false, cause });
}

/** Copies a part of the samples; those that lie outside are silent. */
function part(source, from, wanted) {
    const samples = new Float32Array(wanted);
    const first = Math.max(from, 0);
    samples.set(source.subarray(first, Math.max(first, from + wanted)), Math.min(first - from, wanted));
    return samples;
}

/** Concatenates frames into a new buffer, repeating the first one `before` and the last one `after` times. */
function joined(frames, before, after) {
    return joinedBytes([...Array(before).fill(frames[0]), ...frames, ...Array(after).fill(frames.at(-1))]).buffer;
}

/** Whether the browser may play a media type. @param {string} type */
function playsType(type) {
    return new Audio().canPlayType(type) !== '';
}

/** Decodes at a given rate: a context with the file's own rate does not resample. */
function decodeAtRate(bytes, rate, channels) {
    return new OfflineAudioContext(channels, 1, rate).decodeAudioData(bytes);
}
