import { Bandwidth } from './bandwidth.js';
import { Deck } from './deck.js';
import { Loader } from './loader.js';
import { factorOf, gainOf } from './loudness.js';
import { PlayClock } from './play-clock.js';
import { PlayQueue } from './play-queue.js';
import { SegmentDecoder } from './segment-decoder.js';
import { SoundProcessor } from './sound-processor.js';
import { Supply } from './supply.js';
import { entryOf, restOf, transitionOf } from './transition.js';

/** How far sound is scheduled ahead in seconds: a page in the background is woken once a second at most. */
const SCHEDULE_AHEAD = 14;
/** Below this many seconds more is scheduled. */
const SCHEDULE_AGAIN = 10;
/** How far ahead while it is not settled what comes next. */
const UNSETTLED_AHEAD = 4;
/** Seconds from the decision to the first sample. */
const START_LEAD = 0.02;
/** Seconds from a change to when it is heard, where sound goes on. */
const CHANGE_LEAD = 0.25;
/** Seconds in which sound fades for a pause. */
const PAUSE_SECONDS = 0.02;
/** Seconds in which it becomes quieter before it sleeps. */
const SLEEP_FADE = 10;
/** How often all is looked after, in milliseconds. */
const TICK = 100;

const DEFAULT_POLICY = { silenceSeconds: 30, probeSeconds: 0.75, retryDelays: undefined };

/**
 * Plays tracks: fetches their frames, decodes them, and schedules them on the audio clock, one after the other without a
 * gap, or one into the other.
 *
 * Events: `state`, `track`, `position` (at most four a second), `buffer`, `queue`, `error` (`detail`: the message, the
 * kind, and `retryIn` seconds where it will be tried again), `transition`.
 */
export class Player extends EventTarget {
    /**
     * @param {object} parts
     * @param {any} parts.client a `HostClient`
     * @param {any} parts.settings a `Settings`
     * @param {BaseAudioContext} [parts.context] to play into; made when it is first needed where none is given
     * @param {Partial<typeof DEFAULT_POLICY>} [parts.policy]
     */
    constructor({ client, settings, context, policy }) {
        super();
        this.client = client;
        this.settings = settings;
        this.policy = { ...DEFAULT_POLICY, ...policy };
        this.queue = new PlayQueue();
        this.queue.addEventListener('change', (event) => this.queueChanged(event.detail));
        settings.addEventListener?.('change', (event) => this.settingChanged(event.key ?? event.detail?.key));
        this.decoder = new SegmentDecoder();
        this.processor = new SoundProcessor();
        this.bandwidth = new Bandwidth();
        /** The tracks that are heard or will be, in order. @type {Deck[]} */
        this.decks = [];
        /** Transitions by the deck that goes out. @type {Map<Deck, import('./transition.js').Transition>} */
        this.transitions = new Map();
        this.supply = new Supply(this);
        this.loader = new Loader({
            nextJob: () => this.supply.nextJob(), isHostThere: (signal) => this.supply.isHostThere(signal),
            probeSeconds: this.policy.probeSeconds, retryDelays: this.policy.retryDelays,
        });
        this.loader.addEventListener('change', () => this.tick());
        this.loader.addEventListener('trouble', ({ detail }) => this.tellError(detail.error, detail.deck, detail.delay));
        this.loader.addEventListener('failure', ({ detail }) => this.tellError(detail.error, detail.deck, null));
        this.isWanted = false;
        /** Where the current track is to be begun, in seconds; null while it is being heard. @type {number | null} */
        this.startAt = null;
        /** Where the queue's current track is to be begun when nothing is loaded yet. @type {number | null} */
        this.resumeAt = null;
        /** Whether it is begun with what is here, however little. */
        this.isAtOnce = false;
        this.isStarting = false;
        this.hasBeenHeard = false;
        this.volumeFactor = clamped(settings.get('playback.volume'), 0, 1);
        this.isMuted = false;
        this.rate = clamped(settings.get('playback.speed'), 0.5, 3);
        this.toldState = 'stopped';
        this.toldMessage = '';
        this.toldItem = null;
        this.toldDeck = null;
        this.toldTransition = null;
        this.toldPositionAt = 0;
        if (context) this.useContext(context);
        this.timer = setInterval(() => this.tick(), TICK);
    }

    // ---- What is heard

