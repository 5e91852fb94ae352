import { Bandwidth } from './bandwidth.js';
import { ChangeTeller } from './change-teller.js';
import { Deck } from './deck.js';
import { DeckLine } from './deck-line.js';
import { Joiner } from './joiner.js';
import { Loader } from './loader.js';
import { PlayQueue } from './play-queue.js';
import { PlaybackSettings } from './playback-settings.js';
import { PlayerStatus } from './player-status.js';
import { QueueFollower } from './queue-follower.js';
import { Scheduler } from './scheduler.js';
import { SegmentDecoder } from './segment-decoder.js';
import { SleepTimer } from './sleep-timer.js';
import { SoundOutput } from './sound-output.js';
import { SoundProcessor } from './sound-processor.js';
import { Supply } from './supply.js';
import { entryOf } from './transition.js';

/** How often all is looked after, in milliseconds. */
const TICK = 100;

const DEFAULT_POLICY = { silenceSeconds: 30, probeSeconds: 0.75, retryDelays: undefined };

/**
 * Plays tracks: fetches their frames, decodes them, and schedules them on the audio clock, one after the other without a
 * gap, or one into the other. It does what the listener does, and has the parts it is made of do the rest.
 *
 * Events: `state`, `track`, `position` (at most four a second), `buffer`, `queue`, `error` (`detail`: the message, the
 * kind, and `retryIn` seconds where it will be tried again), `transition`, `plan`, `volume`, `speed`, `sleep`, `end`.
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
        const { silenceSeconds, probeSeconds, retryDelays } = { ...DEFAULT_POLICY, ...policy };
        const tell = (name) => this.tell(name);
        this.settings = settings;
        this.playbackSettings = new PlaybackSettings(settings);
        this.queue = new PlayQueue();
        this.queue.addEventListener('change', (event) => this.queueChanged(event.detail));
        settings.addEventListener?.('change', (event) => this.settingChanged(event.key ?? event.detail?.key));
        this.decoder = new SegmentDecoder();
        this.processor = new SoundProcessor();
        this.bandwidth = new Bandwidth();
        this.output = new SoundOutput({ context, volume: clamped(settings.get('playback.volume'), 0, 1) });
        this.output.addEventListener('change', () => this.tick());
        const { queue, output, bandwidth } = this;
        const line = new DeckLine(output);
        line.speed = clamped(settings.get('playback.speed'), 0.5, 3);
        this.line = line;
        this.supply = new Supply({
            client, line, output, queue, bandwidth, silenceSeconds, settings: this.playbackSettings, makeDeck: (item) => this.newDeck(item),
            onArrival: () => this.tick(),
            onSegment: () => {
                this.loader.retries.succeed();
                this.tell('buffer');
                this.tick();
            },
        });
        const { supply } = this;
        this.loader = new Loader({ nextJob: () => supply.nextJob(), isHostThere: (signal) => supply.isHostThere(signal), probeSeconds, retryDelays });
        this.loader.addEventListener('change', () => this.tick());
        this.loader.addEventListener('trouble', ({ detail }) => this.tellError(detail.error, detail.deck, detail.delay));
        this.loader.addEventListener('failure', ({ detail }) => this.tellError(detail.error, detail.deck, null));
        const joiner = new Joiner({ line, output, supply, settings: this.playbackSettings, onPlan: () => this.tell('plan') });
        this.scheduler = new Scheduler({
            line, output, queue, supply, joiner,
            onBegin: () => this.teller.tellChanges(), onFailure: (error, deck) => this.tellError(error, deck, null),
        });
        this.follower = new QueueFollower({ queue, line, output, onChange: () => this.scheduler.remake(), onEnd: () => this.finish() });
        this.sleeper = new SleepTimer({ line, output, onSleep: () => this.fallAsleep() });
        this.status = new PlayerStatus({ line, loader: this.loader });
        this.teller = new ChangeTeller({ line, queue, status: this.status, tell });
        this.timer = setInterval(() => this.tick(), TICK);
    }

    // ---- What is heard

    /** The track that is heard. During a crossfade it is the incoming one from its beginning. */
    get current() {
        return this.currentDeck?.track ?? this.queue.current?.track ?? null;
    }

    get currentDeck() {
        return this.line.current;
    }

    /** Seconds of the current track that have been heard. */
    get position() {
        return this.line.position;
    }

    /** The place in the current track at a time of the audio clock. */
    positionAt(audioTime) {
        return this.line.positionAt(audioTime);
    }

    /** Length of the current track in seconds. */
    get duration() {
        return this.currentDeck?.duration ?? this.current?.duration_seconds ?? 0;
    }

    /** Stretches of the current track that are here, in seconds. */
    get buffered() {
        return this.currentDeck?.bytes?.stretches ?? [];
    }

    /** The crossfade that is heard now, as `DeckLine` has it; null for none. */
    get transition() {
        return this.line.transition;
    }

    /** The transition out of the current track, as `transition` has it; null where it is not settled yet. */
    get plannedTransition() {
        return this.line.plannedTransition;
    }

    /** As `PlayerStatus` has it. */
    get state() {
        return this.status.state;
    }

    /** What the listener is to read; empty for nothing. */
    get message() {
        return this.status.message;
    }

    /** Seconds until the next try by itself; null where there is none. */
    get retryIn() {
        return this.status.retryIn;
    }

    /** Seconds of sound here from the position on, those of following tracks with it. */
    get secondsAhead() {
        return this.supply.secondsAhead;
    }

    /** A node that sees all that is played, before the volume. */
    analyser() {
        this.needContext();
        return this.output.analyser;
    }

    // ---- What the listener does

    /** Plays, or goes on. Browsers want this to come of a click or a key the first time. */
    async play() {
        const { line, queue } = this;
        if (!queue.current) return;
        this.needContext();
        line.isWanted = true;
        if (line.decks.length === 0) this.open(queue.current, line.resumeAt);
        if (line.current?.failure) this.retry();
        this.tick();
        if (this.output.isOffline) return;
        await this.output.rise();
        this.tick();
    }

    /** Holds; the position stays to the sample. */
    pause() {
        if (!this.line.isWanted) return;
        this.line.isWanted = false;
        this.output.fall();
        this.tick();
    }

    /** Plays where it holds, and the other way round. */
    toggle() {
        return this.line.isWanted ? this.pause() : this.play();
    }

    /** Ends; the queue stays. */
    stop() {
        this.pause();
        this.stopSound();
        this.tick();
    }

    stopSound() {
        this.line.clear();
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
        this.line.resumeAt = Math.max(0, Number(seconds) || 0);
        this.tell('position');
    }

    /** Goes to a place of the current track, in seconds. */
    seek(seconds) {
        const deck = this.currentDeck;
        if (!deck) {
            this.line.resumeAt = Math.max(0, seconds);
            return;
        }
        this.scheduler.seek(Math.min(Math.max(0, Number(seconds) || 0), Math.max(0, deck.duration - 0.01)));
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
        for (const deck of this.line.decks) deck.failure = null;
        this.loader.retry();
        this.tick();
    }

    /** From 0 to 1. */
    get volume() {
        return this.output.volume;
    }

    set volume(value) {
        this.output.volume = clamped(value, 0, 1);
        this.settings.set('playback.volume', this.output.volume);
        this.tell('volume');
    }

    get muted() {
        return this.output.muted;
    }

    set muted(isMuted) {
        this.output.muted = Boolean(isMuted);
        this.tell('volume');
    }

    /** 0.5 to 3; the pitch stays. */
    get speed() {
        return this.line.speed;
    }

    set speed(value) {
        const speed = clamped(value, 0.5, 3);
        if (speed === this.line.speed) return;
        this.line.speed = speed;
        for (const deck of this.line.decks) if (!deck.isBegun) deck.speed = speed;
        this.settings.set('playback.speed', speed);
        this.scheduler.remake();
        this.tell('speed');
    }

    /**
     * Ends playing at a time, after a last fade.
     * @param {number | Date | 'end-of-track' | null} when null for not at all
     */
    sleepAt(when) {
        this.sleeper.set(when);
        this.tell('sleep');
    }

    /** When it sleeps, as it was told to `sleepAt`. */
    get sleep() {
        return this.sleeper.when;
    }

    /** Milliseconds until it sleeps; null where it does not, or at the track's end. */
    get sleepsIn() {
        return this.sleeper.left;
    }

    /** Ends all for good. */
    close() {
        clearInterval(this.timer);
        this.loader.close();
        this.line.dropFrom(0);
        this.processor.close();
        this.output.close();
    }

    // ---- For those that look closely: tests and measurements

    get decks() {
        return this.line.decks;
    }

    get transitions() {
        return this.line.transitions;
    }

    get startAt() {
        return this.line.startAt;
    }

    get clock() {
        return this.output.clock;
    }

    get context() {
        return this.output.context;
    }

    // ---- What ties the parts together

    needContext() {
        this.output.need(this.queue.current?.track.sample_rate_hz);
    }

    newDeck(item) {
        const deck = new Deck({ item, context: this.context, output: this.output.mix, processor: this.processor, decoder: this.decoder });
        deck.speed = this.line.speed;
        this.supply.attach(deck);
        deck.setLevel(this.playbackSettings.levelOf(deck.track));
        return deck;
    }

    /** Begins with an item, at a place in seconds; null for its beginning. */
    open(item, place) {
        this.line.open(this.newDeck(item), place ?? (this.playbackSettings.transitions.skipSilence ? entryOf(item.track) : 0));
        this.loader.reconsider();
    }

    queueChanged({ isNewStart, isArrival, isPlayWanted }) {
        if (isNewStart) {
            this.stopSound();
            if (this.line.isWanted || isPlayWanted) this.play();
        } else if (!isArrival) {
            this.follower.checkOrder();
            this.loader.reconsider();
        }
        this.tell('queue');
        this.tick();
    }

    settingChanged(key) {
        const { line } = this;
        if (PlaybackSettings.changesLevels(key)) for (const deck of line.decks) deck.setLevel(this.playbackSettings.levelOf(deck.track));
        if (PlaybackSettings.changesTransitions(key)) {
            for (const deck of line.decks.slice(Math.max(line.index, 0))) line.unsettle(deck);
            this.supply.forgetPlans();
            this.scheduler.remake();
        }
    }

    tick() {
        if (this.line.decks.length > 0) this.follower.passOn();
        // That may have been the last.
        if (this.line.decks.length > 0) {
            this.scheduler.checkStarvation();
            this.supply.extend();
            this.scheduler.pump();
            this.sleeper.check();
        }
        this.loader.wake();
        this.teller.tellChanges();
    }

    /** The queue is at its end. */
    finish() {
        this.line.clear();
        this.sleeper.check();
        this.pause();
        this.tell('end');
    }

    fallAsleep() {
        this.pause();
        this.tell('sleep');
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
