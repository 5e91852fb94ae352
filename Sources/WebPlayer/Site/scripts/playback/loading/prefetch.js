/** How many of the following tracks are downloaded whole. */
const TRACKS = 3;
/** Maximum size in memory of the tracks that play or are prefetched, in bytes. */
const MOST_BYTES = 80 << 20;
/** Bytes per request: between two, what playback needs comes first. */
const PART_BYTES = 1 << 20;
/** Throughput above which tracks are prefetched, in bits per second. */
const FAST = 2_000_000;
/** Seconds until a track that failed is tried again. */
const AGAIN = 30;

/** Downloads the following tracks whole, when playback needs nothing and the network is fast and not metered. */
export class Prefetch {
    #supply;
    /** Time of the last failure by track id, in seconds. @type {Map<number, number>} */
    #failures = new Map();

    /** @param {import('./supply.js').Supply} supply */
    constructor(supply) {
        this.#supply = supply;
    }

    /** The next tracks of the queue, without the current one. @returns {import('../queue/play-queue.js').QueueItem[]} */
    get items() {
        const { queue } = this.#supply;
        const seen = new Set([queue.current?.track.id]);
        const items = [];
        let item = queue.after(queue.current);
        for (let step = 0; step < TRACKS && item; step++) {
            if (!seen.has(item.track.id)) items.push(item);
            seen.add(item.track.id);
            item = queue.after(item);
        }
        return items;
    }

    /** Returns the next download; null if there is nothing to prefetch now. @returns {import('./loader.js').Job | null} */
    job() {
        const supply = this.#supply;
        const { line, output, bandwidth, quality } = supply;
        if (output.isOffline || !line.isWanted || line.startAt !== null) return null;
        if (bandwidth.bitsPerSecond <= FAST || quality.isCostly) return null;
        const now = performance.now() / 1000;
        for (const item of this.items) {
            const { track } = item;
            // Downloaded tracks need no network.
            if (supply.client.isKept?.(track.id) || now - (this.#failures.get(track.id) ?? -Infinity) < AGAIN) continue;
            const known = supply.tracks.get(track.id);
            const part = { item, track, index: known?.index, bytes: known?.bytes };
            if (!known) return this.#optional(supply.indexJob(part), track.id);
            const [from, to] = partOf(known);
            const { segments } = known.index;
            if (from === segments.length) continue;
            if (supply.wantedBytes + segments[to].endByte - segments[from].firstByte > MOST_BYTES) return null;
            return this.#optional(supply.segmentsJob(part, from, to), track.id);
        }
        return null;
    }

    /** Makes a job one whose failure does not concern playback. @param {import('./loader.js').Job} job @param {number} id */
    #optional(job, id) {
        return {
            ...job,
            isOptional: true,
            run: async (signal) => {
                try {
                    await job.run(signal);
                } catch (error) {
                    if (!signal.aborted) this.#failures.set(id, performance.now() / 1000);
                    throw error;
                }
            },
        };
    }
}

/**
 * Returns the first and last segment of the next request for a track; the number of segments if all are there.
 * @param {{index: import('./segment-index.js').SegmentIndex, bytes: import('./track-bytes.js').TrackBytes}} track
 */
function partOf({ index: { segments }, bytes }) {
    const from = bytes.firstMissing(0);
    let to = from;
    while (to + 1 < segments.length && !bytes.has(to + 1) && segments[to + 1].endByte - segments[from].firstByte <= PART_BYTES) {
        to++;
    }
    return [from, to];
}