    /** The track that is heard. During a crossfade it is the incoming one from its beginning. */
    get current() {
        return this.currentDeck?.track ?? this.queue.current?.track ?? null;
    }

    /** @returns {Deck | null} */
    get currentDeck() {
        const now = this.clock ? this.clock.heard : 0;
        let current = this.decks[0] ?? null;
        for (const deck of this.decks) if (deck.beginsAt <= now) current = deck;
        return current;
    }

    /** Seconds of the current track that have been heard. */
    get position() {
        return this.clock ? this.positionAt(this.clock.heard / this.clock.rate) : this.resumeAt ?? 0;
    }

    /** The place in the current track at a time of the audio clock. */
    positionAt(audioTime) {
        const deck = this.currentDeck;
        if (!deck) return this.resumeAt ?? 0;
        if (this.startAt !== null || !deck.index) return this.startAt ?? 0;
        return deck.sampleAt(audioTime * this.clock.rate) / deck.index.rate;
    }

    /** Length of the current track in seconds. */
    get duration() {
        return this.currentDeck?.duration ?? this.current?.duration_seconds ?? 0;
    }

    /** Stretches of the current track that are here, in seconds. */
    get buffered() {
        return this.currentDeck?.bytes?.stretches ?? [];
    }

    /**
     * The crossfade that is heard now; null for none.
     * @returns {{kind: string, from: any, to: any, start: number, seconds: number, cueIn: number} | null}
     *   `start` in seconds of the outgoing track, `cueIn` where the incoming one is entered
     */
    get transition() {
        const at = this.decks.indexOf(this.currentDeck);
        const outgoing = this.decks[at - 1];
        const plan = outgoing && this.transitions.get(outgoing);
        if (plan?.kind !== 'overlap' || this.clock.heard >= outgoing.nextWhen) return null;
        return this.described(outgoing, this.decks[at], plan);
    }

    /** The transition out of the current track, as `transition` has it; null where it is not settled yet. */
    get plannedTransition() {
        const deck = this.currentDeck;
        const plan = deck && this.transitions.get(deck);
        const next = this.decks[this.decks.indexOf(deck) + 1];
        return plan && next ? this.described(deck, next, plan) : null;
    }

    described(outgoing, incoming, { kind, startSample, exitSample, entry }) {
        const { rate } = outgoing.index;
        return { kind, from: outgoing.track, to: incoming.track, start: startSample / rate, seconds: (exitSample - startSample) / rate, cueIn: entry };
    }

    /** @returns {'stopped' | 'loading' | 'playing' | 'paused' | 'buffering' | 'offline' | 'failed'} */
    get state() {
        const deck = this.currentDeck;
        if (!deck) return 'stopped';
        if (!this.isWanted) return 'paused';
        // What is here goes on at once: the listener is to see no hesitation.
        if (this.startAt === null || (this.isAtOnce && !deck.failure)) return 'playing';
        if (deck.failure) return 'failed';
        const trouble = this.loader.trouble;
        if (trouble && (trouble.kind === 'server' || trouble.kind === 'busy')) return 'failed';
        if (this.loader.isOffline) return 'offline';
        return this.hasBeenHeard ? 'buffering' : 'loading';
    }

    /** What the listener is to read; empty for nothing. */
    get message() {
        const deck = this.currentDeck;
        if (this.state === 'stopped' || this.state === 'paused' || this.state === 'playing') return '';
        if (this.loader.isOffline) return 'No Connection';
        return (deck?.failure ?? this.loader.trouble)?.message ?? (this.state === 'buffering' ? 'Buffering…' : 'Loading…');
    }

    /** Seconds until the next try by itself; null where there is none. */
    get retryIn() {
        return this.loader.trouble ? Math.max(0, this.loader.retryAt - performance.now() / 1000) : null;
    }

    /** Seconds of sound here from the position on, those of following tracks with it. */
    get secondsAhead() {
        return this.supply.secondsAhead;
    }

    /** A node that sees all that is played, before the volume. */
    analyser() {
        if (!this.analyserNode) {
            this.needContext();
            this.analyserNode = this.context.createAnalyser();
            this.mix.connect(this.analyserNode);
        }
        return this.analyserNode;
    }

    // ---- What the listener does

