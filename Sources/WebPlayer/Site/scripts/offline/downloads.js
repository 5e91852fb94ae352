import { TRACK_PARTS } from './track-parts.js';

/** Tracks that are fetched at a time. */
const WIDTH = 2;
/** Seconds until the rest is tried again while the host is away. */
const RETRY_SECONDS = 10;

/**
 * Fetches tracks for playing them without the host.
 *
 * Events: 'progress' (`detail` has the `id`), 'done' (what is there is another), 'failed' (`detail` has `track` and `message`).
 */
export class Downloads extends EventTarget {
    #client;
    #store;
    /** @type {any[]} */
    #waiting = [];
    /** Shares of tracks that are being fetched, and 0 of those that wait. @type {Map<number, number>} */
    #shares = new Map();
    /** @type {Map<number, AbortController>} */
    #running = new Map();
    #timer = 0;

    /**
     * @param {import('../host/host-client.js').HostClient} client the host's own: what is kept must not be read from what is kept
     * @param {import('./download-store.js').DownloadStore} store
     */
    constructor(client, store) {
        super();
        this.#client = client;
        this.#store = store;
        addEventListener('online', () => this.#next());
    }

    /** What is there. @returns {{track: any, bytes: number, at: number}[]} */
    get all() { return [...this.#store.tracks.values()].sort((a, b) => b.at - a.at); }

    /** Whether downloads can be kept at all. */
    get isPossible() { return this.#store.isOpen; }

    /** @param {number} id */
    has(id) { return this.#store.tracks.has(id); }

    /** How much of a track has come, from 0 to 1; null where it is not being fetched. @param {number} id */
    share(id) { return this.#shares.get(id) ?? null; }

    /** How much of tracks is there, those that are complete and those that are coming. @param {any[]} tracks */
    shareOf(tracks) {
        if (!tracks.length) return 0;
        return tracks.reduce((sum, track) => sum + (this.has(track.id) ? 1 : this.share(track.id) ?? 0), 0) / tracks.length;
    }

    /** @param {any[]} tracks */
    isBusyWith(tracks) { return tracks.some(track => this.#shares.has(track.id)); }

    /** @param {any[]} tracks */
    add(tracks) {
        // Asked for once, and granted or not: browsers keep the data of pages that are used anyway.
        navigator.storage?.persist?.().catch(() => {});
        for (const track of tracks) {
            if (this.has(track.id) || this.#shares.has(track.id)) continue;
            this.#waiting.push(track);
            this.#shares.set(track.id, 0);
        }
        this.#tell();
        this.#next();
    }

    /** Takes out what is there, and gives up what is coming. @param {any[]} tracks */
    async remove(tracks) {
        const ids = new Set(tracks.map(track => track.id));
        this.#waiting = this.#waiting.filter(track => !ids.has(track.id));
        for (const id of ids) {
            this.#running.get(id)?.abort();
            this.#shares.delete(id);
            if (this.has(id)) await this.#store.remove(id);
        }
        this.dispatchEvent(new Event('done'));
        this.#tell();
    }

    #next() {
        clearTimeout(this.#timer);
        while (this.#running.size < WIDTH && this.#waiting.length) this.#run(this.#waiting.shift());
    }

    async #run(track) {
        const abort = new AbortController();
        this.#running.set(track.id, abort);
        let isLater = false;
        try {
            await this.#store.put(track, await this.#fetch(track, abort.signal));
            this.#shares.delete(track.id);
            this.dispatchEvent(new Event('done'));
        } catch (error) {
            if (!abort.signal.aborted) {
                isLater = error.kind === 'offline' || error.kind === 'timeout';
                if (isLater) {
                    this.#waiting.unshift(track);
                    this.#shares.set(track.id, 0);
                } else {
                    this.#shares.delete(track.id);
                    const message = error.name === 'QuotaExceededError' ? 'There is no room left in this browser.' : error.message;
                    this.dispatchEvent(new CustomEvent('failed', { detail: { track, message } }));
                }
            }
        }
        this.#running.delete(track.id);
        this.#tell(track.id);
        if (isLater) this.#timer = setTimeout(() => this.#next(), RETRY_SECONDS * 1000);
        else this.#next();
    }

    /** @returns {Promise<Map<string, {type: string, blob: Blob}>>} */
    async #fetch(track, signal) {
        const parts = new Map();
        for (const { name, path, isNeeded } of TRACK_PARTS) {
            try {
                const { headers, buffer } = await this.#client.bytes(path(track.id), { signal });
                const type = headers.get('Content-Type') ?? '';
                parts.set(name, { type, blob: new Blob([buffer], { type }) });
            } catch (error) {
                // Lyrics, frames and a cover are fine to have, and many tracks lack them.
                if (isNeeded || error.kind === 'offline' || error.kind === 'timeout' || signal.aborted) throw error;
            }
        }
        const response = await this.#client.fetch(`/api/files/${track.id}/stream`, { signal, cache: 'no-store' });
        const total = Number(response.headers.get('Content-Length')) || 0;
        const chunks = [];
        let count = 0;
        let toldAt = 0;
        const reader = response.body.getReader();
        // What was begun can be given up while it comes.
        signal.addEventListener('abort', () => reader.cancel().catch(() => {}), { once: true });
        for (;;) {
            const { done, value } = await reader.read();
            if (done) break;
            chunks.push(value);
            count += value.length;
            this.#shares.set(track.id, total ? count / total : 0.5);
            if (performance.now() - toldAt > 100) {
                toldAt = performance.now();
                this.#tell(track.id);
            }
        }
        signal.throwIfAborted();
        if (total && count !== total) throw Object.assign(new Error('The connection broke.'), { kind: 'offline' });
        const type = response.headers.get('Content-Type') ?? 'audio/mpeg';
        parts.set('file', { type, blob: new Blob(chunks, { type }) });
        return parts;
    }

    #tell(id) {
        this.dispatchEvent(new CustomEvent('progress', { detail: { id } }));
    }
}
