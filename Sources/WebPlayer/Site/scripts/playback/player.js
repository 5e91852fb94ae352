import { bounded } from './bounded.js';
import { Engine } from './engine.js';

/**
 * Plays tracks: fetches their frames, decodes them, and schedules them on the audio clock, one after the other without a
 * gap, or one into the other. This is what the page talks to; the engine does it.
 *
 * Events: `state`, `track`, `position` (at most four a second), `buffer`, `queue`, `error` (`detail`: the message, the
 * kind, and `retryIn` seconds where it will be tried again), `transition`, `plan`, `volume`, `speed`, `sleep`, `end`,
 * `tags` (what is known of tracks in the queue is something else).
 */
export class Player extends EventTarget {
    /**
     * @param {object} parts
     * @param {any} parts.client a `HostClient`
     * @param {any} parts.settings a `Settings`
     * @param {BaseAudioContext} [parts.context] to play into; made when it is first needed where none is given
     * @param {Partial<{silenceSeconds: number, probeSeconds: number, retryDelays: Record<string, number[]>}>} [parts.policy]
     */
    constructor({ client, settings, context, policy }) {
        super();
        this.settings = settings;
        this.engine = new Engine({ client, settings, context, policy, tell: (name, detail) => this.tell(name, detail) });
        const { queue, line, output, supply, loader, bandwidth, timer } = this.engine;
        Object.assign(this, { queue, line, output, supply, loader, bandwidth, timer, policy: this.engine.policy });
    }

    // ---- What is heard

    /** The track that is heard. During a crossfade it is the incoming one from its beginning. */
    get current() {
        return (this.currentDeck?.item ?? this.queue.current)?.track ?? null;
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
        return this.engine.status.state;
    }

    /** What the listener is to read; empty for nothing. */
    get message() {
        return this.engine.status.message;
    }

    /** Seconds until the next try by itself; null where there is none. */
    get retryIn() {
        return this.engine.status.retryIn;
    }

    /** Seconds of sound here from the position on, those of following tracks with it. */
    get secondsAhead() {
        return this.supply.secondsAhead;
    }

    /** The quality that is heard: 'original', 'low', or null while nothing is. */
    get quality() {
        return this.supply.heardQuality;
    }

    /** A node that sees all that is played, before the volume. */
    analyser() {
        this.engine.needContext();
        return this.output.analyser;
    }

    // ---- What the listener does

    /** Plays, or goes on. Browsers want this to come of a click or a key the first time. */
    play() {
        return this.engine.play();
    }

    /** Holds; the position stays to the sample. */
    pause() {
        this.engine.pause();
    }

    /** Plays where it holds, and the other way round. */
    toggle() {
        return this.line.isWanted && !this.output.isHeld ? this.pause() : this.play();
    }

    /** Ends; the queue stays. */
    stop() {
        this.pause();
        this.engine.stopSound();
        this.engine.tick();
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

    /**
     * Takes what the catalogue knows of the queue's tracks now: their tags may have been edited. What is heard stays as it is.
     * @param {Map<number, any>} trackById
     */
    renew(trackById) {
        if (this.queue.renew(trackById)) this.tell('tags');
    }

    /** Goes to a place of the current track, in seconds. */
    seek(seconds) {
        const deck = this.currentDeck;
        if (!deck) {
            this.line.resumeAt = Math.max(0, seconds);
            return;
        }
        this.engine.scheduler.seek(Math.min(Math.max(0, Number(seconds) || 0), Math.max(0, deck.duration - 0.01)));
        this.loader.reconsider();
        this.engine.tick();
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
        this.engine.retry();
    }

    /** From 0 to 1. */
    get volume() {
        return this.output.volume;
    }

    set volume(value) {
        this.output.volume = bounded(value, 0, 1);
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
        const speed = bounded(value, 0.5, 3);
        if (speed === this.line.speed) return;
        this.line.speed = speed;
        for (const deck of this.line.decks) if (!deck.isBegun) deck.speed = speed;
        this.settings.set('playback.speed', speed);
        this.engine.scheduler.remake();
        this.tell('speed');
    }

    /**
     * Ends playing at a time, after a last fade.
     * @param {number | Date | 'end-of-track' | null} when null for not at all
     */
    sleepAt(when) {
        this.engine.sleeper.set(when);
        this.tell('sleep');
    }

    /** When it sleeps, as it was told to `sleepAt`. */
    get sleep() {
        return this.engine.sleeper.when;
    }

    /** Milliseconds until it sleeps; null where it does not, or at the track's end. */
    get sleepsIn() {
        return this.engine.sleeper.left;
    }

    /** Ends all for good. */
    close() {
        this.engine.close();
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

    tell(name, detail) {
        this.dispatchEvent(new CustomEvent(name, { detail }));
    }
}
