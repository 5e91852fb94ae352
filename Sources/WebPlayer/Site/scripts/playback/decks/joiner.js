import { CHANGE_LEAD, START_LEAD } from './leads.js';
import { positionOn } from '../output/speed-curve.js';
import { restOf, transitionOf } from '../queue/transition.js';

/** Joins a track and the next one: gapless, with a cut, or with a crossfade. */
export class Joiner {
    /**
     * @param {object} parts
     * @param {import('./deck-line.js').DeckLine} parts.line
     * @param {import('../output/sound-output.js').SoundOutput} parts.output
     * @param {import('../loading/supply.js').Supply} parts.supply
     * @param {import('../control/playback-settings.js').PlaybackSettings} parts.settings
     * @param {() => void} parts.onPlan called when a transition has been decided
     */
    constructor({ line, output, supply, settings, onPlan }) {
        this.line = line;
        this.output = output;
        this.supply = supply;
        this.settings = settings;
        this.onPlan = onPlan;
    }

    /** Decides the transition from a deck to the next one as soon as the necessary data is available. */
    settle(deck, next) {
        const { clock } = this.output;
        if (this.line.transitions.has(deck) || !next?.index || !deck.index) return;
        const plan = this.supply.planFor(deck, next);
        const left = (deck.nextWhen - clock.now) / clock.rate + (deck.exit - deck.nextSample) / deck.index.rate / deck.speed;
        // If time runs short without the host's plan or the next track's start, a plain join has to do.
        const isUrgent = !clock.isOffline && left < 3;
        if ((plan === undefined || !next.bytes.has(0)) && !isUrgent) return;
        const transition = transitionOf(deck.track, deck.duration, next.track, plan ?? null, this.settings.transitions, {
            from: deck.level,
            to: next.level,
            isMixable: this.line.speed === 1,
        });
        this.place(deck, transition);
        deck.exit = transition.exitSample;
        this.line.transitions.set(deck, transition);
        const { rate, channels } = deck.index;
        const isOneStream = transition.kind !== 'overlap' && rate === next.index.rate && channels === next.index.channels;
        deck.following = isOneStream ? { deck: next, entry: entryIn(next, transition) } : null;
        this.onPlan();
    }

    /** Places a transition on samples of the outgoing track, as far as there is time for it. */
    place(deck, transition) {
        const { clock } = this.output;
        const { rate, length } = deck.index;
        const exit = Math.min(Math.round(transition.exit * rate), length);
        // Audio that is already scheduled, at most a few seconds, cannot be dropped without an audible cut.
        transition.exitSample = Math.max(exit, Math.min(deck.nextSample, length));
        const earliest = deck.sampleAt(clock.now + Math.round(CHANGE_LEAD * clock.rate));
        const start = Math.round(transition.start * rate);
        transition.startSample = Math.min(Math.max(start, clock.isOffline ? 0 : earliest), transition.exitSample);
        transition.share = exit > start ? (transition.startSample - start) / (exit - start) : 0;
        if (transition.share >= 1) transition.kind = 'cut';
        if (!transition.mix) return;
        // A mix that begins late begins in its middle, so that the beats keep together.
        transition.mix.elapsed = transition.share > 0 ? (transition.startSample - start) / rate : 0;
        transition.entry = positionOn(transition.mix.curve, transition.mix.elapsed);
        if (transition.kind === 'cut') transition.mix = null;
    }

    /**
     * Schedules the start of the next deck.
     * @returns {Promise<boolean>} whether it was started
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
        const { mix } = transition;
        const start = await next.prepare(entry, { speed: line.speed, goingOn, mix });
        if (!start || line.transitions.get(deck) !== transition || !line.decks.includes(next) || next.isBegun) {
            start?.chain?.close();
            return false;
        }
        let when = isOverlap ? deck.whenOf(transition.startSample) : deck.nextWhen;
        if (!clock.isOffline && when < clock.now && mix) {
            // Too late for the beats: they meet a little later.
            start.chain?.close();
            this.place(deck, transition);
            return false;
        }
        if (!clock.isOffline && when < clock.now) {
            // Too late for the overlap: start as soon as possible.
            when = clock.now + Math.round(START_LEAD * clock.rate);
        }
        next.timeline = [];
        next.start(start, when);
        if (isOverlap && when < deck.nextWhen) {
            const seconds = (deck.nextWhen - when) / clock.rate;
            const bass = mix ? bassOf(mix, when, clock.rate) : { out: null, in: null };
            deck.leave(restOf(transition.fadeOut, transition.share), when, seconds, bass.out);
            next.arrive(restOf(transition.fadeIn, transition.share), when, seconds, bass.in);
        }
        return true;
    }
}

/** Returns the changes of the bass of both tracks of a mix that is heard from a time on. */
function bassOf({ bassOut, bassIn, elapsed }, when, rate) {
    const placed = (bass) => bass && { ...bass, when: when + Math.round((bass.after - elapsed) * rate) };
    return { out: placed(bassOut), in: placed(bassIn) };
}

/** Returns the sample at which a track is entered. */
function entryIn(deck, transition) {
    return Math.min(Math.round(transition.entry * deck.index.rate), deck.index.length - 1);
}
