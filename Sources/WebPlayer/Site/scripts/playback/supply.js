import { downloadLowSegment } from './low-download.js';
import { downloadSegments } from './segment-download.js';
import { SegmentIndex } from './segment-index.js';
import { TrackBytes } from './track-bytes.js';

/** What all tracks' bytes may take. */
const MOST_BYTES = 48 << 20;
/** As much as makes a seek worth while, in seconds. */
const SOME_SECONDS = 0.5;
/** What is to be ahead at least where the network is good enough, in seconds. */
const LEAST_AHEAD = 15;
/** After how long a plan that could not be had for want of a network is asked for again, in seconds. */
const PLAN_AGAIN = 5;
/** How long before a track's end the next one is prepared, in seconds. */
const PREPARE_BEFORE_END = 120;
/** How much of the next track is fetched ahead, in seconds. */
const PREPARED_SECONDS = 10;

/** Sees to it that what will be heard is here in time: decides what is fetched next, and keeps it. */
export class Supply {
    /**
     * @param {object} parts
     * @param {any} parts.client a `HostClient`
     * @param {import('./deck-line.js').DeckLine} parts.line
     * @param {import('./sound-output.js').SoundOutput} parts.output
     * @param {import('./play-queue.js').PlayQueue} parts.queue
     * @param {import('./bandwidth.js').Bandwidth} parts.bandwidth
     * @param {import('./quality.js').Quality} parts.quality
     * @param {import('./playback-settings.js').PlaybackSettings} parts.settings
     * @param {number} parts.silenceSeconds after which an answer that stands still is given up
     * @param {(item: import('./play-queue.js').QueueItem) => import('./deck.js').Deck} parts.makeDeck
     * @param {() => void} parts.onArrival something is known that was not
     * @param {() => void} parts.onSegment a segment is here that was not
     */
    constructor({ client, line, output, queue, bandwidth, quality, settings, silenceSeconds, makeDeck, onArrival, onSegment }) {
        Object.assign(this, { client, line, output, queue, bandwidth, quality, settings, silenceSeconds, makeDeck, onArrival, onSegment });
        /** What is known of tracks, those used last at the end. @type {Map<number, {index: SegmentIndex, bytes: TrackBytes}>} */
        this.tracks = new Map();
        /** Plans by both tracks' ids; null for those that could not be had. */
        this.plans = new Map();
        this.planFailedAt = -Infinity;
    }

    /** Gives a deck what is here of its track already. */
    attach(deck) {
        const known = this.tracks.get(deck.track.id);
        if (!known) return;
        this.tracks.delete(deck.track.id);
        this.tracks.set(deck.track.id, known);
        deck.open(known.index, known.bytes);
    }

    /** The host's plan for a transition; undefined while it is not here, null where it cannot be had. */
    planFor(from, to) {
        return this.wantsPlan ? this.plans.get(planName(from, to)) : null;
    }

    get wantsPlan() {
        const { crossfadeSeconds, skipSilence } = this.settings.transitions;
        return crossfadeSeconds > 0 || skipSilence;
    }

    forgetPlans() {
        this.plans.clear();
    }

    /** Puts the next track's deck behind the last one, in time. */
    extend() {
        const { line, output } = this;
        const last = line.decks.at(-1);
        if (!last?.index || last.failure) return;
        const at = line.decks.indexOf(line.current);
        // No more than one track is prepared before the one that is heard has come to its end; offline, all at once.
        if (line.decks.length - at > 2 && !output.isOffline) return;
        if (line.decks.length - at === 2 && !line.current.isDone && !output.isOffline) return;
        if (!output.isOffline && this.secondsLeft(last) > PREPARE_BEFORE_END * line.speed) return;
        if (output.isOffline && !last.isBegun) return;
        const item = this.queue.after(last.item);
        if (!item || (output.isOffline && line.decks.length > 32)) return;
        line.decks.push(this.makeDeck(item));
    }

    /** Seconds of a deck from what is heard, or from where it is entered, to its end. */
    secondsLeft(deck) {
        return deck.index.length / deck.index.rate - this.placeIn(deck) / deck.index.rate;
    }

