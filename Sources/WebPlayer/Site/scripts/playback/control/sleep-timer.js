/** Duration of the fade before playback stops, in seconds. */
const FADE_SECONDS = 10;

/** Stops playback at a time or at the end of a track, after a fade. */
export class SleepTimer {
    /**
     * @param {object} parts
     * @param {import('../decks/deck-line.js').DeckLine} parts.line
     * @param {import('../output/sound-output.js').SoundOutput} parts.output
     * @param {() => void} parts.onSleep
     */
    constructor({ line, output, onSleep }) {
        this.line = line;
        this.output = output;
        this.onSleep = onSleep;
        /** Wall-clock time in milliseconds; null for off. @type {number | 'end-of-track' | null | undefined} */
        this.when = undefined;
    }

    /** @param {number | Date | 'end-of-track' | null} when null to cancel */
    set(when) {
        this.when = when === null || when === 'end-of-track' ? when : Number(when);
        this.item = this.line.current?.item ?? null;
        this.fade();
    }

    /** Milliseconds until playback stops; null if the timer is off or set to the end of the track. */
    get left() {
        return typeof this.when === 'number' ? Math.max(0, this.when - Date.now()) : null;
    }

    /** Stops playback if it is time. */
    check() {
        if (this.when === 'end-of-track') {
            if (this.line.current?.item !== this.item) this.fallAsleep();
        } else if (typeof this.when === 'number') {
            if (this.when - Date.now() < (FADE_SECONDS + 1) * 1000) this.fade();
            if (Date.now() >= this.when) this.fallAsleep();
        }
    }

    /** Sets the level for the last seconds. */
    fade() {
        if (!this.line.isWanted) return;
        const left = typeof this.when === 'number' ? (this.when - Date.now()) / 1000 : Infinity;
        this.output.dim(Math.min(1, Math.max(0, left / FADE_SECONDS)));
    }

    fallAsleep() {
        this.when = null;
        this.onSleep();
    }
}
