import { CHANGE_LEAD, START_LEAD } from './leads.js';
import { restOf, transitionOf } from './transition.js';

/** Brings a track and the next one together: without a gap, with a cut, or one into the other. */
export class Joiner {
    /**
     * @param {object} parts
     * @param {import('./deck-line.js').DeckLine} parts.line
     * @param {import('./sound-output.js').SoundOutput} parts.output
     * @param {import('./supply.js').Supply} parts.supply
     * @param {import('./playback-settings.js').PlaybackSettings} parts.settings
     * @param {() => void} parts.onPlan it is settled how a track goes over into the next
     */
    constructor({ line, output, supply, settings, onPlan }) {
        Object.assign(this, { line, output, supply, settings, onPlan });
    }

    /** Settles how a deck goes over into the next, as soon as all is known that this takes. */
    settle(deck, next) {
        const { clock } = this.output;
        if (this.line.transitions.has(deck) || !next?.index || !deck.index) return;
        const plan = this.supply.planFor(deck, next);
        const left = (deck.nextWhen - clock.now) / clock.rate + (deck.exit - deck.nextSample) / deck.index.rate / deck.speed;
        // Without the plan, and without the next track's beginning, there is no more than a plain joint.
        const isUrgent = !clock.isOffline && left < 3;
        if ((plan === undefined || !next.bytes.has(0)) && !isUrgent) return;
        const transition = transitionOf(deck.track, deck.duration, next.track, plan ?? null, this.settings.transitions);
        this.place(deck, transition);
        deck.exit = transition.exitSample;
        this.line.transitions.set(deck, transition);
        const { rate, channels } = deck.index;
        const isOneStream = transition.kind !== 'overlap' && rate === next.index.rate && channels === next.index.channels;
        deck.following = isOneStream ? { deck: next, entry: entryIn(next, transition) } : null;
        this.onPlan();
    }

    /** Puts a transition on samples of the outgoing track, as far as there is time for it. */
    place(deck, transition) {
        const { clock } = this.output;
        const { rate, length } = deck.index;
        const exit = Math.min(Math.round(transition.exit * rate), length);
        // What is scheduled already cannot be left away without a seam; it is at most a few seconds.
        transition.exitSample = Math.max(exit, Math.min(deck.nextSample, length));
        const earliest = deck.sampleAt(clock.now + Math.round(CHANGE_LEAD * clock.rate));
        const start = Math.round(transition.start * rate);
        transition.startSample = Math.min(Math.max(start, clock.isOffline ? 0 : earliest), transition.exitSample);
        transition.share = exit > start ? (transition.startSample - start) / (exit - start) : 0;
        if (transition.share >= 1) transition.kind = 'cut';
    }

    /**
     * Schedules the beginning of the next deck.
     * @returns {Promise<boolean>} whether it is begun
     */
    async join(deck, next) {
        const { line, output: { clock } } = this;
        const transition = line.transitions.get(deck);
        if (!transition || next.failure || !next.index) return false;
        const entry = entryIn(next, transition);
        const goingOn = deck.goingOnWith(next, entry, line.speed);
        if (!next.bytes.has(next.index.at(entry + (goingOn?.followed ?? 0)).number)) return false;
        if (goingOn) deck.handOver();
        const isOverlap = transition.kind === 'overlap';
        const start = await next.prepare(entry, { speed: line.speed, goingOn });
        if (!start || line.transitions.get(deck) !== transition || !line.decks.includes(next) || next.isBegun) {
            start?.chain?.close();
            return false;
        }
        let when = isOverlap ? deck.whenOf(transition.startSample) : deck.nextWhen;
        if (!clock.isOffline && when < clock.now) {
            // It comes too late for the overlap: then as soon as it can.
            when = clock.now + Math.round(START_LEAD * clock.rate);
        }
        next.timeline = [];
        next.start(start, when);
        if (isOverlap && when < deck.nextWhen) {
            const seconds = (deck.nextWhen - when) / clock.rate;
            deck.setFade(restOf(transition.fadeOut, transition.share), when, seconds);
            next.setFade(restOf(transition.fadeIn, transition.share), when, seconds);
        }
        return true;
    }
}

/** Where a track is entered, in its samples. */
function entryIn(deck, transition) {
    return Math.min(Math.round(transition.entry * deck.index.rate), deck.index.length - 1);
}
