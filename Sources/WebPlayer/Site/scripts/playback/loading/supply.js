import { downloadLowSegment } from './low-download.js';
import { Prefetch } from './prefetch.js';
import { downloadSegments } from './segment-download.js';
import { SegmentIndex } from './segment-index.js';
import { TrackBytes } from './track-bytes.js';

/** Maximum size of all downloaded track data in memory, in bytes. */
const MOST_BYTES = 96 << 20;
/** Minimum buffered audio for an immediate seek, in seconds. */
const SOME_SECONDS = 0.5;
/** Minimum buffer if the network is fast enough, in seconds. */
const LEAST_AHEAD = 15;
/** Seconds until a crossfade plan is requested again after a network failure. */
const PLAN_AGAIN = 5;
/** How long before the end of a track the next one is prepared, in seconds. */
const PREPARE_BEFORE_END = 120;
/** How much of the next track is downloaded in advance on any network, in seconds; on fast ones `Prefetch` downloads the rest. */
const PREPARED_SECONDS = 10;

/** Decides what to download next, so that playback does not run out of data, and stores it. */
export class Supply {
    #planFailedAt;
    #prefetch = new Prefetch(this);
    /** Crossfade plans by both track ids; null if the host has none. */
    #plans;

    /**
     * @param {object} parts
     * @param {any} parts.client a `HostClient`
     * @param {import('../decks/deck-line.js').DeckLine} parts.line
     * @param {import('../output/sound-output.js').SoundOutput} parts.output
     * @param {import('../queue/play-queue.js').PlayQueue} parts.queue
     * @param {import('./bandwidth.js').Bandwidth} parts.bandwidth
     * @param {import('./quality.js').Quality} parts.quality
     * @param {{canDecode: (index: SegmentIndex) => Promise<boolean>}} parts.decoder
     * @param {import('../control/playback-settings.js').PlaybackSettings} parts.settings
     * @param {number} parts.silenceSeconds timeout of a response without data
     * @param {(item: import('../queue/play-queue.js').QueueItem) => import('../decks/deck.js').Deck} parts.makeDeck
     * @param {() => void} parts.onArrival called when an index or a plan has arrived
     * @param {() => void} parts.onSegment called when a segment has arrived
     */
    constructor(
        { client, line, output, queue, bandwidth, quality, decoder, settings, silenceSeconds, makeDeck, onArrival, onSegment },
    ) {
        this.client = client;
        this.line = line;
        this.output = output;
        this.queue = queue;
        this.bandwidth = bandwidth;
        this.quality = quality;
        this.decoder = decoder;
        this.settings = settings;
        this.silenceSeconds = silenceSeconds;
        this.makeDeck = makeDeck;
        this.onArrival = onArrival;
        this.onSegment = onSegment;
        /** Track data, least recently used first. @type {Map<number, {index: SegmentIndex, bytes: TrackBytes}>} */
        this.tracks = new Map();
        this.#plans = new Map();
        this.#planFailedAt = -Infinity;
    }

    /** Gives a deck the data already downloaded for its track. */
    attach(deck) {
        const known = this.tracks.get(deck.track.id);
        if (!known) return;
        this.tracks.delete(deck.track.id);
        this.tracks.set(deck.track.id, known);
        deck.open(known.index, known.bytes);
    }

    /** Returns the host's plan for a transition; undefined while it is unknown, null if the host has no plan. */
    planFor(from, to) {
        return this.#wantsPlan ? this.#plans.get(planName(from, to)) : null;
    }

