import { CHANGE_LEAD, LONGEST_LEAD, START_LEAD } from './leads.js';
import { positionOn } from '../output/speed-curve.js';

/** How far ahead audio is scheduled, in seconds: timers of a background page fire at most once a second. */
const SCHEDULE_AHEAD = 14;
/** More audio is scheduled when less than this many seconds are left. */
const SCHEDULE_AGAIN = 10;
/** How far ahead audio is scheduled while the transition is undecided, in seconds. */
const UNSETTLED_AHEAD = 4;

/** Schedules the decks' audio on the audio clock: starts the first deck, continues it, and has the next ones joined. */
export class Scheduler {
    #isPumping;
    #pumpsAgain;

    /**
     * @param {object} parts
     * @param {import('./deck-line.js').DeckLine} parts.line
     * @param {import('../output/sound-output.js').SoundOutput} parts.output
     * @param {import('../queue/play-queue.js').PlayQueue} parts.queue
     * @param {import('../loading/supply.js').Supply} parts.supply
     * @param {import('./joiner.js').Joiner} parts.joiner
     * @param {() => void} parts.onBegin called when the current track has started
     * @param {(error: any, deck: import('./deck.js').Deck) => void} parts.onFailure called when a track cannot be decoded
     */
    constructor({ line, output, queue, supply, joiner, onBegin, onFailure }) {
        this.line = line;
        this.output = output;
        this.queue = queue;
        this.supply = supply;
        this.joiner = joiner;
        this.onBegin = onBegin;
        this.onFailure = onFailure;
        this.#isPumping = false;
    }

