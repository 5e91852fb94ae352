import { DeckVoice } from './deck-voice.js';
import { DecodedSound } from './decoded-sound.js';
import { gcd } from './resampler.js';
import { TrackBytes } from './track-bytes.js';

/** Samples around a joint that a resampler of the neighbouring track wants. */
const JOINT_SAMPLES = 256;
/** The most sound that goes to the worker at once, in seconds: small, so that the first of it is back soon. */
const CHAIN_SECONDS = 1;

/**
 * One track on its way to the ear: decoded, brought to the context's rate and to the speed, and scheduled on exact
 * sample times.
 *
 * Times in the context are whole samples (`when`), places in the track samples of its music at its own rate.
 *
 * @typedef {object} Stretch a part of the timeline: from `when` on the track is heard from `sample`, by `step` a sample
 * @property {number} when
 * @property {number} sample
 * @property {number} step
 */
export class Deck {
    /**
     * @param {object} parts
     * @param {import('./play-queue.js').QueueItem} parts.item
     * @param {BaseAudioContext} parts.context
     * @param {AudioNode} parts.output
     * @param {import('./sound-processor.js').SoundProcessor} parts.processor
     * @param {import('./segment-decoder.js').SegmentDecoder} parts.decoder
     */
    constructor({ item, context, output, processor, decoder }) {
        Object.assign(this, { item, context, processor });
        this.track = item.track;
        this.voice = new DeckVoice(context, output);
        this.decoded = new DecodedSound(decoder);
        /** @type {import('./segment-index.js').SegmentIndex | null} */
        this.index = null;
        /** @type {TrackBytes | null} */
        this.bytes = null;
        /** @type {Stretch[]} */
        this.timeline = [];
        /** Another one with each start and end: what was made for an older one is given up. */
        this.epoch = 0;
        /** Where it is entered and left, in samples. */
        this.entry = 0;
        this.exit = 0;
        this.nextWhen = 0;
        this.nextSample = 0;
        this.isBegun = false;
        this.isDone = false;
        this.speed = 1;
        /** The end of what was scheduled, for a resampler that goes on with the next track. @type {Float32Array[] | null} */
        this.lastSamples = null;
        /** Units of 1/up sample that the first output after the end lies beyond it. */
        this.carry = 0;
        /** @type {(() => Promise<Float32Array[] | undefined>) | null} */
        this.following = null;
        /** @type {import('./playback-error.js').PlaybackError | null} */
        this.failure = null;
    }

    /** @param {import('./segment-index.js').SegmentIndex} index @param {TrackBytes} [bytes] what is there already */
    open(index, bytes = new TrackBytes(index)) {
        this.index = index;
        this.bytes = bytes;
        this.exit = index.length;
        const divisor = gcd(index.rate, this.context.sampleRate);
        this.up = this.context.sampleRate / divisor;
        this.down = index.rate / divisor;
    }

    /** Length in seconds. */
    get duration() {
        return this.index?.duration ?? this.track.duration_seconds ?? 0;
    }

    /** Samples of the track for one of the context. */
    get step() {
        return (this.index.rate / this.context.sampleRate) * this.speed;
    }

    /** The place in the track that is heard at a time, in samples. */
    sampleAt(when) {
        const { timeline } = this;
        if (timeline.length === 0) return this.entry;
        let i = timeline.length - 1;
        while (i > 0 && timeline[i].when > when) i--;
        const { when: from, sample, step } = timeline[i];
        const end = i === timeline.length - 1 ? this.nextWhen : timeline[i + 1].when;
        return Math.min(sample + Math.max(0, Math.min(when, end) - from) * step, this.index.length);
    }

    /** When a place in the track is heard, by the last part of the timeline, as a whole sample. */
    whenOf(sample) {
        const { when, sample: from, step } = this.timeline.at(-1);
        return when + Math.round((sample - from) / step);
    }

    /** The time at which its first sample of now is heard; Infinity before it is scheduled. */
    get beginsAt() {
        return this.isBegun ? this.timeline[0].when : Infinity;
    }

    /** A segment's samples. */
    sound(number) {
        return this.decoded.get(number, this.index, this.bytes);
    }

    /** The first samples from a place on, for what is heard before it; undefined where they are not here. */
    async samplesFrom(sample) {
        const segment = this.index?.at(sample);
        if (!segment || !this.bytes.has(segment.number)) return undefined;
        const sound = await this.sound(segment.number);
        return sound.map((each) => each.subarray(sample - segment.start, sample - segment.start + JOINT_SAMPLES));
    }

