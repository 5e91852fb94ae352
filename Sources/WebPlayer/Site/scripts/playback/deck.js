import { DeckVoice } from './deck-voice.js';
import { DecodedSound } from './decoded-sound.js';
import { appended } from './samples.js';
import { TrackBytes } from './track-bytes.js';

/** Samples before a place that a resampler wants. */
const HISTORY_SAMPLES = 256;
/** The most sound that goes to the worker at once, in seconds: small, so that the first of it is back soon. */
const CHAIN_SECONDS = 1;
/** How much of the next track a chain wants at the end of one, to go on with it. */
const GOING_ON_SECONDS = 0.1;

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
        /** The next track and where it is entered, where it is to be one stream with this one. @type {{deck: Deck, entry: number} | null} */
        this.following = null;
        /**
         * The chain that has come to the end and beyond it, `followed` samples into the next track, for that one to take.
         * @type {{chain: any, beyond: number, followed: number, into: Deck['following']} | null}
         */
        this.goingOn = null;
        /** @type {import('./playback-error.js').PlaybackError | null} */
        this.failure = null;
    }

    /** @param {import('./segment-index.js').SegmentIndex} index @param {TrackBytes} [bytes] what is there already */
    open(index, bytes = new TrackBytes(index)) {
        this.index = index;
        this.bytes = bytes;
        this.exit = index.length;
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

    /** What the end of another track wants to know from a place on; undefined where that is not here. */
    async samplesFrom(sample) {
        if (!this.index) return undefined;
        const end = sample + Math.ceil(GOING_ON_SECONDS * this.index.rate);
        if (end >= this.exit) return undefined;
        let samples = Array.from({ length: this.index.channels }, () => new Float32Array(0));
        for (let at = sample; at < end;) {
            const segment = this.index.at(at);
            if (!this.bytes.has(segment.number)) return undefined;
            const sound = await this.sound(segment.number);
            const to = Math.min(end, segment.end);
            samples = appended(samples, sound.map((each) => each.subarray(at - segment.start, to - segment.start)));
            at = to;
        }
        return samples;
    }

    /**
     * Gets the first sound from a place on ready, so that `start` has it at once.
     * @param {number} sample
     * @param {{speed?: number, goingOn?: Deck['goingOn']}} [options] `goingOn`: of the track before, which this one goes on
     * @returns {Promise<object | null>} what `start` takes, or whose `chain` is to be closed; null where the bytes are not here
     */
    async prepare(sample, { speed = this.speed, goingOn = null } = {}) {
        const { rate, channels } = this.index;
        const place = sample + (goingOn?.followed ?? 0);
        const segment = this.index.at(place);
        if (!this.bytes.has(segment.number)) return null;
        const sound = await this.sound(segment.number);
        const from = place - segment.start;
        const start = { sample, speed, chain: null, output: null, consumed: 0, beyond: goingOn?.beyond ?? 0, isLast: false };
        if (rate !== this.context.sampleRate || speed !== 1) {
            start.chain = goingOn?.chain ?? this.processor.open({
                channels, from: rate, to: this.context.sampleRate, speed, history: sound.map((each) => each.slice(Math.max(0, from - HISTORY_SAMPLES), from)),
            });
            const to = Math.min(from + Math.round(CHAIN_SECONDS * rate), segment.end - segment.start, this.exit - segment.start);
            if (to > from) {
                start.isLast = segment.start + to >= this.exit;
                Object.assign(start, await this.process(start.chain, sound.map((each) => each.slice(from, to)), start.isLast));
                start.consumed = segment.start + to - sample;
            }
        }
        return start;
    }

    /** Sends sound through a chain; at the end of the track with the beginning of the next. */
    async process(chain, input, isLast) {
        const into = isLast ? this.following : null;
        const following = await into?.deck.samplesFrom(into.entry);
        const followed = following?.[0].length;
        const { output, beyond } = await chain.process(input, isLast, following);
        return { output, goingOn: beyond === null ? null : { chain, beyond, followed, into } };
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
        this.goingOn = null;
        this.timeline.push({ when, sample: start.sample + start.beyond, step: this.step });
        if (this.timeline.length > 16) this.timeline.shift();
        this.nextWhen = when;
        this.nextSample = start.sample;
        this.isBegun = true;
        this.isDone = this.nextSample >= this.exit;
        if (start.output) this.schedule(start.output, start.consumed, start.isLast, start.goingOn);
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
            // At the very end there may be nothing left but what the chain holds back.
            const segment = this.index.at(Math.min(this.nextSample, this.exit - 1));
            if (!this.bytes.has(segment.number)) return 'starved';
            const sound = await this.sound(segment.number);
            if (epoch !== this.epoch) return 'changed';
            const from = this.nextSample - segment.start;
            const most = Math.ceil((until - this.nextWhen) * this.step);
            const piece = Math.min(this.chain ? CHAIN_SECONDS * this.index.rate : Infinity, Math.max(most, this.index.rate / 2));
            const to = Math.min(segment.end, this.exit, this.nextSample + Math.round(piece)) - segment.start;
            const isLast = segment.start + to >= this.exit;
            const plain = sound.map((each) => each.subarray(from, to));
            if (this.chain) {
                const { output, goingOn } = await this.process(this.chain, plain.map((each) => each.slice()), isLast);
                if (epoch !== this.epoch) return 'changed';
                this.schedule(output, to - from, isLast, goingOn);
            } else {
                this.schedule(plain, to - from, isLast);
            }
        }
        return this.isDone ? 'done' : 'full';
    }

    schedule(output, consumed, isLast, goingOn = null) {
        this.voice.play(output, this.nextWhen);
        this.nextWhen += output[0].length;
        this.nextSample += consumed;
        this.isDone ||= isLast;
        this.goingOn = goingOn;
    }

    /** The chain that goes on with a track from a place on, at a speed; null for none. */
    goingOnWith(deck, entry, speed) {
        const { goingOn } = this;
        if (goingOn?.into.deck !== deck || goingOn.into.entry !== entry || this.speed !== speed) return null;
        return entry + goingOn.followed < deck.exit ? goingOn : null;
    }

    /** The chain belongs to the next track from now on. */
    handOver() {
        this.goingOn = null;
        this.chain = null;
    }

    /**
     * Ends what is scheduled, at a time or now.
     * @param {number} [when]
     */
    stop(when = Math.ceil(this.context.currentTime * this.context.sampleRate)) {
        this.epoch += 1;
        this.chain?.close();
        this.chain = null;
        this.goingOn = null;
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
