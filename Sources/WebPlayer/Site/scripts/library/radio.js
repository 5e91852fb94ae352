/** Number of songs to request at a time. */
const COUNT = 20;
/** The queue is extended when fewer songs than this are left in it. */
const LEAST = 5;

/**
 * The start of a radio: one of its members is set.
 * @typedef {{track?: number, artist?: number, album?: number, genre?: string}} RadioSeed
 */

/**
 * An endless queue of songs that sound alike. The host chooses them; this keeps the play queue filled for as long as the songs
 * of the radio are its end.
 */
export class Radio {
    #client;
    #queue;
    /** @type {RadioSeed} */
    #seed = {};
    #cursor = '';
    /** The last item that the radio added; null without one. */
    #last = /** @type {any} */ (null);
    #isBusy = false;

    /**
     * @param {import('../host/host-client.js').Client} client
     * @param {import('../playback/queue/play-queue.js').PlayQueue} queue
     */
    constructor(client, queue) {
        this.#client = client;
        this.#queue = queue;
        queue.addEventListener('change', () => this.#extend());
    }

    /** Whether the queue is extended. */
    get isOn() {
        return this.#last !== null && this.#queue.items.at(-1) === this.#last;
    }

    /** Replaces the queue by a radio. The caller starts playback. @param {RadioSeed} seed */
    async start(seed) {
        const page = await this.#request(seed, '');
        this.#last = null;
        this.#queue.shuffle = false;
        this.#queue.playNow(page.items);
        this.#took(seed, page);
    }

    async #extend() {
        const { items, index } = this.#queue;
        if (this.#isBusy || !this.isOn || items.length - index > LEAST) return;
        this.#isBusy = true;
        const last = this.#last;
        try {
            const page = await this.#request(this.#seed, this.#cursor);
            if (this.#last !== last || !this.isOn) return;
            this.#queue.add(page.items);
            this.#took(this.#seed, page);
        } catch {
            // The next song tries again.
        } finally {
            this.#isBusy = false;
        }
    }

    /** @param {RadioSeed} seed */
    #took(seed, page) {
        this.#seed = seed;
        this.#cursor = page.next_cursor;
        this.#last = this.#queue.items.at(-1) ?? null;
    }

    /** @param {RadioSeed} seed @param {string} cursor */
    #request(seed, cursor) {
        return this.#client.json('/radio', { query: { ...seed, count: COUNT, cursor } });
    }
}