    /** Plays, or goes on. Browsers want this to come of a click or a key the first time. */
    async play() {
        if (!this.queue.current) return;
        this.needContext();
        this.isWanted = true;
        if (this.decks.length === 0) this.open(this.queue.current, this.resumeAt ?? null);
        if (this.currentDeck?.failure) this.retry();
        this.tick();
        if (this.clock.isOffline) return;
        this.stopSuspending();
        await this.context.resume();
        this.out.gain.cancelScheduledValues(0);
        this.out.gain.setTargetAtTime(1, this.context.currentTime, PAUSE_SECONDS / 4);
        this.tick();
    }

    /** Holds; the position stays to the sample. */
    pause() {
        if (!this.isWanted) return;
        this.isWanted = false;
        if (this.context && !this.clock.isOffline) {
            this.out.gain.cancelScheduledValues(0);
            this.out.gain.setTargetAtTime(0, this.context.currentTime, PAUSE_SECONDS / 4);
            this.stopSuspending();
            this.suspending = setTimeout(() => this.context.suspend(), PAUSE_SECONDS * 1500);
        }
        this.tick();
    }

    stopSuspending() {
        clearTimeout(this.suspending);
    }

    /** Plays where it holds, and the other way round. */
    toggle() {
        return this.isWanted ? this.pause() : this.play();
    }

    /** Ends; the queue stays. */
    stop() {
        this.pause();
        this.stopSound();
        this.tick();
    }

    stopSound() {
        this.dropFrom(0);
        this.startAt = null;
        this.resumeAt = null;
        this.loader.reconsider();
    }

    /**
     * Stands where it stood before a reload, and plays when it is told to.
     * @param {any[]} tracks
     * @param {number} at the current one
     * @param {number} seconds the place in it
     */
    restore(tracks, at, seconds) {
        this.queue.load(tracks, at);
        this.resumeAt = Math.max(0, Number(seconds) || 0);
        this.tell('position');
    }

    /** Goes to a place of the current track, in seconds. */
    seek(seconds) {
        const deck = this.currentDeck;
        if (!deck) {
            this.resumeAt = Math.max(0, seconds);
            return;
        }
        const place = Math.min(Math.max(0, Number(seconds) || 0), Math.max(0, deck.duration - 0.01));
        // What fades out, and what was to come, is not to be heard now.
        const at = this.decks.indexOf(deck);
        for (const outgoing of this.decks.splice(0, at)) this.release(outgoing);
        for (const next of this.decks.slice(1)) if (next.isBegun) next.rewind();
        this.unsettle(deck);
        if (deck.isBegun) {
            deck.stop();
            deck.setFade(null, 0, 0);
        }
        this.startAt = place;
        // What is here is heard at once, however little it is.
        this.isAtOnce = this.supply.hasSome(deck, place);
        this.isStarting = false;
        this.startToken = {};
        this.loader.reconsider();
        this.tick();
        this.tell('position');
    }

    /** Goes on to the next track. */
    next() {
        return this.queue.next();
    }

    /** Goes to the track's beginning, or to the track before where it has only just begun. */
    previous() {
        if (this.position > 3 || !this.queue.previous()) this.seek(0);
    }

    /** Tries again what had been given up. */
    retry() {
        for (const deck of this.decks) deck.failure = null;
        this.loader.retry();
        this.tick();
    }

    /** From 0 to 1; the amplitude goes with its square, as the ear does. */
    get volume() {
        return this.volumeFactor;
    }

    set volume(value) {
        this.volumeFactor = clamped(value, 0, 1);
        this.settings.set('playback.volume', this.volumeFactor);
        this.applyVolume();
        this.tell('volume');
    }

    get muted() {
        return this.isMuted;
    }

    set muted(isMuted) {
        this.isMuted = Boolean(isMuted);
        this.applyVolume();
        this.tell('volume');
    }

    applyVolume() {
        this.master?.gain.setTargetAtTime(this.isMuted ? 0 : this.volumeFactor ** 2, this.context.currentTime, 0.01);
    }

    /** 0.5 to 3; the pitch stays. */
    get speed() {
        return this.rate;
    }

    set speed(value) {
        const speed = clamped(value, 0.5, 3);
        if (speed === this.rate) return;
        this.rate = speed;
        for (const deck of this.decks) if (!deck.isBegun) deck.speed = speed;
        this.settings.set('playback.speed', speed);
        this.remake();
        this.tell('speed');
    }

    /**
     * Ends playing at a time, after a last fade.
     * @param {number | Date | 'end-of-track' | null} when null for not at all
     */
    sleepAt(when) {
        this.sleep = when === null || when === 'end-of-track' ? when : Number(when);
        this.sleepTrack = this.currentDeck?.item ?? null;
        this.applySleepFade();
        this.tell('sleep');
    }

