import { PlayClock } from './play-clock.js';

/** Seconds in which sound fades for a pause. */
const PAUSE_SECONDS = 0.02;
/** Milliseconds that a context may take to go on before it counts as held back. */
const HELD_AFTER = 3000;
/** What browsers take for a listener's own doing. */
const GESTURES = ['pointerup', 'touchend', 'keydown'];

/** The way of the sound from the decks to the ear: the audio context, the volume, and the fades of a pause and of sleep. */
export class SoundOutput extends EventTarget {
    /**
     * Tells `change` where a context of its own is held up or goes on by itself.
     *
     * @param {object} parts
     * @param {BaseAudioContext} [parts.context] to play into; made when it is first needed where none is given
     * @param {number} parts.volume from 0 to 1
     */
    constructor({ context, volume }) {
        super();
        /** @type {BaseAudioContext | null} */
        this.context = null;
        /** @type {PlayClock | null} */
        this.clock = null;
        this.volumeFactor = volume;
        this.isMuted = false;
        /** When it was told to go on; null while it is to hold. @type {number | null} */
        this.risenAt = null;
        this.wake = () => {
            if (this.risenAt !== null && this.context.state !== 'running') this.context.resume().catch(() => {});
        };
        if (context) this.use(context);
    }

    /**
     * From here on there is a context.
     * @param {number} [rate] of the first track's samples
     */
    need(rate) {
        if (this.context) return;
        this.isOwn = true;
        // At the file's own rate nothing is resampled here. The rates of MPEG-2 are too low for some outputs.
        this.use(rate >= 32000 ? new AudioContext({ sampleRate: rate, latencyHint: 'balanced' }) : new AudioContext({ latencyHint: 'balanced' }));
        this.context.addEventListener('statechange', () => this.dispatchEvent(new Event('change')));
        // Sound that was refused, or that a call took away, comes back by a touch of anything.
        for (const gesture of GESTURES) document.addEventListener(gesture, this.wake, { capture: true, passive: true });
        // So that iPhones let it be heard although they are switched to silent, and behind other apps.
        if (navigator.audioSession) navigator.audioSession.type = 'playback';
    }

    use(context) {
        this.context = context;
        this.clock = new PlayClock(context);
        /** What the decks play into. */
        this.mix = context.createGain();
        this.out = context.createGain();
        this.master = context.createGain();
        this.mix.connect(this.out).connect(this.master).connect(context.destination);
        this.master.gain.value = this.amplitude;
        if (!this.clock.isOffline) this.out.gain.value = 0;
    }

    /** Whether it is rendered as fast as it can be, and nobody hears it. */
    get isOffline() {
        return this.clock?.isOffline ?? false;
    }

    /** Whether the browser does not let it be heard: nobody touched the page yet, another app has the sound, or there is no device. */
    get isHeld() {
        return Boolean(this.isOwn) && this.risenAt !== null && this.context.state !== 'running' && performance.now() - this.risenAt > HELD_AFTER;
    }

    /** A node that sees all that is played, before the volume. */
    get analyser() {
        if (!this.analyserNode) {
            this.analyserNode = this.context.createAnalyser();
            this.mix.connect(this.analyserNode);
        }
        return this.analyserNode;
    }

    get volume() {
        return this.volumeFactor;
    }

    set volume(factor) {
        this.volumeFactor = factor;
        this.applyVolume();
    }

    get muted() {
        return this.isMuted;
    }

    set muted(isMuted) {
        this.isMuted = isMuted;
        this.applyVolume();
    }

    /** It goes with the volume's square, as the ear does. */
    get amplitude() {
        return this.isMuted ? 0 : this.volumeFactor ** 2;
    }

    applyVolume() {
        this.master?.gain.setTargetAtTime(this.amplitude, this.context.currentTime, 0.01);
    }

    /** Goes on, out of silence. */
    async rise() {
        clearTimeout(this.suspending);
        this.risenAt = performance.now();
        await this.context.resume();
        this.out.gain.cancelScheduledValues(0);
        this.out.gain.setTargetAtTime(1, this.context.currentTime, PAUSE_SECONDS / 4);
    }

    /** Falls silent, and holds. */
    fall() {
        if (!this.context || this.isOffline) return;
        this.risenAt = null;
        this.out.gain.cancelScheduledValues(0);
        this.out.gain.setTargetAtTime(0, this.context.currentTime, PAUSE_SECONDS / 4);
        clearTimeout(this.suspending);
        this.suspending = setTimeout(() => this.context.suspend(), PAUSE_SECONDS * 1500);
    }

    /** Becomes quieter, or as loud as it was again. */
    dim(factor) {
        if (!this.context || this.isOffline) return;
        this.out.gain.setTargetAtTime(factor, this.context.currentTime, 0.1);
    }

    close() {
        clearTimeout(this.suspending);
        for (const gesture of GESTURES) document.removeEventListener(gesture, this.wake, { capture: true });
        if (this.isOwn && this.context.state !== 'closed') this.context.close();
    }
}