    get #wantsPlan() {
        const { crossfadeSeconds, skipSilence } = this.settings.transitions;
        return crossfadeSeconds > 0 || skipSilence;
    }

    forgetPlans() {
        this.#plans.clear();
    }

    /** Appends a deck for the next track in time. */
    extend() {
        const { line, output } = this;
        const last = line.decks.at(-1);
        if (!last?.index || last.failure) return;
        const current = /** @type {import('../decks/deck.js').Deck} */ (line.current);
        const at = line.decks.indexOf(current);
        // At most one track is prepared before the current one has been scheduled to its end; offline, many at once.
        if (line.decks.length - at > 2 && !output.isOffline) return;
        if (line.decks.length - at === 2 && !current.isDone && !output.isOffline) return;
        if (!output.isOffline && this.#secondsLeft(last) > PREPARE_BEFORE_END * line.speed) return;
        if (output.isOffline && !last.isBegun) return;
        const item = this.queue.after(last.item);
        if (!item || (output.isOffline && line.decks.length > 32)) return;
        line.decks.push(this.makeDeck(item));
    }

    /** Returns the seconds from the current or entry position of a deck to its end. */
    #secondsLeft(deck) {
        return deck.index.length / deck.index.rate - this.#placeIn(deck) / deck.index.rate;
    }

    /** Returns the current or entry position of a deck, in samples. */
    #placeIn(deck) {
        const { line } = this;
        const isCurrent = deck === line.current;
        if (isCurrent && line.startAt !== null) return Math.min(Math.round(line.startAt * deck.index.rate), deck.index.length);
        if (isCurrent) return deck.sampleAt(this.output.clock.heard);
        const before = line.decks[line.decks.indexOf(deck) - 1];
        return Math.round((line.transitions.get(before)?.entry ?? 0) * deck.index.rate);
    }

    /** Seconds of buffered audio from the current position on. */
    get secondsAhead() {
        const { decks } = this.line;
        let seconds = 0;
        for (const deck of decks.slice(Math.max(this.line.index, 0))) {
            if (!deck.index) break;
            const place = this.#placeIn(deck);
            const reach = deck.bytes.reach(Math.floor(place));
            seconds += Math.max(0, Math.min(reach, deck.exit) - place) / deck.index.rate;
            if (reach < deck.exit) break;
        }
        return seconds / this.line.speed;
    }

    /** Whether some audio from a position (in seconds) is buffered. */
    hasSome(deck, seconds) {
        if (!deck.index) return false;
        const place = Math.min(Math.round(seconds * deck.index.rate), deck.index.length);
        return deck.bytes.reach(place) >= Math.min(place + SOME_SECONDS * deck.index.rate, deck.index.length);
    }

    /** Whether enough audio is buffered to start at a position (in seconds). */
    hasEnough(deck, seconds) {
        if (!deck?.index) return false;
        const place = Math.min(Math.round(seconds * deck.index.rate), deck.index.length);
        const wanted = Math.min(place + this.secondsBeforeStart(deck) * deck.index.rate * this.line.speed, deck.index.length);
        return deck.bytes.has(deck.index.at(place).number) && deck.bytes.reach(place) >= wanted;
    }

    /** How much of the audio that the current track needs to start is buffered, from 0 to 1; null if that is not known yet. */
    get startProgress() {
        const { current: deck, startAt, speed } = this.line;
        if (!deck?.index || startAt === null) return null;
        const { length, rate } = deck.index;
        const place = Math.min(Math.round(startAt * rate), length);
        const wanted = Math.min(this.secondsBeforeStart(deck) * rate * speed, length - place);
        return wanted > 0 ? Math.min(1, deck.bytes.arrived(place) / wanted) : 1;
    }

    secondsBeforeStart(deck) {
        return this.bandwidth.secondsBeforeStart(this.quality.bitsOf(deck.bytes.bitsPerSecond));
    }

    /** Requests `/health`: resolves to true if the host answers, and throws otherwise. */
    async isHostThere(signal) {
        await this.client.fetch('/health', { signal, cache: 'no-store' });
        return true;
    }

    /** @returns {import('./loader.js').Job | null} the most urgent download */
    nextJob() {
        const { line, output, bandwidth } = this;
        if (line.decks.length === 0 || !output.clock) return null;
        const { current, decks } = line;
        let seconds = 0;
        const target = bandwidth.secondsAhead * line.speed;
        for (let i = Math.max(line.index, 0); i < decks.length; i++) {
            const deck = decks[i];
            if (deck.failure) return null;
            if (!deck.index) return this.indexJob(deck);
            const place = this.#placeIn(deck);
            const isNext = deck !== current;
            if (
                isNext && this.#wantsPlan && this.planFor(decks[i - 1], deck) === undefined &&
                performance.now() / 1000 - this.#planFailedAt > PLAN_AGAIN
            ) return this.#planJob(decks[i - 1], deck);
            const { segments, rate } = deck.index;
            const missing = deck.bytes.firstMissing(deck.index.at(Math.floor(place)).number);
            if (missing < segments.length && segments[missing].start < deck.exit) {
                const last = this.#lastWanted(deck, missing, place, seconds, target, isNext);
                if (last >= missing) return this.segmentsJob(deck, missing, last);
                // Enough of this track is buffered for now: the next one is only prepared.
                seconds += target;
            }
            seconds += Math.max(0, deck.exit - place) / rate;
        }
        return this.#prefetch.job();
    }

    /**
     * Returns the last segment to download with one request; less than `missing` if nothing is needed.
     * @param {number} seconds of audio buffered before this deck's
     */
    #lastWanted(deck, missing, place, seconds, target, isNext) {
        const { line, output } = this;
        const { segments, rate } = deck.index;
        const ahead = (number) => seconds + (Math.min(segments[number].end, deck.exit) - place) / rate;
        const here = seconds + Math.max(0, segments[missing].start - place) / rate;
        let last = missing - 1;
        const isStarting = line.startAt !== null && !isNext;
        if (output.isOffline) return segments.length - 1;
        if (isStarting && !line.isAtOnce && !this.hasEnough(deck, place / rate)) {
            // First only what is needed to start playback.
            const wanted = this.secondsBeforeStart(deck) * line.speed;
            last = missing;
            while (last + 1 < segments.length && ahead(last) < wanted) last++;
            return last;
        }
        // Whole segments within the target; one more if the buffer is below its minimum.
        while (last + 1 < segments.length && segments[last + 1].start < deck.exit && ahead(last + 1) <= target) last++;
        if (last < missing && here < Math.min(target, LEAST_AHEAD * line.speed)) last = missing;
        if (last < missing && isNext) {
            while (last + 1 < segments.length && (segments[last + 1].start - place) / rate < PREPARED_SECONDS) last++;
        }
        return last;
    }

    /**
     * Returns the download of a track's segment index.
     * @param {any} deck a deck, or the `item` and `track` of a track without one
     * @returns {import('./loader.js').Job}
     */
    indexJob(deck) {
        return {
            deck,
            name: `index ${deck.item.uid}`,
            run: async (signal) => {
                const index = await this.#index(deck, signal);
                const known = { index, bytes: new TrackBytes(index) };
                this.tracks.set(deck.track.id, known);
                for (const each of this.line.decks) {
                    if (each.track.id === deck.track.id && !each.index) each.open(index, known.bytes);
                }
                this.onArrival();
            },
        };
    }

    /** Returns the segments of a track: those of the MP3 stream that the host makes from it if the browser cannot decode the file. */
    async #index(deck, signal) {
        const path = `/tracks/${deck.track.id}/segments.json`;
        const index = new SegmentIndex(await this.client.json(path, { signal }));
        if (await this.decoder.canDecode(index)) return index;
        return new SegmentIndex(await this.client.json(path, { query: { quality: 'high' }, signal }));
    }

    #planJob(from, to) {
        const name = planName(from, to);
        const { crossfadeSeconds, crossfadeStyle, mixOnlyWhenItFits, targetLUFS } = this.settings.transitions;
        const query = {
            from: from.track.id,
            to: to.track.id,
            target_lufs: targetLUFS,
            ...(crossfadeSeconds > 0 ? { max_seconds: crossfadeSeconds } : {}),
            ...(crossfadeSeconds > 0 && crossfadeStyle === 'mix' ? { mode: 'mix', only_when_it_fits: mixOnlyWhenItFits } : {}),
        };
        return {
            deck: to,
            name: `plan ${name}`,
            isOptional: true,
            run: async (signal) => {
                try {
                    this.#plans.set(name, await this.client.json('/crossfade', { query, signal }));
                } catch (error) {
                    // A track without an analysis has no plan and plays without one.
                    if (!signal.aborted) {
                        if (error?.kind === 'offline') this.#planFailedAt = performance.now() / 1000;
                        else this.#plans.set(name, null);
                    }
                    throw error;
                } finally {
                    this.onArrival();
                }
            },
        };
    }

    /**
     * Returns the download of a run of segments.
     * @param {any} deck a deck, or `track` and `bytes` of a track without one
     * @param {number} from @param {number} to
     * @returns {import('./loader.js').Job}
     */
    segmentsJob(deck, from, to) {
        const { bytes, track: { id: trackId } } = deck;
        const quality = this.#wantedQuality(deck);
        const { client, bandwidth, silenceSeconds } = this;
        const onSegment = () => {
            this.shrink();
            this.onSegment();
        };
        return {
            deck,
            name: `segments ${trackId} ${from}`,
            run: async (signal) => {
                const job = { client, trackId, bytes, signal, bandwidth, silenceSeconds, onSegment };
                try {
                    // One segment at a time: the throughput may have improved by the next one.
                    if (quality !== 'original') await downloadLowSegment({ ...job, number: from, quality });
                    else await downloadSegments({ ...job, from, to, isWanted: () => this.#wantedQuality(deck) === 'original' });
                } catch (error) {
                    if (error?.status !== 404 || !(await this.#hasMoved(deck, signal))) throw error;
                    // The next job requests the segments at their new place.
                }
            },
        };
    }

    /** Updates a track's index if an edit of its tags has moved the audio in the file. Returns whether it has moved. */
    async #hasMoved(deck, signal) {
        return deck.bytes.index.moveTo(await this.#index(deck, signal));
    }

    /**
     * The quality to download of a track. Downloaded tracks need no network: they are read as the file that the index describes.
     * @returns {'original' | 'high' | 'low'}
     */
    #wantedQuality(deck) {
        const { bytes } = deck;
        if (bytes.index.isOfFile && this.client.isKept?.(deck.track.id)) return 'original';
        const best = bytes.index.isConverted ? 'high' : 'original';
        if (!bytes.hasLow) return best;
        return this.quality.of(bytes.bitsPerSecond) === 'low' ? 'low' : best;
    }

    /**
     * The quality of the segment at the current position; null if it is not buffered.
     * @returns {'original' | 'high' | 'low' | null}
     */
    get heardQuality() {
        const deck = this.line.current;
        if (!deck?.index) return null;
        const { number } = deck.index.at(Math.floor(this.#placeIn(deck)));
        return deck.bytes.has(number) ? deck.bytes.qualityOf(number) : null;
    }

    /** The tracks that play or are prefetched. @returns {Set<number>} ids */
    get #wanted() {
        return new Set([...this.line.decks, ...this.#prefetch.items].map(({ track }) => track.id));
    }

    /** The size of the tracks that play or are prefetched, in bytes. */
    get wantedBytes() {
        let total = 0;
        for (const id of this.#wanted) total += this.tracks.get(id)?.bytes.byteCount ?? 0;
        return total;
    }

    /** Evicts tracks that are not wanted, then segments far behind the position, until the data is within the limit. */
    shrink() {
        const { current } = this.line;
        const wanted = this.#wanted;
        let total = 0;
        for (const { bytes } of this.tracks.values()) total += bytes.byteCount;
        for (const [id, { bytes }] of this.tracks) {
            if (total <= MOST_BYTES) return;
            if (wanted.has(id)) continue;
            this.tracks.delete(id);
            total -= bytes.byteCount;
        }
        const bytes = current?.bytes;
        if (total > MOST_BYTES && bytes) {
            bytes.shrink(Math.max(0, bytes.byteCount - (total - MOST_BYTES)), Math.floor(this.#placeIn(current)));
        }
    }
}

function planName(from, to) {
    return `${from.track.id} ${to.track.id}`;
}
