/** The tracks that are playing or scheduled, in order, with the transitions between them and the position of the first one. */
export class DeckLine {
    /** @param {import('../output/sound-output.js').SoundOutput} output */
    constructor(output) {
        this.output = output;
        /** @type {import('./deck.js').Deck[]} */
        this.decks = [];
        /** Transitions by outgoing deck. @type {Map<import('./deck.js').Deck, import('../queue/transition.js').Transition>} */
        this.transitions = new Map();
        /** Whether playback is requested. */
        this.isWanted = false;
        /** Playback speed; the pitch is preserved. */
        this.speed = 1;
        /** Position from which the current track will be started, in seconds; null while it is playing. @type {number | null} */
        this.startAt = null;
        /** Position from which to start the queue's current track if no deck is open yet, in seconds. @type {number | null} */
        this.resumeAt = null;
        /** Whether to start with whatever is buffered. */
        this.isAtOnce = false;
        /** Whether a start is being prepared. */
        this.isStarting = false;
        /** Replaced for each requested start: prepared audio for an older token is discarded. */
        this.startToken = {};
        this.hasBeenHeard = false;
    }

    /**
     * The deck that is heard. During a crossfade it is the incoming one from its start.
     * @returns {import('./deck.js').Deck | null}
     */
    get current() {
        const now = this.output.clock ? this.output.clock.heard : 0;
        let current = this.decks[0] ?? null;
        for (const deck of this.decks) if (deck.beginsAt <= now) current = deck;
        return current;
    }

    /** Index of the current deck; -1 without decks. */
    get index() {
        return this.decks.findIndex((deck) => deck === this.current);
    }

    /** Returns the deck after another. @returns {import('./deck.js').Deck | undefined} */
    after(deck) {
        return this.decks[this.decks.indexOf(deck) + 1];
    }

    /** Position in the current track in seconds. */
    get position() {
        const { clock } = this.output;
        return clock ? this.positionAt(clock.heard / clock.rate) : this.resumeAt ?? 0;
    }

    /** Returns the position in the current track at a time of the audio clock. */
    positionAt(audioTime) {
        const deck = this.current;
        if (!deck) return this.resumeAt ?? 0;
        if (this.startAt !== null || !deck.index) return this.startAt ?? 0;
        return deck.sampleAt(audioTime * this.output.clock.rate) / deck.index.rate;
    }

    /**
     * The crossfade that is heard now; null outside of crossfades.
     * @returns {ReturnType<typeof describedTransition> | null}
     */
    get transition() {
        const at = this.index;
        const outgoing = this.decks[at - 1];
        const plan = outgoing && this.transitions.get(outgoing);
        if (plan?.kind !== 'overlap' || this.output.clock.heard >= outgoing.nextWhen) return null;
        return describedTransition(outgoing, this.decks[at], plan);
    }

    /** The transition out of the current track, in the format of `transition`; null if it is not decided yet. */
    get plannedTransition() {
        const deck = this.current;
        const plan = deck && this.transitions.get(deck);
        const next = this.after(deck);
        return plan && next ? describedTransition(deck, next, plan) : null;
    }

    // ---- Changes

    /** Opens a single deck at a position in seconds. */
    open(deck, place) {
        this.dropFrom(0);
        this.decks = [deck];
        this.resumeAt = null;
        this.waitAt(place, false);
        this.renewStart();
        this.hasBeenHeard = false;
    }

    /** Drops all decks. */
    clear() {
        this.dropFrom(0);
        this.startAt = null;
        this.resumeAt = null;
    }

    /**
     * Schedules the current track to start at a position in seconds: as soon as anything is buffered, or with enough in the buffer.
     */
    waitAt(place, isAtOnce) {
        this.startAt = place;
        this.isAtOnce = isAtOnce;
    }

    /** Discards a start that is being prepared. */
    renewStart() {
        this.isStarting = false;
        this.startToken = {};
    }

    /** Discards the transition out of a deck. */
    unsettle(deck) {
        this.transitions.delete(deck);
        if (deck.index) deck.exit = deck.index.length;
    }

    /** Discards a mix out of the current deck: songs are mixed only at their own speed. */
    unsettleMix() {
        const deck = this.current;
        if (deck && this.transitions.get(deck)?.mix) this.unsettle(deck);
    }

    /** Drops the decks before one. */
    dropBefore(deck) {
        for (const old of this.decks.splice(0, this.decks.indexOf(deck))) this.release(old);
    }

    /** Drops the decks from an index on. */
    dropFrom(at) {
        for (const deck of this.decks.splice(at)) this.release(deck);
    }

    /** Drops a deck. */
    drop(deck) {
        this.decks.splice(this.decks.indexOf(deck), 1);
        this.release(deck);
    }

    release(deck) {
        this.transitions.delete(deck);
        deck.close();
    }
}

/**
 * Describes a transition for the page, in seconds.
 * @param {import('./deck.js').Deck} outgoing
 * @param {import('./deck.js').Deck} incoming
 * @param {any} plan as placed by `Joiner`
 * @returns {{kind: string, from: any, to: any, start: number, seconds: number, cueIn: number, isMix: boolean, reason: string | null,
 *   fadeOut: Float32Array | null, fadeIn: Float32Array | null, curve: import('../output/speed-curve.js').SpeedCurve | null}}
 *   `start` in the outgoing track, `cueIn` where the incoming one starts; the factors of both tracks over the overlap, and the speed
 *   of the incoming one
 */
export function describedTransition(outgoing, incoming, { kind, startSample, exitSample, entry, mix, reason, fadeOut, fadeIn }) {
    const { rate } = outgoing.index;
    return {
        kind,
        from: outgoing.track,
        to: incoming.track,
        start: startSample / rate,
        seconds: (exitSample - startSample) / rate,
        cueIn: entry,
        isMix: Boolean(mix),
        reason: reason ?? null,
        fadeOut,
        fadeIn,
        curve: mix?.curve ?? null,
    };
}