    /** Milliseconds until it sleeps; null where it does not, or at the track's end. */
    get sleepsIn() {
        return typeof this.sleep === 'number' ? Math.max(0, this.sleep - Date.now()) : null;
    }

    /** Ends all for good. */
    close() {
        clearInterval(this.timer);
        this.stopSuspending();
        this.loader.close();
        this.dropFrom(0);
        this.processor.close();
        if (this.ownsContext && this.context.state !== 'closed') this.context.close();
    }

    // ---- The graph

    needContext() {
        if (this.context) return;
        this.ownsContext = true;
        const rate = this.queue.current?.track.sample_rate_hz;
        // At the file's own rate nothing is resampled here. The rates of MPEG-2 are too low for some outputs.
        this.useContext(rate >= 32000 ? new AudioContext({ sampleRate: rate, latencyHint: 'balanced' }) : new AudioContext({ latencyHint: 'balanced' }));
        this.context.addEventListener('statechange', () => this.tick());
    }

    useContext(context) {
        this.context = context;
        this.clock = new PlayClock(context);
        this.mix = context.createGain();
        this.out = context.createGain();
        this.master = context.createGain();
        this.mix.connect(this.out).connect(this.master).connect(context.destination);
        this.master.gain.value = this.isMuted ? 0 : this.volumeFactor ** 2;
        if (!this.clock.isOffline) this.out.gain.value = 0;
    }

    newDeck(item) {
        this.needContext();
        const deck = new Deck({ item, context: this.context, output: this.mix, processor: this.processor, decoder: this.decoder });
        deck.speed = this.rate;
        this.supply.attach(deck);
        deck.setLevel(this.levelOf(deck.track));
        return deck;
    }

    levelOf(track) {
        const { normalization, targetLUFS } = this.transitionSettings;
        return factorOf(gainOf(track, normalization, targetLUFS));
    }

    /** @returns {import('./transition.js').TransitionSettings} */
    get transitionSettings() {
        const get = (key, otherwise) => this.settings.get(`playback.${key}`) ?? otherwise;
        return {
            crossfadeSeconds: get('crossfade', true) ? Number(get('crossfadeSeconds', 0)) || 0 : 0, crossfadeStyle: get('crossfadeStyle', 'plan'),
            skipSilence: Boolean(get('skipSilence', false)), gapless: get('gapless', true) !== false,
            normalization: get('normalization', 'off'), targetLUFS: Number(get('targetLUFS', -18)),
        };
    }

    // ---- The order of things

    /** Begins with an item, at a place in seconds; null for its beginning. */
    open(item, at) {
        this.dropFrom(0);
        this.decks = [this.newDeck(item)];
        this.startAt = at ?? (this.transitionSettings.skipSilence ? entryOf(item.track) : 0);
        this.resumeAt = null;
        this.isAtOnce = false;
        this.isStarting = false;
        this.startToken = {};
        this.hasBeenHeard = false;
        this.loader.reconsider();
    }

    queueChanged({ isNewStart, isArrival, isPlayWanted }) {
        if (isNewStart) {
            this.stopSound();
            if (this.isWanted || isPlayWanted) this.play();
        } else if (!isArrival) {
            this.checkOrder();
        }
        this.tell('queue');
        this.tick();
    }

    /** Takes back decks that are not what comes next any more. */
    checkOrder() {
        const at = this.decks.indexOf(this.currentDeck);
        for (let i = Math.max(at, 0); i + 1 < this.decks.length; i++) {
            if (this.queue.after(this.decks[i].item) !== this.decks[i + 1].item) {
                this.dropFrom(i + 1);
                this.unsettle(this.decks[i]);
                this.remake();
                break;
            }
        }
        const last = this.decks.at(-1);
        if (last && this.transitions.has(last)) {
            this.unsettle(last);
            this.remake();
        }
        this.loader.reconsider();
    }

    /** What comes after a deck is open again. */
    unsettle(deck) {
        this.transitions.delete(deck);
        deck.isExitSettled = false;
        if (deck.index) deck.exit = deck.index.length;
    }

    dropFrom(at) {
        for (const deck of this.decks.splice(at)) this.release(deck);
    }

    release(deck) {
        this.transitions.delete(deck);
        deck.close();
    }