    /** Where a deck is heard, or will be, in samples. */
    placeIn(deck) {
        const { line } = this;
        const isCurrent = deck === line.current;
        if (isCurrent && line.startAt !== null) return Math.min(Math.round(line.startAt * deck.index.rate), deck.index.length);
        if (isCurrent) return deck.sampleAt(this.output.clock.heard);
        const before = line.decks[line.decks.indexOf(deck) - 1];
        return Math.round((line.transitions.get(before)?.entry ?? 0) * deck.index.rate);
    }

    /** Seconds of sound that are here from what is heard on. */
    get secondsAhead() {
        const { decks, current } = this.line;
        let seconds = 0;
        for (const deck of decks.slice(Math.max(decks.indexOf(current), 0))) {
            if (!deck.index) break;
            const place = this.placeIn(deck);
            const reach = deck.bytes.reach(Math.floor(place));
            seconds += Math.max(0, Math.min(reach, deck.exit) - place) / deck.index.rate;
            if (reach < deck.exit) break;
        }
        return seconds / this.line.speed;
    }

    /** Whether what is heard first at a place, in seconds, is here. */
    hasSome(deck, seconds) {
        if (!deck.index) return false;
        const place = Math.min(Math.round(seconds * deck.index.rate), deck.index.length);
        return deck.bytes.reach(place) >= Math.min(place + SOME_SECONDS * deck.index.rate, deck.index.length);
    }

    /** Whether enough is here to begin at a place, in seconds. */
    hasEnough(deck, seconds) {
        if (!deck?.index) return false;
        const place = Math.min(Math.round(seconds * deck.index.rate), deck.index.length);
        const wanted = Math.min(place + this.secondsBeforeStart(deck) * deck.index.rate * this.line.speed, deck.index.length);
        return deck.bytes.has(deck.index.at(place).number) && deck.bytes.reach(place) >= wanted;
    }

    secondsBeforeStart(deck) {
        return this.bandwidth.secondsBeforeStart(this.quality.bitsOf(deck.bytes.bitsPerSecond));
    }

    /** Whether the host answers at all. */
    async isHostThere(signal) {
        await this.client.fetch('/health', { signal, cache: 'no-store' });
        return true;
    }

    /** @returns {import('./loader.js').Job | null} what is to be fetched now */
    nextJob() {
        const { line, output, bandwidth } = this;
        if (line.decks.length === 0 || !output.clock) return null;
        const { current, decks } = line;
        let seconds = 0;
        const target = bandwidth.secondsAhead * line.speed;
        for (let i = Math.max(decks.indexOf(current), 0); i < decks.length; i++) {
            const deck = decks[i];
            if (deck.failure) return null;
            if (!deck.index) return this.indexJob(deck);
            const place = this.placeIn(deck);
            const isNext = deck !== current;
            if (isNext && this.wantsPlan && this.planFor(decks[i - 1], deck) === undefined && performance.now() / 1000 - this.planFailedAt > PLAN_AGAIN) return this.planJob(decks[i - 1], deck);
            const { segments, rate } = deck.index;
            const missing = deck.bytes.firstMissing(deck.index.at(Math.floor(place)).number);
            if (missing < segments.length && segments[missing].start < deck.exit) {
                const last = this.lastWanted(deck, missing, place, seconds, target, isNext);
                if (last >= missing) return this.segmentsJob(deck, missing, last);
                // There is enough of this one for now: the next is only prepared.
                seconds += target;
            }
            seconds += Math.max(0, deck.exit - place) / rate;
        }
        return null;
    }

    /**
     * The last segment that is to be fetched with one request; below `missing` for none.
     * @param {number} seconds of sound that are here before the deck's own
     */
    lastWanted(deck, missing, place, seconds, target, isNext) {
        const { line, output } = this;
        const { segments, rate } = deck.index;
        const ahead = (number) => seconds + (Math.min(segments[number].end, deck.exit) - place) / rate;
        const here = seconds + Math.max(0, segments[missing].start - place) / rate;
        let last = missing - 1;
        const isStarting = line.startAt !== null && !isNext;
        if (output.isOffline) return segments.length - 1;
        if (isStarting && !line.isAtOnce && !this.hasEnough(deck, place / rate)) {
            // First what is heard first: the rest comes when that is here.
            const wanted = this.secondsBeforeStart(deck) * line.speed;
            last = missing;
            while (last + 1 < segments.length && ahead(last) < wanted) last++;
            return last;
        }
        // Whole segments that stay within what is to be ahead; one more where there is less than is good to have.
        while (last + 1 < segments.length && segments[last + 1].start < deck.exit && ahead(last + 1) <= target) last++;
        if (last < missing && here < Math.min(target, LEAST_AHEAD * line.speed)) last = missing;
        if (last < missing && isNext) {
            while (last + 1 < segments.length && (segments[last + 1].start - place) / rate < PREPARED_SECONDS) last++;
        }
        return last;
    }