    /**
     * Gets the first sound from a place on ready, so that `start` has it at once.
     * @param {number} sample
     * @param {{first?: number, history?: Float32Array[], speed?: number}} [options]
     *   `first`: by how many units of 1/up sample beyond `sample` the first output lies
     * @returns {Promise<object | null>} what `start` takes; null where the bytes are not here
     */
    async prepare(sample, { first = 0, history, speed = this.speed } = {}) {
        const segment = this.index.at(sample);
        if (!this.bytes.has(segment.number)) return null;
        const sound = await this.sound(segment.number);
        const { rate, channels } = this.index;
        const from = sample - segment.start;
        const start = { sample, first, speed, chain: null, output: null, consumed: 0, given: 0, isLast: false };
        if (rate !== this.context.sampleRate || speed !== 1) {
            const before = history ?? sound.map((each) => each.slice(Math.max(0, from - JOINT_SAMPLES), from));
            start.chain = this.processor.open({ channels, from: rate, to: this.context.sampleRate, speed, first, history: before });
            const to = Math.min(from + Math.round(CHAIN_SECONDS * rate), segment.end - segment.start, this.exit - segment.start);
            if (to > from) {
                start.isLast = segment.start + to >= this.exit;
                start.output = await start.chain.process(sound.map((each) => each.slice(from, to)), start.isLast, start.isLast ? await this.following?.() : undefined);
                start.consumed = to - from;
            }
        }
        return start;
    }

    /**
     * Is heard from a time on.
     * @param {object} start by `prepare`
     * @param {number} when
     * @param {{isFaded?: boolean}} [options] whether it comes up from silence within five milliseconds
     */
    start(start, when, { isFaded = false } = {}) {
        this.epoch += 1;
        this.speed = start.speed;
        this.voice.begin(when, isFaded);
        this.chain = start.chain;
        this.first = start.first;
        this.origin = start.sample;
        this.outputs = 0;
        const head = start.sample + (this.chain && this.speed === 1 ? start.first / this.up : 0);
        this.timeline.push({ when, sample: head, step: this.step });
        if (this.timeline.length > 16) this.timeline.shift();
        this.nextWhen = when;
        this.nextSample = start.sample;
        this.isBegun = true;
        this.isDone = this.nextSample >= this.exit;
        if (start.output) this.schedule(start.output, start.consumed, start.isLast);
    }

    /**
     * Schedules on, up to a time or as far as the bytes go.
     * @param {number} until
     * @returns {Promise<'full' | 'starved' | 'done' | 'late' | 'changed'>}
     */
    async fill(until) {
        const { epoch } = this;
        const isLive = 'currentTime' in this.context && !('startRendering' in this.context);
        while (!this.isDone && this.nextWhen < until) {
            if (isLive && this.nextWhen < this.context.currentTime * this.context.sampleRate) return 'late';
            const segment = this.index.at(this.nextSample);
            if (!this.bytes.has(segment.number)) return 'starved';
            const sound = await this.sound(segment.number);
            if (epoch !== this.epoch) return 'changed';
            const from = this.nextSample - segment.start;
            const most = Math.ceil((until - this.nextWhen) * this.step);
            const piece = Math.min(this.chain ? CHAIN_SECONDS * this.index.rate : Infinity, Math.max(most, this.index.rate / 2));
            const to = Math.min(segment.end, this.exit, this.nextSample + Math.round(piece)) - segment.start;
            const isLast = segment.start + to >= this.exit;
            let output = sound.map((each) => each.subarray(from, to));
            if (this.chain) {
                const following = isLast ? await this.following?.() : undefined;
                if (epoch !== this.epoch) return 'changed';
                output = await this.chain.process(output.map((each) => each.slice()), isLast, following);
                if (epoch !== this.epoch) return 'changed';
            }
            if (isLast) this.lastSamples = sound.map((each) => each.slice(Math.max(0, to - JOINT_SAMPLES), to));
            this.schedule(output, to - from, isLast);
        }
        return this.isDone ? 'done' : 'full';
    }

    schedule(output, consumed, isLast) {
        const count = output[0].length;
        this.voice.play(output, this.nextWhen);
        this.nextWhen += count;
        this.nextSample += consumed;
        this.outputs += count;
        if (isLast) {
            this.isDone = true;
            this.carry = this.chain && this.speed === 1
                ? this.first + this.outputs * this.down - (this.exit - this.origin) * this.up : 0;
        }
    }

    /**
     * Ends what is scheduled, at a time or now.
     * @param {number} [when]
     */
    stop(when = Math.ceil(this.context.currentTime * this.context.sampleRate)) {
        this.epoch += 1;
        this.chain?.close();
        this.chain = null;
        if (!this.isBegun) return;
        this.voice.end(when);
        this.nextWhen = Math.min(this.nextWhen, when);
        this.isDone = false;
    }

    /** It is as if it had never been begun. */
    rewind() {
        this.stop();
        this.isBegun = false;
        this.isDone = false;
        this.timeline = [];
        this.setFade(null, 0, 0);
    }

    /** Fades along a curve, in place of any fade before, as `DeckVoice` does. */
    setFade(curve, when, seconds) {
        this.voice.setFade(curve, when, seconds);
    }

    /** @param {number} factor */
    setLevel(factor) {
        this.voice.setLevel(factor, this.isBegun);
    }

    /** Brings the sound down to silence where it ends for want of bytes; up again where it goes on after all. */
    softenEnd(isEnding) {
        this.voice.softenEnd(isEnding, this.nextWhen);
    }

    /** What is scheduled, and not over yet. */
    get nodes() {
        return this.voice.nodes;
    }

    /** Lets go of the sound; of the bytes whoever else holds them. */
    close() {
        this.stop();
        this.decoded.clear();
        this.voice.close();
    }
}