    settingChanged(key) {
        if (key === 'playback.normalization' || key === 'playback.targetLUFS') {
            for (const deck of this.decks) deck.setLevel(this.levelOf(deck.track));
        }
        if (/^playback\.(crossfade|skipSilence|gapless|targetLUFS)/.test(key ?? '')) {
            const at = Math.max(this.decks.indexOf(this.currentDeck), 0);
            for (const deck of this.decks.slice(at)) this.unsettle(deck);
            this.supply.forgetPlans();
            this.remake();
        }
    }

    /** What is scheduled from soon on is made anew: at another speed, or with another end. */
    async remake() {
        const deck = this.currentDeck;
        if (!deck?.isBegun || this.startAt !== null) return;
        const at = this.decks.indexOf(deck);
        for (const next of this.decks.slice(at + 1)) if (next.isBegun) next.rewind();
        const token = {};
        this.startToken = token;
        const when = this.clock.now + Math.round(CHANGE_LEAD * this.clock.rate);
        if (when >= deck.nextWhen && deck.isDone) return;
        const sample = Math.min(Math.round(deck.sampleAt(when)), deck.index.length - 1);
        this.isStarting = true;
        deck.exit = this.transitions.get(deck)?.exitSample ?? deck.index.length;
        try {
            const start = await deck.prepare(sample, { speed: this.rate });
            if (this.startToken !== token || this.decks[this.decks.indexOf(deck)] !== deck) return;
            if (!start) return;
            const from = Math.max(when, this.clock.now);
            deck.stop(from);
            deck.start(start, from, { isFaded: true });
        } catch (error) {
            deck.failure = error;
        } finally {
            if (this.startToken === token) this.isStarting = false;
            this.pump();
        }
    }

    // ---- Looking after it all

    tick() {
        if (this.decks.length > 0) {
            this.passOn();
            this.checkStarvation();
            this.supply.extend();
            this.pump();
            this.checkSleep();
        }
        this.loader.wake();
        this.tellChanges();
    }

    /** Lets go of decks that have been heard to their end. */
    passOn() {
        const now = this.clock.heard;
        let current = this.currentDeck;
        // A track whose successor was not ready in time has ended all the same.
        if (current.isDone && now >= current.nextWhen && this.startAt === null) {
            const next = this.decks[this.decks.indexOf(current) + 1];
            if (next && !next.isBegun) {
                const entry = this.transitions.get(current)?.entry ?? 0;
                this.dropBefore(next);
                this.startAt = entry;
                this.isAtOnce = false;
                current = next;
            } else if (!next && this.queue.after(current.item) === null) {
                this.finish(current);
                return;
            }
        }
        if (this.startAt === null) {
            const ended = this.decks.slice(0, this.decks.indexOf(current)).filter((deck) => now >= deck.nextWhen + this.clock.rate);
            for (const deck of ended) {
                this.decks.splice(this.decks.indexOf(deck), 1);
                this.release(deck);
            }
        }
        this.queue.arrive(current.item);
    }

    dropBefore(deck) {
        for (const old of this.decks.splice(0, this.decks.indexOf(deck))) this.release(old);
    }

    /** The queue is at its end. */
    finish(deck) {
        this.pause();
        deck.close();
        this.decks = [];
        this.transitions.clear();
        this.startAt = null;
        this.resumeAt = null;
        this.tell('end');
    }

    /** Sound has run out where bytes have. */
    checkStarvation() {
        const deck = this.currentDeck;
        if (!deck.isBegun || deck.isDone || this.startAt !== null || this.isStarting || this.clock.isOffline) return;
        const left = (deck.nextWhen - this.clock.now) / this.clock.rate;
        const isStarved = deck.index && !deck.bytes.has(deck.index.at(deck.nextSample).number);
        deck.softenEnd(isStarved && left < 0.5);
        if (left > 0.01) return;
        this.startAt = deck.sampleAt(deck.nextWhen) / deck.index.rate;
        this.isAtOnce = false;
        deck.stop(deck.nextWhen);
    }

    /** Schedules what can be, one call at a time. */
    async pump() {
        if (this.isPumping) {
            this.pumpsAgain = true;
            return;
        }
        this.isPumping = true;
        try {
            do {
                this.pumpsAgain = false;
                await this.schedule();
            } while (this.pumpsAgain);
        } finally {
            this.isPumping = false;
        }
    }