    indexJob(deck) {
        return {
            deck, name: `index ${deck.item.uid}`,
            run: async (signal) => {
                const json = await this.client.json(`/tracks/${deck.track.id}/segments.json`, { signal });
                const index = new SegmentIndex(json);
                const known = { index, bytes: new TrackBytes(index) };
                this.tracks.set(deck.track.id, known);
                for (const each of this.line.decks) if (each.track.id === deck.track.id && !each.index) each.open(index, known.bytes);
                this.onArrival();
            },
        };
    }

    planJob(from, to) {
        const name = planName(from, to);
        const { crossfadeSeconds, targetLUFS } = this.settings.transitions;
        const query = { from: from.track.id, to: to.track.id, target_lufs: targetLUFS, ...(crossfadeSeconds > 0 ? { max_seconds: crossfadeSeconds } : {}) };
        return {
            deck: to, name: `plan ${name}`, isOptional: true,
            run: async (signal) => {
                try {
                    this.plans.set(name, await this.client.json('/crossfade', { query, signal }));
                } catch (error) {
                    // A track without an analysis has no plan, and plays all the same.
                    if (!signal.aborted) {
                        if (error?.kind === 'offline') this.planFailedAt = performance.now() / 1000;
                        else this.plans.set(name, null);
                    }
                    throw error;
                } finally {
                    this.onArrival();
                }
            },
        };
    }

    segmentsJob(deck, from, to) {
        const { bytes, track: { id: trackId } } = deck;
        const isLow = this.wantsLow(deck);
        const { client, bandwidth, silenceSeconds } = this;
        const onSegment = () => {
            this.shrink();
            this.onSegment();
        };
        return {
            deck, name: `segments ${trackId} ${from}`,
            run: (signal) => {
                const job = { client, trackId, bytes, signal, bandwidth, silenceSeconds, onSegment };
                // One at a time: what the network carries may be more by then.
                if (isLow) return downloadLowSegment({ ...job, number: from });
                return downloadSegments({ ...job, from, to, isWanted: () => !this.wantsLow(deck) });
            },
        };
    }

    /** Whether the low quality of a track is to be fetched. What was downloaded costs nothing. */
    wantsLow(deck) {
        return deck.bytes.hasLow && !this.client.isKept?.(deck.track.id) && this.quality.of(deck.bytes.bitsPerSecond) === 'low';
    }

    /** The quality in which the place that is heard is here; null where it is not. @returns {'original' | 'low' | null} */
    get heardQuality() {
        const deck = this.line.current;
        if (!deck?.index) return null;
        const { number } = deck.index.at(Math.floor(this.placeIn(deck)));
        return deck.bytes.has(number) ? (deck.bytes.isLow(number) ? 'low' : 'original') : null;
    }

    /** Lets go of tracks that are not played now, and of what is far behind, until the rest is within bounds. */
    shrink() {
        const { decks, current } = this.line;
        let total = 0;
        for (const { bytes } of this.tracks.values()) total += bytes.byteCount;
        for (const [id, { bytes }] of this.tracks) {
            if (total <= MOST_BYTES) return;
            if (decks.some((deck) => deck.track.id === id)) continue;
            this.tracks.delete(id);
            total -= bytes.byteCount;
        }
        const bytes = current?.bytes;
        if (total > MOST_BYTES && bytes) bytes.shrink(Math.max(0, bytes.byteCount - (total - MOST_BYTES)), Math.floor(this.placeIn(current)));
    }
}

function planName(from, to) {
    return `${from.track.id} ${to.track.id}`;
}
