import { DeckVoice } from './deck-voice.js';
import { DecodedSound } from './decoded-sound.js';
import { appended } from '../output/samples.js';
import { endOf, positionOn } from '../output/speed-curve.js';
import { MIX_HISTORY_SECONDS } from '../output/mix-stretch.js';
import { TrackBytes } from '../loading/track-bytes.js';

/** Samples before a position that a resampler needs. */
const HISTORY_SAMPLES = 256;
/** Maximum audio per worker call in seconds; small, so that the first result is available soon. */
const CHAIN_SECONDS = 1;
/** Parts of the timeline while the speed changes: between them it counts as constant. */
const RETURN_PARTS = 8;
/** Maximum number of parts of the timeline. */
const MOST_STRETCHES = 40;
/** How much of the next track a chain needs at the end of a track to continue with it, in seconds. */
const GOING_ON_SECONDS = 0.1;

/**
 * Plays one track: decodes it, converts it to the context's rate and the playback speed, and schedules it on exact sample
 * times.
 *
 * Times in the context are whole samples (`when`); positions in the track are samples at the track's own rate.
 *
 * @typedef {object} Stretch a part of the timeline: from `when` on, the track plays from `sample`, advancing by `step` per sample
 * @property {number} when
 * @property {number} sample
 * @property {number} step
 */
export class Deck {
    #voice;

    /**
     * @param {object} parts
     * @param {import('../queue/play-queue.js').QueueItem} parts.item
     * @param {BaseAudioContext} parts.context
     * @param {AudioNode} parts.output
     * @param {import('../output/sound-processor.js').SoundProcessor} parts.processor
     * @param {import('./segment-decoder.js').SegmentDecoder} parts.decoder
     */
    constructor({ item, context, output, processor, decoder }) {
        this.item = item;
        this.context = context;
        this.processor = processor;
        this.track = item.track;
        this.#voice = new DeckVoice(context, output);
        this.decoded = new DecodedSound(decoder);
        /** Null until `open`; its users check that first. @type {import('../loading/segment-index.js').SegmentIndex} */
        this.index = /** @type {any} */ (null);
        /** Null until `open`. @type {TrackBytes} */
        this.bytes = /** @type {any} */ (null);
        /** @type {Stretch[]} */
        this.timeline = [];
        /** Incremented by each start and stop: audio prepared for an older epoch is discarded. */
        this.epoch = 0;
        /** Entry and exit positions in the track, in samples. */
        this.entry = 0;
        this.exit = 0;
        this.nextWhen = 0;
        this.nextSample = 0;
        this.isBegun = false;
        this.isDone = false;
        this.speed = 1;
        /** Amplitude factor. */
        this.level = 1;
        /** Whether it plays next to its neighbour on the album. */
        this.isInAlbumOrder = false;
        /**
         * The mix that the track has entered with: from `when` on, `elapsed` seconds after its start.
         * @type {{curve: import('../output/speed-curve.js').SpeedCurve, elapsed: number, when: number, first: number,
         *   last: Stretch | null} | null} `first`: the position there; `last`: the part of the timeline after it, until it is exact
         */
        this.mixing = null;
        /** Whether a fade-out or a change of the bass for the next track is scheduled. */
        this.isLeaving = false;
        /** The next track and its entry, if both are joined into one stream. @type {{deck: Deck, entry: number} | null} */
        this.following = null;
        /**
         * The chain that has passed the end, `followed` samples into the next track, for that track to take over.
         * @type {{chain: any, beyond: number, followed: number, into: Deck['following']} | null}
         */
        this.goingOn = null;
        /** @type {import('../loading/playback-error.js').PlaybackError | null} */
        this.failure = null;
    }

    /** @param {import('../loading/segment-index.js').SegmentIndex} index @param {TrackBytes} [bytes] data downloaded earlier */
    open(index, bytes = new TrackBytes(index)) {
        this.index = index;
        this.bytes = bytes;
        this.exit = index.length;
    }

    /** Duration in seconds. */
    get duration() {
        return this.index?.duration ?? this.track.duration_seconds ?? 0;
    }

    /** Track samples per context sample. */
    get step() {
        return (this.index.rate / this.context.sampleRate) * this.speed;
    }

    /** Returns the position in the track, in samples, at a context time. */
    sampleAt(when) {
        const { timeline } = this;
        if (timeline.length === 0) return this.entry;
        let i = timeline.length - 1;
        while (i > 0 && timeline[i].when > when) i--;
        const { when: from, sample, step } = timeline[i];
        const end = i === timeline.length - 1 ? this.nextWhen : timeline[i + 1].when;
        return Math.min(sample + Math.max(0, Math.min(when, end) - from) * step, this.index.length);
    }

    /** Returns the context time of a position in the track, by the last part of the timeline, as a whole sample. */
    whenOf(sample) {
        const { when, sample: from, step } = /** @type {Stretch} */ (this.timeline.at(-1));
        return when + Math.round((sample - from) / step);
    }

    /** The context time at which the deck is first heard; Infinity before it is scheduled. */
    get beginsAt() {
        return this.isBegun ? this.timeline[0].when : Infinity;
    }