    async schedule() {
        if (this.decks.length === 0) return;
        if (this.startAt !== null) {
            await this.begin();
            return;
        }
        if (this.isStarting) return;
        const first = this.decks.indexOf(this.currentDeck);
        for (let i = Math.max(first, 0); i < this.decks.length; i++) {
            const deck = this.decks[i];
            if (!deck.isBegun) return;
            this.settle(deck, this.decks[i + 1]);
            const ahead = (deck.nextWhen - this.clock.now) / this.clock.rate;
            const isSettled = this.transitions.has(deck) || this.queue.after(deck.item) === null;
            if (!deck.isDone) {
                if (ahead > (isSettled ? SCHEDULE_AGAIN : UNSETTLED_AHEAD / 2) && !this.clock.isOffline) return;
                // Offline there is time to wait for what comes next; live the track's end must not be missed.
                if (!isSettled && this.clock.isOffline) return;
                const until = this.clock.isOffline ? Infinity : this.clock.now + (isSettled ? SCHEDULE_AHEAD : UNSETTLED_AHEAD) * this.clock.rate;
                const result = await this.guarded(deck, () => deck.fill(until));
                if (result === 'late') this.catchUp(deck);
                if (result !== 'done') return;
            }
            const next = this.decks[i + 1];
            if (!next || next.isBegun) continue;
            if (!(await this.join(deck, next))) return;
        }
    }

    /** Runs what decodes; a track that cannot be decoded has failed. */
    async guarded(deck, work) {
        try {
            return await work();
        } catch (error) {
            deck.failure = error;
            this.tellError(error, deck, null);
            return null;
        }
    }

    /** The page was held up for so long that sound ran out: it goes on from where it had come to. */
    catchUp(deck) {
        this.startAt = deck.sampleAt(deck.nextWhen) / deck.index.rate;
        this.isAtOnce = true;
        deck.stop(deck.nextWhen);
    }

    /** Begins the current deck at `startAt`, when enough of it is here. */
    async begin() {
        const deck = this.currentDeck;
        if (!this.isWanted || deck.failure) return;
        if (!(this.isAtOnce ? this.supply.hasSome(deck, this.startAt) : this.supply.hasEnough(deck, this.startAt))) return;
        const token = this.startToken;
        const place = this.startAt;
        const { rate, length } = deck.index;
        const sample = Math.min(Math.round(place * rate), Math.max(length - 1, 0));
        const start = await this.guarded(deck, () => deck.prepare(sample, { speed: this.rate }));
        if (!start || this.startToken !== token || this.startAt !== place || !this.isWanted || this.currentDeck !== deck) return;
        const isResumed = sample > 0;
        this.dropBefore(deck);
        deck.timeline = [];
        deck.start(start, this.clock.now + (this.clock.isOffline ? 0 : Math.round(START_LEAD * this.clock.rate)), { isFaded: isResumed });
        deck.isSoftened = false;
        this.startAt = null;
        this.hasBeenHeard = true;
        this.pumpsAgain = true;
        this.tellChanges();
    }

    /** Settles how a deck goes over into the next, as soon as all is known that this takes. */
    settle(deck, next) {
        if (this.transitions.has(deck) || !next?.index || !deck.index) return;
        const plan = this.supply.planFor(deck, next);
        const left = (deck.nextWhen - this.clock.now) / this.clock.rate + (deck.exit - deck.nextSample) / deck.index.rate / deck.speed;
        // Without the plan, and without the next track's beginning, there is no more than a plain joint.
        const isUrgent = !this.clock.isOffline && left < 3;
        if ((plan === undefined || !next.bytes.has(0)) && !isUrgent) return;
        const transition = transitionOf(deck.track, deck.duration, next.track, plan ?? null, this.transitionSettings);
        const { rate, length } = deck.index;
        const scheduled = deck.nextSample;
        const exit = Math.min(Math.round(transition.exit * rate), length);
        // What is scheduled already cannot be left away without a seam; it is at most a few seconds.
        transition.exitSample = Math.max(exit, Math.min(scheduled, length));
        const earliest = deck.sampleAt(this.clock.now + Math.round(CHANGE_LEAD * this.clock.rate));
        const start = Math.round(transition.start * rate);
        transition.startSample = Math.min(Math.max(start, this.clock.isOffline ? 0 : earliest), transition.exitSample);
        transition.share = exit > start ? (transition.startSample - start) / (exit - start) : 0;
        if (transition.share >= 1) transition.kind = 'cut';
        deck.exit = transition.exitSample;
        if (deck.nextSample >= deck.exit) deck.isDone = true;
        this.transitions.set(deck, transition);
        const isOneStream = transition.kind !== 'overlap' && deck.index.rate === next.index.rate
            && deck.index.channels === next.index.channels && this.rate === 1;
        deck.following = isOneStream ? () => next.samplesFrom(Math.round(transition.entry * rate)) : null;
        this.tell('plan');
    }