    /** Schedules what can be scheduled. Calls while it is running are merged into one more run. */
    async pump() {
        if (this.#isPumping) {
            this.#pumpsAgain = true;
            return;
        }
        this.#isPumping = true;
        try {
            do {
                this.#pumpsAgain = false;
                await this.schedule();
            } while (this.#pumpsAgain);
        } finally {
            this.#isPumping = false;
        }
    }

    async schedule() {
        const { line } = this;
        if (line.decks.length === 0) return;
        if (line.startAt !== null) {
            await this.begin();
            return;
        }
        if (line.isStarting) return;
        for (let i = Math.max(line.index, 0); i < line.decks.length; i++) {
            const deck = line.decks[i];
            if (!deck.isBegun) return;
            this.joiner.settle(deck, line.decks[i + 1]);
            if (!deck.isDone && !(await this.fill(deck))) return;
            const next = line.decks[i + 1];
            if (!next || next.isBegun) continue;
            if (!(await this.#guarded(next, () => this.joiner.join(deck, next)))) return;
        }
    }

    /**
     * Schedules more of a deck.
     * @returns {Promise<boolean>} whether it is scheduled to its end
     */
    async fill(deck) {
        const { clock } = this.output;
        const ahead = (deck.nextWhen - clock.now) / clock.rate;
        const isSettled = this.line.transitions.has(deck) || this.queue.after(deck.item) === null;
        if (ahead > (isSettled ? SCHEDULE_AGAIN : UNSETTLED_AHEAD / 2) && !clock.isOffline) return false;
        // Offline rendering can wait for the transition; live playback must not miss the end of the track.
        if (!isSettled && clock.isOffline) return false;
        const until = clock.isOffline ? Infinity : clock.now + (isSettled ? SCHEDULE_AHEAD : UNSETTLED_AHEAD) * clock.rate;
        const result = await this.#guarded(deck, () => deck.fill(until));
        // The page was blocked for so long that the audio ran out: continue from there.
        if (result === 'late') this.#waitForMore(deck, true);
        return result === 'done';
    }

    /** Runs decoding work; if it fails, marks the track as failed. */
    async #guarded(deck, work) {
        try {
            return await work();
        } catch (error) {
            deck.failure = error;
            this.onFailure(error, deck);
            return null;
        }
    }

    /** Starts the current deck at `startAt` when enough of it is buffered. */
    async begin() {
        const { line, supply, output: { clock } } = this;
        const deck = /** @type {import('./deck.js').Deck} */ (line.current);
        if (!line.isWanted || deck.failure) return;
        const { startToken: token, startAt: place } = line;
        if (!(line.isAtOnce ? supply.hasSome(deck, place) : supply.hasEnough(deck, place))) return;
        const { rate, length } = deck.index;
        const sample = Math.min(Math.round(place * rate), Math.max(length - 1, 0));
        const start = await this.#guarded(deck, () => deck.prepare(sample, { speed: line.speed }));
        if (!start || line.startToken !== token || line.startAt !== place || !line.isWanted || line.current !== deck) {
            start?.chain?.close();
            return;
        }
        line.dropBefore(deck);
        deck.timeline = [];
        deck.start(start, clock.now + (clock.isOffline ? 0 : Math.round(START_LEAD * clock.rate)), { isFaded: sample > 0 });
        line.startAt = null;
        line.hasBeenHeard = true;
        this.#pumpsAgain = true;
        this.onBegin();
    }

    /** Checks whether the audio has run out for lack of data. */
    checkStarvation() {
        const { line, output: { clock } } = this;
        const deck = /** @type {import('./deck.js').Deck} */ (line.current);
        if (!deck.isBegun || deck.isDone || line.startAt !== null || line.isStarting || clock.isOffline) return;
        const left = (deck.nextWhen - clock.now) / clock.rate;
        const isStarved = deck.index && !deck.bytes.has(deck.index.at(deck.nextSample).number);
        deck.softenEnd(isStarved && left < 0.5);
        if (left <= 0.01) this.#waitForMore(deck, false);
    }

    /** Stops the current deck where its scheduled audio ends, to start again from there. */
    #waitForMore(deck, isAtOnce) {
        this.line.waitAt(deck.sampleAt(deck.nextWhen) / deck.index.rate, isAtOnce);
        deck.stop(deck.nextWhen);
    }

    /** Seeks in the current deck, to a position in seconds. */
    seek(place) {
        const { line } = this;
        const deck = /** @type {import('./deck.js').Deck} */ (line.current);
        // Audio that is fading out or was scheduled next must not be heard now.
        line.dropBefore(deck);
        for (const next of line.decks.slice(1)) if (next.isBegun) next.rewind();
        line.unsettle(deck);
        if (deck.isBegun) {
            deck.stop();
            deck.stay();
        }
        // Buffered audio is played immediately, however little there is.
        line.waitAt(place, this.supply.hasSome(deck, place));
        line.renewStart();
    }

    /** Replaces the scheduled audio from shortly ahead on, after a change of speed or of the transition. */
    async remake() {
        // On a busy machine, the audio is ready too late, and would be out of step with the other song of a mix.
        for (let lead = CHANGE_LEAD; !await this.#remakeIn(lead); lead *= 2);
    }

    /** @param {number} lead seconds until the new audio is heard @returns {Promise<boolean>} false if it was not ready in time */
    async #remakeIn(lead) {
        const { line, output: { clock } } = this;
        const deck = line.current;
        if (!deck?.isBegun || line.startAt !== null) return true;
        for (const next of line.decks.slice(line.decks.indexOf(deck) + 1)) if (next.isBegun) next.rewind();
        const token = {};
        line.startToken = token;
        const when = clock.now + Math.round(lead * clock.rate);
        if (when >= deck.nextWhen && deck.isDone) return true;
        const mix = line.speed === 1 ? deck.mixAt(when) : null;
        const place = mix ? positionOn(mix.curve, mix.elapsed) * deck.index.rate : deck.sampleAt(when);
        const sample = Math.min(Math.round(place), deck.index.length - 1);
        // Removes the fade-out for a track that is no longer next.
        if (deck.isLeaving && !line.transitions.has(deck)) deck.stay();
        line.isStarting = true;
        deck.exit = line.transitions.get(deck)?.exitSample ?? deck.index.length;
        try {
            const start = await deck.prepare(sample, { speed: line.speed, mix });
            if (!start || line.startToken !== token || !line.decks.includes(deck)) {
                start?.chain?.close();
                return true;
            }
            if (when < clock.now && lead < LONGEST_LEAD) {
                start.chain?.close();
                return false;
            }
            const from = Math.max(when, clock.now);
            deck.stop(from);
            deck.start(start, from, { isFaded: true });
        } catch (error) {
            deck.failure = error;
            this.onFailure(error, deck);
        } finally {
            if (line.startToken === token) line.isStarting = false;
            this.pump();
        }
        return true;
    }
}