    /** Returns the samples of a segment. */
    sound(number) {
        return this.decoded.get(number, this.index, this.bytes);
    }

    /** Returns the samples from a position on that the previous track's chain needs; undefined if they are not buffered. */
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

    /** Returns up to `count` samples before a position, as far as they are buffered. */
    async samplesBefore(sample, count) {
        let samples = Array.from({ length: this.index.channels }, () => new Float32Array(0));
        for (let to = sample; to > Math.max(0, sample - count);) {
            const segment = this.index.at(to - 1);
            if (!this.bytes.has(segment.number)) break;
            const sound = await this.sound(segment.number);
            const from = Math.max(segment.start, sample - count);
            samples = appended(sound.map((each) => each.slice(from - segment.start, to - segment.start)), samples);
            to = from;
        }
        return samples;
    }

    /**
     * Prepares the first audio from a position on, so that `start` can schedule it immediately.
     * @param {number} sample
     * @param {{speed?: number, goingOn?: Deck['goingOn'], mix?: {curve: any, elapsed: number} | null}} options
     *     `goingOn`: that of the previous track, which this one continues; `mix`: the speed curve that it follows
     * @returns {Promise<object | null>} argument for `start`; if unused, close its `chain`. Null if the data is not buffered
     */
    async prepare(sample, { speed = this.speed, goingOn = null, mix = null } = {}) {
        const { rate, channels } = this.index;
        const place = sample + (goingOn?.followed ?? 0);
        const segment = this.index.at(place);
        if (!this.bytes.has(segment.number)) return null;
        const sound = await this.sound(segment.number);
        const from = place - segment.start;
        const start = { sample, speed, mix, chain: null, output: null, consumed: 0, beyond: goingOn?.beyond ?? 0, isLast: false };
        if (rate !== this.context.sampleRate || speed !== 1 || mix) {
            start.chain = goingOn?.chain ?? this.processor.open({
                channels,
                from: rate,
                to: this.context.sampleRate,
                speed,
                history: mix
                    ? await this.samplesBefore(sample, Math.ceil(MIX_HISTORY_SECONDS * rate))
                    : sound.map((each) => each.slice(Math.max(0, from - HISTORY_SAMPLES), from)),
                ...(mix ? { mix: { ...mix, first: sample } } : {}),
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

    /** Sends audio through a chain; at the end of the track, together with the start of the next one. */
    async process(chain, input, isLast) {
        const into = isLast ? this.following : null;
        const following = await into?.deck.samplesFrom(into.entry);
        const followed = following?.[0].length;
        const { output, beyond, settled } = await chain.process(input, isLast, following);
        return { output, settled, goingOn: beyond === null ? null : { chain, beyond, followed, into } };
    }

    /**
     * Starts prepared audio at a time.
     * @param {object} start result of `prepare`
     * @param {number} when context time
     * @param {{isFaded?: boolean}} options whether to fade in over five milliseconds
     */
    start(start, when, { isFaded = false } = {}) {
        this.epoch += 1;
        this.speed = start.speed;
        this.#voice.begin(when, isFaded);
        this.chain = start.chain;
        this.goingOn = null;
        this.timeline.push({ when, sample: start.sample + start.beyond, step: this.step });
        this.mixing = start.mix ? { ...start.mix, when, first: start.sample, last: null } : null;
        if (this.mixing) this.#followCurve();
        while (this.timeline.length > MOST_STRETCHES) this.timeline.shift();
        this.nextWhen = when;
        this.nextSample = start.sample;
        this.isBegun = true;
        this.isDone = this.nextSample >= this.exit;
        if (start.output) this.schedule(start.output, start.consumed, start.isLast, start.goingOn);
        this.#settle(start.settled);
    }

    /** Replaces the last part of the timeline by those of the mix. */
    #followCurve() {
        const { curve, elapsed, when } = /** @type {NonNullable<Deck['mixing']>} */ (this.mixing);
        const { sampleRate } = this.context;
        const times = [elapsed];
        for (let i = 0; i <= RETURN_PARTS; i++) times.push(curve.overlap + (curve.back * i) / RETURN_PARTS);
        const parts = times.filter((time) => time >= elapsed).map((time) => ({
            when: when + Math.round((time - elapsed) * sampleRate),
            sample: positionOn(curve, time) * this.index.rate,
            step: this.step,
        }));
        for (let i = 0; i + 1 < parts.length; i++) {
            const [one, next] = [parts[i], parts[i + 1]];
            if (next.when > one.when) one.step = (next.sample - one.sample) / (next.when - one.when);
        }
        this.timeline.splice(-1, 1, ...parts);
        /** @type {NonNullable<Deck['mixing']>} */ (this.mixing).last = parts.at(-1) ?? null;
    }

    /**
     * Notes where exactly the track has its own speed again; from there on it needs no stretching.
     * @param {{when: number, input: number} | null} [settled]
     */
    #settle(settled) {
        const last = this.mixing?.last;
        if (!this.mixing || !last || !settled) return;
        Object.assign(last, { when: this.mixing.when + Math.round(settled.when), sample: this.mixing.first + settled.input });
        this.mixing.last = null;
        if (this.index.rate !== this.context.sampleRate) return;
        this.chain?.close();
        this.chain = null;
    }

    /**
     * Returns the mix that the track is in at a time; null if it has its own speed.
     * @returns {{curve: import('../output/speed-curve.js').SpeedCurve, elapsed: number} | null}
     */
    mixAt(when) {
        if (!this.mixing) return null;
        const { curve, elapsed, when: from } = this.mixing;
        const now = elapsed + (when - from) / this.context.sampleRate;
        return now < endOf(curve) ? { curve, elapsed: now } : null;
    }

    /**
     * Schedules more audio, up to a time or as far as data is buffered.
     * @param {number} until
     * @returns {Promise<'full' | 'starved' | 'done' | 'late' | 'changed'>}
     */
    async fill(until) {
        const { epoch } = this;
        const isLive = 'currentTime' in this.context && !('startRendering' in this.context);
        while (!this.isDone && this.nextWhen < until) {
            if (isLive && this.nextWhen < this.context.currentTime * this.context.sampleRate) return 'late';
            // At the very end, only what the chain holds back may be left.
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
                const { output, settled, goingOn } = await this.process(this.chain, plain.map((each) => each.slice()), isLast);
                if (epoch !== this.epoch) return 'changed';
                this.schedule(output, to - from, isLast, goingOn);
                this.#settle(settled);
            } else {
                this.schedule(plain, to - from, isLast);
            }
        }
        return this.isDone ? 'done' : 'full';
    }

    /** @param {Float32Array[]} output @param {number} consumed @param {boolean} isLast @param {Deck['goingOn']} [goingOn] */
    schedule(output, consumed, isLast, goingOn = null) {
        this.#voice.play(output, this.nextWhen);
        this.nextWhen += output[0].length;
        this.nextSample += consumed;
        this.isDone ||= isLast;
        this.goingOn = goingOn;
    }

    /** Returns the chain that continues with a track from a position on, at a speed; null if no chain matches. */
    goingOnWith(deck, entry, speed) {
        const { goingOn } = this;
        if (!goingOn || goingOn.into?.deck !== deck || goingOn.into.entry !== entry || this.speed !== speed) return null;
        return entry + goingOn.followed < deck.exit ? goingOn : null;
    }

    /** Hands the chain over to the next track. */
    handOver() {
        this.goingOn = null;
        this.chain = null;
    }

    /**
     * Stops scheduled audio at a time or now.
     * @param {number} [when]
     */
    stop(when = Math.ceil(this.context.currentTime * this.context.sampleRate)) {
        this.epoch += 1;
        this.chain?.close();
        this.chain = null;
        this.goingOn = null;
        if (!this.isBegun) return;
        this.#voice.end(when);
        this.nextWhen = Math.min(this.nextWhen, when);
        this.isDone = false;
    }

    /** Resets the deck to its state before the start. */
    rewind() {
        this.stop();
        this.isBegun = false;
        this.isDone = false;
        this.timeline = [];
        this.mixing = null;
        this.stay();
    }

    /**
     * Fades out for the next track.
     * @param {Float32Array | null} curve
     * @param {number} when
     * @param {number} seconds
     * @param {Parameters<DeckVoice['setBass']>[0]} bass
     */
    leave(curve, when, seconds, bass) {
        this.isLeaving = true;
        this.setFade(curve, when, seconds);
        this.#voice.setBass(bass);
    }

    /** Fades in after the previous track; arguments as of `leave`. */
    arrive(curve, when, seconds, bass) {
        this.isLeaving = false;
        this.setFade(curve, when, seconds);
        this.#voice.setBass(bass);
    }

    /** Removes all fades and changes of the bass. */
    stay() {
        this.isLeaving = false;
        this.setFade(null, 0, 0);
        this.#voice.setBass(null);
    }

    /** Fades along a curve, replacing any previous fade, as in `DeckVoice`. */
    setFade(curve, when, seconds) {
        this.#voice.setFade(curve, when, seconds);
    }

    /** @param {number} factor amplitude @param {number} [seconds] duration of the change while the track is heard */
    setLevel(factor, seconds) {
        if (factor === this.level) return;
        this.level = factor;
        this.#voice.setLevel(factor, this.isBegun, seconds);
    }

    /** Fades out where the audio runs out for lack of data; fades in again if more has arrived. */
    softenEnd(isEnding) {
        this.#voice.softenEnd(isEnding, this.nextWhen);
    }

    /** The amplitude factor of the fade and the gain of the bass in dB, as they are now. */
    get gains() {
        return { fade: this.#voice.fade.gain.value, bass: this.#voice.bass.gain.value };
    }

    /** Scheduled buffers that have not finished. */
    get nodes() {
        return this.#voice.nodes;
    }

    /** Releases the decoded audio. Downloaded bytes may be shared with other decks and are kept. */
    close() {
        this.stop();
        this.decoded.clear();
        this.#voice.close();
    }
}