    /** Schedules the beginning of the next deck. */
    async join(deck, next) {
        const transition = this.transitions.get(deck);
        if (!transition || next.failure || !next.index) return false;
        const entry = Math.min(Math.round(transition.entry * next.index.rate), next.index.length - 1);
        if (!next.bytes.has(next.index.at(entry).number)) return false;
        const isOverlap = transition.kind === 'overlap';
        const options = { speed: this.rate };
        if (!isOverlap && deck.following && this.rate === 1) {
            options.first = deck.carry;
            options.history = deck.lastSamples ?? undefined;
        }
        const start = await this.guarded(next, () => next.prepare(entry, options));
        if (!start || this.transitions.get(deck) !== transition || !this.decks.includes(next) || next.isBegun) return false;
        let when = isOverlap ? deck.whenOf(transition.startSample) : deck.nextWhen;
        if (!this.clock.isOffline && when < this.clock.now) {
            // It comes too late for the overlap: then as soon as it can.
            when = this.clock.now + Math.round(START_LEAD * this.clock.rate);
        }
        next.timeline = [];
        next.start(start, when);
        if (isOverlap && when < deck.nextWhen) {
            const seconds = (deck.nextWhen - when) / this.clock.rate;
            deck.setFade(restOf(transition.fadeOut, transition.share), when, seconds);
            next.setFade(restOf(transition.fadeIn, transition.share), when, seconds);
        }
        return true;
    }

    // ---- Sleep

    checkSleep() {
        if (this.sleep === 'end-of-track') {
            if (this.currentDeck?.item !== this.sleepTrack) this.fallAsleep();
        } else if (typeof this.sleep === 'number') {
            if (this.sleepsIn < (SLEEP_FADE + 1) * 1000) this.applySleepFade();
            if (Date.now() >= this.sleep) this.fallAsleep();
        }
    }

    /** The last seconds become quieter. */
    applySleepFade() {
        if (!this.context || this.clock.isOffline || !this.isWanted) return;
        const left = typeof this.sleep === 'number' ? (this.sleep - Date.now()) / 1000 : Infinity;
        this.out.gain.setTargetAtTime(Math.min(1, Math.max(0, left / SLEEP_FADE)), this.context.currentTime, 0.1);
    }

    fallAsleep() {
        this.sleep = null;
        this.pause();
        this.tell('sleep');
    }

    // ---- Telling

    tellChanges() {
        const { state, currentDeck } = this;
        const item = currentDeck?.item ?? this.queue.current;
        // A track that is repeated begins anew: it is another deck of the same item.
        const isOther = item !== this.toldItem || (currentDeck && this.toldDeck && currentDeck !== this.toldDeck);
        this.toldItem = item;
        this.toldDeck = currentDeck;
        if (isOther) this.tell('track');
        const transition = this.clock && this.decks.length > 1 ? this.transition : null;
        if ((transition === null) !== (this.toldTransition === null)) {
            this.toldTransition = transition;
            this.tell('transition');
        }
        const message = this.message;
        if (state !== this.toldState || message !== this.toldMessage) {
            this.toldState = state;
            this.toldMessage = message;
            this.tell('state');
        }
        if (state === 'playing' && performance.now() - this.toldPositionAt >= 250) {
            this.toldPositionAt = performance.now();
            this.tell('position');
        }
    }

    tellError(error, deck, retryIn) {
        this.tell('error', { message: error.message, kind: error.kind, track: deck.track, isCurrent: deck === this.currentDeck, retryIn });
        this.tick();
    }

    tell(name, detail) {
        this.dispatchEvent(new CustomEvent(name, { detail }));
    }
}

/** A number within bounds; what is none is 1. */
function clamped(value, low, high) {
    const number = Number(value ?? 1);
    return Number.isFinite(number) ? Math.min(Math.max(number, low), high) : 1;
}
