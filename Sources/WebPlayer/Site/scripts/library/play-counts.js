/** Number of the latest plays that are read after a change; if all of them have changed, all counts are read again. */
const LATEST = 50;

/**
 * How often the account has played each track on any client of the host. The counts are read when a view first needs them,
 * and then kept up to date. Dispatches 'change'.
 */
export class PlayCounts extends EventTarget {
    #client;
    /** @type {Map<number, number>} */
    #counts = new Map();
    #isNeeded = false;
    #isLoaded = false;
    /** Whether the host has been asked, successfully or not. */
    isSettled = false;
    /** Whether the counts may have changed since the last request was sent. */
    #isStale = false;
    /** @type {Promise<void> | null} */
    #running = null;
    /** Increases when all counts are forgotten: answers to earlier requests are ignored. */
    #epoch = 0;

    /** @param {import('../host/host-client.js').Client} client */
    constructor(client) {
        super();
        this.#client = client;
    }

    /** Number of plays of a track; 0 while unknown. @param {number} id */
    of(id) {
        return this.#counts.get(id) ?? 0;
    }

    /** Reads the counts, if they have not been read; for views that show them. */
    need() {
        if (this.#isNeeded) return;
        this.#isNeeded = true;
        // Offline, they are read as soon as the host is back.
        this.refresh().catch(() => {});
    }

    /** Reads the counts that may have changed, if a view needs them. */
    async refresh() {
        if (!this.#isNeeded) return;
        this.#isStale = true;
        this.#running ??= this.#read().finally(() => {
            this.#running = null;
            if (this.isSettled) return;
            this.isSettled = true;
            this.dispatchEvent(new Event('change'));
        });
        await this.#running;
    }

    /** Clears the counts. */
    forget() {
        this.#epoch++;
        this.#isLoaded = false;
        this.#counts = new Map();
        this.dispatchEvent(new Event('change'));
    }

    async #read() {
        while (this.#isStale) {
            this.#isStale = false;
            const epoch = this.#epoch;
            const counts = (this.#isLoaded && await this.#withLatest()) || await this.#all();
            if (epoch !== this.#epoch) continue;
            this.#counts = counts;
            this.#isLoaded = true;
            this.dispatchEvent(new Event('change'));
        }
    }

    async #all() {
        const { track_ids: ids, play_counts: counts } = await this.#client.json('/listening/play-counts');
        return new Map(ids.map((id, index) => [id, counts[index]]));
    }

    /** The counts with those of the tracks that were played last; null if that may not be all that has changed. */
    async #withLatest() {
        const { items, total } = await this.#client.json('/listening/tracks', {
            query: { list: 'recently_played', limit: LATEST },
        });
        const latest = items.map(countOf);
        const counts = new Map([...this.#counts, ...latest]);
        const isKnown = latest.length === total || latest.some(([id, count]) => this.#counts.get(id) === count);
        return isKnown && counts.size === total ? counts : null;
    }
}

/** @returns {[number, number]} */
function countOf({ id, listening }) {
    return [id, listening?.play_count ?? 0];
}
