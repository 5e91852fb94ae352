/** Concurrent requests. */
const WIDTH = 4;

/**
 * Loads covers with the API key and caches them as blob URLs. The least recently used are evicted.
 */
export class Covers {
    #client;
    #limit;
    #bytes = 0;
    /** Cached covers, least recently used first. @type {Map<string, {url: string, bytes: number}>} */
    #known = new Map();
    /** Paths without a cover. */
    #missing = new Set();
    /** @type {Map<string, {wanters: (() => boolean)[], promise: Promise<string | null>}>} */
    #running = new Map();
    /** Pending requests. The latest is fetched first: rows that have been scrolled past can wait. */
    #queue = [];
    #active = 0;

    /** @param {import('../host/host-client.js').Client} client @param {number} [limit] cache size in bytes */
    constructor(client, limit = 48 << 20) {
        this.#client = client;
        this.#limit = limit;
    }

    /**
     * Returns a cached cover.
     * @param {string} path the `cover_url`
     * @returns {string | null | undefined} null if there is no cover, undefined if not cached
     */
    known(path, size) {
        const name = `${path} ${size}`;
        if (this.#missing.has(path)) return null;
        const found = this.#known.get(name);
        if (!found) return undefined;
        this.#known.delete(name);
        this.#known.set(name, found);
        return found.url;
    }

    /**
     * @param {string} path the `cover_url`
     * @param {number} size longer side in pixels
     * @param {() => boolean} [isWanted] called when the request is due; returns false if the cover is no longer needed
     * @returns {Promise<string | null>} a URL for `<img>`; null if there is no cover
     */
    async get(path, size, isWanted = () => true) {
        const known = this.known(path, size);
        if (known !== undefined) return known;
        const name = `${path} ${size}`;
        const running = this.#running.get(name);
        if (running) {
            running.wanters.push(isWanted);
            return running.promise;
        }
        const wanters = [isWanted];
        const promise = new Promise((resolve) => this.#queue.push({ name, path, size, wanters, resolve }));
        this.#running.set(name, { wanters, promise });
        // Deferred: the caller may still be creating the other elements that need covers.
        setTimeout(() => this.#next());
        return promise;
    }

    /** Empties the cache. */
    clear() {
        for (const { url } of this.#known.values()) URL.revokeObjectURL(url);
        this.#known.clear();
        this.#missing.clear();
        this.#bytes = 0;
    }

    #next() {
        while (this.#active < WIDTH && this.#queue.length) {
            const job = this.#queue.pop();
            if (!job.wanters.some((isWanted) => isWanted())) {
                this.#running.delete(job.name);
                job.resolve(null);
                continue;
            }
            this.#active++;
            this.#fetch(job).then(job.resolve, () => job.resolve(null)).finally(() => {
                this.#active--;
                this.#running.delete(job.name);
                this.#next();
            });
        }
    }

    async #fetch({ name, path, size }) {
        try {
            const { headers, buffer } = await this.#client.bytes(path, { query: { size, missing: 'empty' } });
            if (buffer.byteLength === 0) {
                this.#missing.add(path);
                return null;
            }
            const url = URL.createObjectURL(new Blob([buffer], { type: headers.get('Content-Type') ?? 'image/jpeg' }));
            this.#known.set(name, { url, bytes: buffer.byteLength });
            this.#bytes += buffer.byteLength;
            for (const [oldest, { url: old, bytes }] of this.#known) {
                if (this.#bytes <= this.#limit || oldest === name) break;
                this.#known.delete(oldest);
                this.#bytes -= bytes;
                URL.revokeObjectURL(old);
            }
            return url;
        } catch (error) {
            if (error?.kind === 'not-found' || error?.status === 422) this.#missing.add(path);
            return null;
        }
    }
}
