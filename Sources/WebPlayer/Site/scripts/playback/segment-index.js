import { PlaybackError } from './playback-error.js';

/** What a decoder of MPEG audio itself adds before the first sample of the encoder's input (as LAME's documents count it). */
const DECODER_DELAY = 529;

/**
 * Where a track's segments lie in its file, and which samples of each are music: `GET /tracks/:id/segments.json` read.
 *
 * Samples are counted from the first one a gapless player plays: the encoder's delay and padding are left away.
 *
 * @typedef {object} Segment
 * @property {number} number from 0
 * @property {number} start its first sample that is music
 * @property {number} end the sample after its last one
 * @property {number} skip decoded samples of it before `start`: the encoder's delay, in the first segment
 * @property {number} prerollFrames frames before it that the decoder must be fed
 * @property {number} frames its own frames
 * @property {number} prerollByte offset in the file of the first frame of the pre-roll
 * @property {number} firstByte offset in the file of its own first frame
 * @property {number} endByte offset in the file of the end of its last frame
 */
export class SegmentIndex {
    /** @param {any} json the host's answer */
    constructor(json) {
        const whole = (value) => {
            if (!Number.isSafeInteger(value) || value < 0) throw PlaybackError.badAnswer('the list of segments');
            return value;
        };
        /** Samples a second. */
        this.rate = whole(json?.sample_rate_hz);
        this.channels = whole(json.channels);
        this.samplesPerFrame = whole(json.samples_per_frame);
        /** Samples of music. */
        this.length = whole(json.sample_count);
        this.audioHash = String(json.audio_hash ?? '');
        if (!this.rate || !this.samplesPerFrame || !this.channels || this.channels > 2 || !Array.isArray(json.segments)) {
            throw PlaybackError.badAnswer('the list of segments');
        }
        const trimmed = whole(json.decoded_sample_count) - this.length;
        const lead = trimmed > 0 ? Math.min(whole(json.encoder_delay_samples) + DECODER_DELAY, trimmed) : 0;
        /** @type {Segment[]} */
        this.segments = [];
        for (const each of json.segments) {
            const from = whole(each.start_sample) - lead;
            const start = Math.min(Math.max(from, 0), this.length);
            const end = Math.min(Math.max(from + whole(each.sample_count), start), this.length);
            this.segments.push({
                number: this.segments.length, start, end, skip: start - from,
                prerollFrames: whole(each.preroll_frames), frames: whole(each.frame_count),
                prerollByte: whole(each.preroll_byte_offset), firstByte: whole(each.byte_offset),
                endByte: whole(each.byte_offset) + whole(each.byte_length),
            });
        }
        if (this.segments.length === 0) throw PlaybackError.badAnswer('the list of segments');
    }

    /** Length in seconds. */
    get duration() {
        return this.length / this.rate;
    }

    /**
     * The segment that holds a sample; the last one beyond the end.
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
