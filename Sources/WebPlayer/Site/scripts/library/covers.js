/** Covers that are fetched at a time. */
const WIDTH = 4;

/**
 * Covers, which are fetched with the key and shown as blobs. The least lately used go.
 */
export class Covers {
    #client;
    #limit;
    #bytes = 0;
    /** In the order of use. @type {Map<string, {url: string, bytes: number}>} */
    #known = new Map();
    /** What has no cover. */
    #missing = new Set();
    /** @type {Map<string, {wanters: (() => boolean)[], promise: Promise<string | null>}>} */
    #running = new Map();
    /** The last that was asked for is the first to be fetched: what was scrolled past can wait. */
    #queue = [];
    #active = 0;

    /** @param {import('../host/host-client.js').HostClient} client @param {number} [limit] bytes that are kept */
    constructor(client, limit = 48 << 20) {
        this.#client = client;
        this.#limit = limit;
    }

    /** What is there already. @param {string} path the `cover_url` @returns {string | null | undefined} null for no cover */
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
     * @param {number} size pixels of its longer side
     * @param {() => boolean} [isWanted] asked when its turn comes
     * @returns {Promise<string | null>} an address for `<img>`; null where there is no cover
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
        const promise = new Promise(resolve => this.#queue.push({ name, path, size, wanters, resolve }));
        this.#running.set(name, { wanters, promise });
        // Whoever asks is still making the elements that want it.
        setTimeout(() => this.#next());
        return promise;
    }

    #next() {
        while (this.#active < WIDTH && this.#queue.length) {
            const job = this.#queue.pop();
            if (!job.wanters.some(isWanted => isWanted())) {
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
