/** The tracks that are heard or will be, in order, how each goes over into the next, and where the first one stands. */
export class DeckLine {
    /** @param {import('./sound-output.js').SoundOutput} output */
    constructor(output) {
        this.output = output;
        /** @type {import('./deck.js').Deck[]} */
        this.decks = [];
        /** Transitions by the deck that goes out. @type {Map<import('./deck.js').Deck, import('./transition.js').Transition>} */
        this.transitions = new Map();
        /** Whether the listener wants to hear it. */
        this.isWanted = false;
        /** How fast it is played; the pitch stays. */
        this.speed = 1;
        /** Where the current track is to be begun, in seconds; null while it is being heard. @type {number | null} */
        this.startAt = null;
        /** Where the queue's current track is to be begun when nothing is loaded yet. @type {number | null} */
        this.resumeAt = null;
        /** Whether it is begun with what is here, however little. */
        this.isAtOnce = false;
        /** Whether the sound of another start is being made. */
        this.isStarting = false;
        /** Another one for each start that is wanted: what was begun for an older one is given up. */
        this.startToken = {};
        this.hasBeenHeard = false;
    }

    /** The one that is heard. During a crossfade it is the incoming one from its beginning. @returns {import('./deck.js').Deck | null} */
    get current() {
        const now = this.output.clock ? this.output.clock.heard : 0;
        let current = this.decks[0] ?? null;
        for (const deck of this.decks) if (deck.beginsAt <= now) current = deck;
        return current;
    }

    /** Where the current one stands among the decks; -1 for none. */
    get index() {
        return this.decks.indexOf(this.current);
    }

    /** The deck after another. @returns {import('./deck.js').Deck | undefined} */
    after(deck) {
        return this.decks[this.decks.indexOf(deck) + 1];
    }

    /** Seconds of the current track that have been heard. */
    get position() {
        const { clock } = this.output;
        return clock ? this.positionAt(clock.heard / clock.rate) : this.resumeAt ?? 0;
    }

    /** The place in the current track at a time of the audio clock. */
    positionAt(audioTime) {
        const deck = this.current;
        if (!deck) return this.resumeAt ?? 0;
        if (this.startAt !== null || !deck.index) return this.startAt ?? 0;
        return deck.sampleAt(audioTime * this.output.clock.rate) / deck.index.rate;
    }

    /**
     * The crossfade that is heard now; null for none.
     * @returns {{kind: string, from: any, to: any, start: number, seconds: number, cueIn: number} | null}
     *   `start` in seconds of the outgoing track, `cueIn` where the incoming one is entered
     */
    get transition() {
        const at = this.index;
        const outgoing = this.decks[at - 1];
        const plan = outgoing && this.transitions.get(outgoing);
        if (plan?.kind !== 'overlap' || this.output.clock.heard >= outgoing.nextWhen) return null;
        return described(outgoing, this.decks[at], plan);
    }

    /** The transition out of the current track, as `transition` has it; null where it is not settled yet. */
    get plannedTransition() {
        const deck = this.current;
        const plan = deck && this.transitions.get(deck);
        const next = this.after(deck);
        return plan && next ? described(deck, next, plan) : null;
    }

    // ---- What changes it

    /** Begins with a deck, at a place in seconds. */
    open(deck, place) {
        this.dropFrom(0);
        this.decks = [deck];
        this.resumeAt = null;
        this.waitAt(place, false);
        this.renewStart();
        this.hasBeenHeard = false;
    }

    /** Holds nothing any more. */
    clear() {
        this.dropFrom(0);
        this.startAt = null;
        this.resumeAt = null;
    }

    /** The current track is to be begun at a place in seconds, with what is here or when there is enough. */
    waitAt(place, isAtOnce) {
        this.startAt = place;
        this.isAtOnce = isAtOnce;
    }

    /** Gives up a start that is being made. */
    renewStart() {
        this.isStarting = false;
        this.startToken = {};
    }

    /** What comes after a deck is open again. */
    unsettle(deck) {
        this.transitions.delete(deck);
        if (deck.index) deck.exit = deck.index.length;
    }

    /** Lets go of the decks before one. */
    dropBefore(deck) {
        for (const old of this.decks.splice(0, this.decks.indexOf(deck))) this.release(old);
    }

    /** Lets go of the decks from a number on. */
    dropFrom(at) {
        for (const deck of this.decks.splice(at)) this.release(deck);
    }

    /** Lets go of a deck. */
    drop(deck) {
        this.decks.splice(this.decks.indexOf(deck), 1);
        this.release(deck);
    }

    release(deck) {
        this.transitions.delete(deck);
        deck.close();
    }
}

function described(outgoing, incoming, { kind, startSample, exitSample, entry }) {
    const { rate } = outgoing.index;
    return { kind, from: outgoing.track, to: incoming.track, start: startSample / rate, seconds: (exitSample - startSample) / rate, cueIn: entry };
}
