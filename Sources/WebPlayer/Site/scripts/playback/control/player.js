import { SPEED } from '../../host/settings-table.js';
import { bounded } from './bounded.js';
import { Engine } from './engine.js';

/**
 * Plays tracks: downloads their frames, decodes them and schedules them on the audio clock, gapless or with crossfades. This is
 * the page's interface; the engine does the work.
 *
 * Events: `state`, `track`, `position` (at most four per second), `buffer`, `queue`, `error` (`detail`: message, kind, and
 * `retryIn` in seconds if a retry is scheduled), `transition`, `plan`, `volume`, `speed`, `sleep`, `end`, `tags` (metadata of
 * queued tracks has changed).
 */
export class Player extends EventTarget {
    /**
     * @param {object} parts
     * @param {any} parts.client a `HostClient`
     * @param {any} parts.settings a `Settings`
     * @param {BaseAudioContext} [parts.context] output; by default, a context is created when first needed
     * @param {import('./engine.js').Policy} [parts.policy]
     */
    constructor({ client, settings, context, policy }) {
        super();
        this.settings = settings;
        this.engine = new Engine({ client, settings, context, policy, emit: (name, detail) => this.emit(name, detail) });
        const { queue, line, output, supply, loader, bandwidth, timer } = this.engine;
        this.queue = queue;
        this.line = line;
        this.output = output;
        this.supply = supply;
        this.loader = loader;
        this.bandwidth = bandwidth;
        this.timer = timer;
        this.policy = this.engine.policy;
    }

    // ---- What is heard

    /** The track that is heard. During a crossfade it is the incoming one from its start. */
    get current() {
        return (this.currentDeck?.item ?? this.queue.current)?.track ?? null;
    }

    get currentDeck() {
        return this.line.current;
    }

    /** Position in the current track in seconds. */
    get position() {
        return this.line.position;
    }

    /** Returns the position in the current track at a time of the audio clock. */
    positionAt(audioTime) {
        return this.line.positionAt(audioTime);
    }

    /** Duration of the current track in seconds. */
    get duration() {
        return this.currentDeck?.duration ?? this.current?.duration_seconds ?? 0;
    }

    /** Buffered ranges of the current track, in seconds. */
    get buffered() {
        return this.currentDeck?.bytes?.stretches ?? [];
    }

    /** The crossfade that is heard now, as in `DeckLine`; null outside of crossfades. */
    get transition() {
        return this.line.transition;
    }

    /** The transition out of the current track, in the format of `transition`; null if it is not decided yet. */
    get plannedTransition() {
        return this.line.plannedTransition;
    }

    /** See `PlayerStatus`. */
    get state() {
        return this.engine.status.state;
    }

    /** Message for the user; may be empty. */
    get message() {
        return this.engine.status.message;
    }

    /** Seconds until the next automatic retry; null if none is scheduled. */
    get retryIn() {
        return this.engine.status.retryIn;
    }

    /** Seconds of buffered audio from the position on, including the following tracks. */
    get secondsAhead() {
        return this.supply.secondsAhead;
    }

    /** How much of the audio that a start needs is buffered, from 0 to 1; null unless the player is loading or buffering. */
    get startProgress() {
        return this.state === 'loading' || this.state === 'buffering' ? this.supply.startProgress : null;
    }

    /** The quality that is heard: 'original', 'high' (MP3, if the browser cannot decode the file), 'low', or null if nothing is. */
    get quality() {
        return this.supply.heardQuality;
    }

    /** Returns a node that analyses the output before the volume is applied. */
    analyser() {
        this.engine.needContext();
        return this.output.analyser;
    }

    // ---- Controls

    /** Starts or resumes playback. The first time, browsers require a user gesture. */
    play() {
        return this.engine.play();
    }

    /** Pauses playback at the exact sample. */
    pause() {
        this.engine.pause();
    }

    /** Toggles between play and pause. */
    toggle() {
        return this.line.isWanted && !this.output.isHeld ? this.pause() : this.play();
    }

    /** Stops playback; the queue is kept. */
    stop() {
        this.pause();
        this.engine.stopSound();
        this.engine.tick();
    }

    /**
     * Restores the queue and position without playing.
     * @param {any[]} tracks
     * @param {number} at index of the current track
     * @param {number} seconds position in it
     */
    restore(tracks, at, seconds) {
        this.queue.load(tracks, at);
        this.line.resumeAt = Math.max(0, Number(seconds) || 0);
        this.emit('position');
    }

    /**
     * Updates the metadata of queued tracks, which may have been edited. Playback is not affected.
     * @param {Pick<Map<number, any>, 'get'>} trackById
     */
    renew(trackById) {
        if (this.queue.renew(trackById)) this.emit('tags');
    }

    /** Seeks in the current track, to a position in seconds. */
    seek(seconds) {
        const deck = this.currentDeck;
        if (!deck) {
            this.line.resumeAt = Math.max(0, seconds);
            return;
        }
        this.engine.scheduler.seek(Math.min(Math.max(0, Number(seconds) || 0), Math.max(0, deck.duration - 0.01)));
        this.loader.reconsider();
        this.engine.tick();
        this.emit('position');
    }

    /** Skips to the next track. Returns whether there is one. */
    next() {
        return this.queue.next();
    }

    /** Goes to the start of the track, or to the previous track within its first three seconds. */
    previous() {
        if (this.position > 3 || !this.queue.previous()) this.seek(0);
    }

    /** Retries tracks that failed. */
    retry() {
        this.engine.retry();
    }

    /** Volume from 0 to 1. */
    get volume() {
        return this.output.volume;
    }

    set volume(value) {
        this.output.volume = bounded(value, 0, 1);
        this.settings.set('playback.volume', this.output.volume);
        this.emit('volume');
    }

    get muted() {
        return this.output.muted;
    }

    set muted(isMuted) {
        this.output.muted = Boolean(isMuted);
        this.emit('volume');
    }

    /** Playback speed within `SPEED`; the pitch is preserved. */
    get speed() {
        return this.line.speed;
    }

    set speed(value) {
        const speed = bounded(value, SPEED.least, SPEED.most);
        if (speed === this.line.speed) return;
        this.line.speed = speed;
        for (const deck of this.line.decks) if (!deck.isBegun) deck.speed = speed;
        this.line.unsettleMix();
        this.settings.set('playback.speed', speed);
        this.engine.scheduler.remake();
        this.emit('speed');
    }

    /**
     * Sets the sleep timer: playback stops at a time, after a fade.
     * @param {number | Date | 'end-of-track' | null} when null to cancel
     */
    sleepAt(when) {
        this.engine.sleeper.set(when);
        this.emit('sleep');
    }

    /** The sleep timer as set by `sleepAt`. */
    get sleep() {
        return this.engine.sleeper.when;
    }

    /** Milliseconds until the sleep timer ends; null if it is off or set to the end of the track. */
    get sleepsIn() {
        return this.engine.sleeper.left;
    }

    /** Releases all resources. */
    close() {
        this.engine.close();
    }

    // ---- Internals, for tests and measurements

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

    emit(name, detail) {
        this.dispatchEvent(new CustomEvent(name, { detail }));
    }
}
