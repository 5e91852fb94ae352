import { fromBase64 } from './bytes.js';
import { PlaybackError } from './playback-error.js';
import { t } from '../../texts/text.js';

/** How frames follow each other in a file, by format: MP3 and FLAC frames alone, others in fragmented MP4. @type {Record<string, 'mp3' | 'flac'>} */
const BARE = { mp3: 'mp3', flac: 'flac' };
/** Samples that an MPEG audio decoder adds before the first sample of the encoder's input (as counted in LAME's documentation). */
const DECODER_DELAY = 529;

/**
 * The positions of a track's segments in a file and in its audio, parsed from `GET /tracks/:id/segments.json`.
 *
 * Samples are counted from the first one that a gapless player plays, without the encoder's delay and padding.
 *
 * @typedef {object} Segment
 * @property {number} number from 0
 * @property {number} start its first audible sample
 * @property {number} end the sample after its last one
 * @property {number} skip decoded samples before `start`: the encoder's delay, in the first segment of an MP3 file
 * @property {number} prerollFrames frames before it that the decoder needs
 * @property {number} frames number of its own frames
 * @property {number} samples number of samples that they decode to
 * @property {number} prerollByte file offset of the first pre-roll frame
 * @property {number} firstByte file offset of its own first frame
 * @property {number} endByte file offset of the end of its last frame
 */
export class SegmentIndex {
    /** @type {string | null} path of the file that the positions are in; null for the original */
    #path;

    /** @param {any} json response of the host */
    constructor(json) {
        const whole = (value) => {
            if (!Number.isSafeInteger(value) || value < 0) throw PlaybackError.badAnswer(t('the list of segments'));
            return value;
        };
        /** Samples per second. */
        this.rate = whole(json?.sample_rate_hz);
        this.fileChannels = whole(json.channels);
        /** Number of channels that are played: more than two are mixed. */
        this.channels = Math.min(this.fileChannels, 2);
        /** Form of a segment: frames, or fragments of an MP4 file. @type {'mp3' | 'flac' | 'mp4'} */
        this.coding = BARE[json.format] ?? 'mp4';
        /** The codec as media types name it, of fragments. */
        this.codec = String(json.codec ?? '');
        this.#path = json.file_url ? String(json.file_url) : null;
        this.samplesPerFrame = whole(json.samples_per_frame);
        /** Length in samples, without delay and padding. */
        this.length = whole(json.sample_count);
        this.audioHash = String(json.audio_hash ?? '');
        /** Whether the segments are MP3 made from another format, so that the original has other ones. */
        this.isConverted = json.is_converted === true;
        if (!this.rate || !this.samplesPerFrame || !this.channels || !Array.isArray(json.segments)) {
            throw PlaybackError.badAnswer(t('the list of segments'));
        }
        /** The bytes that a decoder needs before any segment. */
        this.streamHead = this.coding === 'mp3' ? new Uint8Array() : headOf(json.stream_head);
        /** The MP3 stream that the host makes from a file of another format; null for MP3. */
        this.converted = json.converted
            ? {
                rate: whole(json.converted.sample_rate_hz),
                samplesPerFrame: whole(json.converted.samples_per_frame),
                frameCount: whole(json.converted.frame_count),
                lead: whole(json.converted.lead_samples),
                segmentFrames: Math.max(whole(json.converted.segment_frames), 1),
            }
            : null;
        const trimmed = whole(json.decoded_sample_count) - this.length;
        const delay = whole(json.encoder_delay_samples) + (this.coding === 'mp3' ? DECODER_DELAY : 0);
        const lead = Math.max(0, Math.min(delay, trimmed));
        /** @type {Segment[]} */
        this.segments = [];
        for (const each of json.segments) {
            const from = whole(each.start_sample) - lead;
            const start = Math.min(Math.max(from, 0), this.length);
            const end = Math.min(Math.max(from + whole(each.sample_count), start), this.length);
            this.segments.push({
                number: this.segments.length,
                start,
                end,
                skip: start - from,
                prerollFrames: whole(each.preroll_frames),
                frames: whole(each.frame_count),
                samples: whole(each.sample_count),
                prerollByte: whole(each.preroll_byte_offset),
                firstByte: whole(each.byte_offset),
                endByte: whole(each.byte_offset) + whole(each.byte_length),
            });
        }
        if (this.segments.length === 0) throw PlaybackError.badAnswer(t('the list of segments'));
    }

    /** Whether the positions are in a file. */
    get isOfFile() {
        return !this.isConverted || this.#path !== null;
    }

    /**
     * Returns the path of the file that the positions are in, with the audio and its place in the file: the host returns 404 rather than
     * other bytes if either has changed.
     * @param {number} trackId
     */
    fileAddress(trackId) {
        if (this.#path) return `${this.#path}${this.#path.includes('?') ? '&' : '?'}v=${this.audioHash}`;
        return `/api/files/${trackId}/stream?v=${this.audioHash}&first_byte=${this.segments[0].firstByte}`;
    }

    /**
     * Moves all file offsets to those of another index, after the tags before the audio have changed their size.
     * @param {SegmentIndex} other
     * @returns {boolean} whether it is the same audio at another place
     */
    moveTo(other) {
        const shift = other.segments[0].firstByte - this.segments[0].firstByte;
        if (other.audioHash !== this.audioHash || shift === 0) return false;
        for (const each of this.segments) {
            each.prerollByte += shift;
            each.firstByte += shift;
            each.endByte += shift;
        }
        return true;
    }

    /**
     * Returns the frames of the converted MP3 stream that contain a segment, and one more at each end for the overlap of the decoder.
     * @param {number} number
     * @returns {{first: number, end: number, skip: number}} the first frame, the one after the last, and the samples before the
     *     segment's start
     */
    convertedFrames(number) {
        if (!this.converted) throw PlaybackError.badAnswer(t('the list of segments'));
        const { rate, samplesPerFrame, frameCount, lead } = this.converted;
        const { start, end } = this.segments[number];
        const place = (sample) => lead + (sample * rate) / this.rate;
        const first = Math.max(Math.floor(place(start) / samplesPerFrame) - 1, 0);
        const last = Math.min(Math.ceil(place(end) / samplesPerFrame) + 1, frameCount);
        return { first, end: last, skip: place(start) - first * samplesPerFrame };
    }

    /** Duration in seconds. */
    get duration() {
        return this.length / this.rate;
    }

    /**
     * Returns the segment that contains a sample; beyond the end, the last one.
     * @param {number} sample
     * @returns {Segment}
     */
    at(sample) {
        let low = 0;
        let high = this.segments.length - 1;
        while (low < high) {
            const middle = (low + high) >> 1;
            if (this.segments[middle].end > sample) high = middle;
            else low = middle + 1;
        }
        return this.segments[low];
    }
}

/** @param {unknown} text the bytes in Base64 */
function headOf(text) {
    try {
        return fromBase64(String(text));
    } catch {
        throw PlaybackError.badAnswer(t('the list of segments'));
    }
}
