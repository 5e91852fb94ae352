import { PlayClock } from './play-clock.js';

/** Duration of the fade for pause and resume, in seconds. */
const PAUSE_SECONDS = 0.02;
/** Milliseconds that a context may take to start before it counts as blocked. */
const HELD_AFTER = 3000;
/** Events that browsers accept as user gestures. */
const GESTURES = ['pointerup', 'touchend', 'keydown'];

/** The audio output: the audio context, the volume, and the fades for pause and sleep. */
export class SoundOutput extends EventTarget {
    #analyserNode;
    #isMuted;
    #isOwn;
    #master;
    /** When playback was requested, in milliseconds; null while paused. @type {number | null} */
    #risenAt;
    #suspending;
    #volumeFactor;

    /**
     * Dispatches `change` when the browser suspends or resumes the context.
     *
     * @param {object} parts
     * @param {BaseAudioContext} [parts.context] output; by default, a context is created when first needed
     * @param {number} parts.volume from 0 to 1
     */
    constructor({ context, volume }) {
        super();
        /** An `AudioContext`, or in tests an `OfflineAudioContext`. @type {any} */
        this.context = null;
        /** Null until `use`. @type {PlayClock} */
        this.clock = /** @type {any} */ (null);
        this.#volumeFactor = volume;
        this.#isMuted = false;
        this.#risenAt = null;
        this.wake = () => {
            if (this.#risenAt !== null && this.context.state !== 'running') this.context.resume().catch(() => {});
        };
        if (context) this.#use(context);
    }

    /**
     * Creates a context unless it exists already.
     * @param {number} [rate] sample rate of the first track
     */
    need(rate = 0) {
        if (this.context) return;
        this.#isOwn = true;
        // At the file's own rate, no resampling is necessary. The rates of MPEG-2 are too low for some outputs.
        this.#use(
            rate >= 32000
                ? new AudioContext({ sampleRate: rate, latencyHint: 'balanced' })
                : new AudioContext({ latencyHint: 'balanced' }),
        );
        this.context.addEventListener('statechange', () => this.dispatchEvent(new Event('change')));
        // Audio that was blocked, or interrupted by a call, resumes with any user gesture.
        for (const gesture of GESTURES) document.addEventListener(gesture, this.wake, { capture: true, passive: true });
        // Lets iPhones play in silent mode and behind other apps.
        const { audioSession } = /** @type {any} */ (navigator);
        if (audioSession) audioSession.type = 'playback';
    }

    #use(context) {
        this.context = context;
        this.clock = new PlayClock(context);
        /** The node that the decks are connected to. */
        this.mix = context.createGain();
        this.out = context.createGain();
        this.#master = context.createGain();
        this.mix.connect(this.out).connect(this.#master).connect(context.destination);
        this.#master.gain.value = this.amplitude;
        if (!this.clock.isOffline) this.out.gain.value = 0;
    }

    /** Whether the context renders as fast as possible, without audio output. */
    get isOffline() {
        return this.clock?.isOffline ?? false;
    }

    /** Whether the browser blocks audio: no user gesture yet, another app has the output, or there is no device. */
    get isHeld() {
        return Boolean(this.#isOwn) && this.#risenAt !== null && this.context.state !== 'running' &&
            performance.now() - this.#risenAt > HELD_AFTER;
    }

    /** A node that analyses the output before the volume is applied. */
    get analyser() {
        if (!this.#analyserNode) {
            this.#analyserNode = this.context.createAnalyser();
            this.mix.connect(this.#analyserNode);
        }
        return this.#analyserNode;
    }

    get volume() {
        return this.#volumeFactor;
    }

    set volume(factor) {
        this.#volumeFactor = factor;
        this.#applyVolume();
    }

    get muted() {
        return this.#isMuted;
    }

    set muted(isMuted) {
        this.#isMuted = isMuted;
        this.#applyVolume();
    }

    /** Amplitude: the square of the volume, to match perceived loudness. */
    get amplitude() {
        return this.#isMuted ? 0 : this.#volumeFactor ** 2;
    }

    #applyVolume() {
        this.#master?.gain.setTargetAtTime(this.amplitude, this.context.currentTime, 0.01);
    }

    /** Resumes with a fade-in. */
    async rise() {
        clearTimeout(this.#suspending);
        this.#risenAt = performance.now();
        await this.context.resume();
        this.out.gain.cancelScheduledValues(0);
        this.out.gain.setTargetAtTime(1, this.context.currentTime, PAUSE_SECONDS / 4);
    }

    /** Pauses with a fade-out. */
    fall() {
        if (!this.context || this.isOffline) return;
        this.#risenAt = null;
        this.out.gain.cancelScheduledValues(0);
        this.out.gain.setTargetAtTime(0, this.context.currentTime, PAUSE_SECONDS / 4);
        clearTimeout(this.#suspending);
        this.#suspending = setTimeout(() => this.context.suspend(), PAUSE_SECONDS * 1500);
    }

    /** Sets the level of the sleep fade. */
    dim(factor) {
        if (!this.context || this.isOffline) return;
        this.out.gain.setTargetAtTime(factor, this.context.currentTime, 0.1);
    }

    close() {
        clearTimeout(this.#suspending);
        for (const gesture of GESTURES) document.removeEventListener(gesture, this.wake, { capture: true });
        if (this.#isOwn && this.context.state !== 'closed') this.context.close();
    }
}
