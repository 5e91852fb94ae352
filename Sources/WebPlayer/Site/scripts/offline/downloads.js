import { TRACK_PARTS } from './track-parts.js';
import { t } from '../texts/text.js';

/** Concurrent downloads. */
const WIDTH = 2;
/** Seconds until the next attempt while the host is offline. */
const RETRY_SECONDS = 10;

/**
 * Downloads tracks for offline playback.
 *
 * The queue is kept in the store, so that downloads continue after a reload. Tracks are identified by their audio hash.
 *
 * Events: 'progress' (`detail.track`, or none if several changed), 'done' (the downloads have changed), 'failed' (`detail` has
 * `track` and `message`).
 */
export class Downloads extends EventTarget {
    #client;
    #store;
    #canDecode;
    /** @type {any[]} */
    #waiting = [];
    /** Progress of running downloads by audio hash, from 0 to 1; 0 for queued ones. @type {Map<string, number>} */
    #shares = new Map();
    /** @type {Map<string, AbortController>} */
    #running = new Map();
    #timer = 0;
    #isResumed = false;

    /**
     * @param {import('../host/host-client.js').HostClient} client the direct client: downloads must not be read from downloads
     * @param {import('./download-store.js').DownloadStore} store
     * @param {(index: any) => Promise<boolean>} canDecode whether this browser decodes the file that `segments.json` describes
     */
    constructor(client, store, canDecode) {
        super();
        this.#canDecode = canDecode;
        this.#client = client;
        this.#store = store;
        addEventListener('online', () => this.#next());
    }

    /** Completed downloads. @returns {import('./download-store.js').Kept[]} */
    get all() {
        return this.#store.entries.sort((a, b) => b.at - a.at);
    }

    /** Downloads of libraries that no known host serves any more. @returns {import('./download-store.js').Kept[]} */
    get others() {
        return this.#store.others;
    }

    /** Whether this browser can store downloads. */
    get isPossible() {
        return this.#store.isOpen;
    }

    /** @param {any} track */
    has(track) {
        return this.#store.has(track.audio_hash);
    }

    /** Returns a track's download progress from 0 to 1; null if it is neither queued nor downloading. @param {any} track */
    share(track) {
        return this.#shares.get(track.audio_hash) ?? null;
    }

    /** Returns the progress of several tracks from 0 to 1, finished and running downloads together. @param {any[]} tracks */
    shareOf(tracks) {
        if (!tracks.length) return 0;
        return tracks.reduce((sum, track) => sum + (this.has(track) ? 1 : this.share(track) ?? 0), 0) / tracks.length;
    }

    /** @param {any[]} tracks */
    isBusyWith(tracks) {
        return tracks.some((track) => this.#shares.has(track.audio_hash));
    }

    /** Returns tracks that are neither downloaded nor queued. @param {any[]} tracks */
    missing(tracks) {
        return tracks.filter((track) => !this.has(track) && this.share(track) === null);
    }

    /** @param {any[]} tracks */
    add(tracks) {
        // Asks for persistent storage; browsers that refuse still keep the data of pages in regular use.
        navigator.storage?.persist?.().catch(() => {});
        const added = this.missing(tracks);
        // Tracks are downloaded even if the queue cannot be stored.
        this.#store.wait(added).catch(() => {});
        this.#begin(added);
    }

    /**
     * Continues the stored queue of the library after a reload. Later calls do nothing.
     * @param {(ids: number[], hashes: string[]) => Promise<any[]>} find returns the library's tracks in the same order; null for others
     * @param {string} library its identity
     */
    resume(find, library) {
        if (this.#isResumed) return;
        this.#isResumed = true;
        const goOn = async () => {
            const waiting = await this.#store.waiting();
            const hashes = waiting.map((track) => track.audio_hash);
            const found = await find(waiting.map(({ id }) => id), hashes);
            const known = new Map(hashes.map((hash, index) => [hash, found[index]]));
            await this.#store.stopWaiting([...known.keys()].filter((hash) => !known.get(hash)));
            this.#begin(this.missing([...known.values()].filter(Boolean)));
        };
        if (!navigator.locks) {
            goOn().catch(() => {});
            return;
        }
        // Only one tab continues the queue; when it is closed, another one takes over.
        navigator.locks.request(`downloads/${library}`, async () => {
            await goOn();
            await new Promise(() => {});
        }).catch(() => goOn()).catch(() => {});
    }

    #begin(tracks) {
        for (const track of tracks) {
            // Two files may contain the same audio.
            if (this.#shares.has(track.audio_hash)) continue;
            this.#waiting.push(track);
            this.#shares.set(track.audio_hash, 0);
        }
        this.#emit();
        this.#next();
    }

    /** Removes downloads and cancels running ones. @param {any[]} tracks */
    async remove(tracks) {
        const hashes = new Set(tracks.map((track) => track.audio_hash));
        await this.#giveUp(hashes);
        await this.#store.remove(tracks.map((track) => this.#store.of(track)).filter(Boolean));
        this.dispatchEvent(new Event('done'));
        this.#emit();
    }

    /** Removes the downloads of libraries that no known host serves any more. @param {string} [library] of this one only */
    async removeOthers(library) {
        await this.#store.remove(this.others.filter((entry) => !library || entry.library === library));
        this.dispatchEvent(new Event('done'));
    }

    /** Cancels and removes all downloads. */
    async forget() {
        await this.#giveUp(new Set(this.#shares.keys()));
        await this.#store.forget();
        this.#emit();
    }

    /** @param {Set<string>} hashes */
    async #giveUp(hashes) {
        this.#waiting = this.#waiting.filter((track) => !hashes.has(track.audio_hash));
        for (const hash of hashes) {
            this.#running.get(hash)?.abort();
            this.#shares.delete(hash);
        }
        await this.#store.stopWaiting(hashes).catch(() => {});
    }

    #next() {
        clearTimeout(this.#timer);
        while (this.#running.size < WIDTH && this.#waiting.length) this.#run(this.#waiting.shift());
    }

    async #run(track) {
        const abort = new AbortController();
        this.#running.set(track.audio_hash, abort);
        let isLater = false;
        try {
            await this.#store.put(track, await this.#fetch(track, abort.signal));
            this.#shares.delete(track.audio_hash);
            this.dispatchEvent(new Event('done'));
        } catch (error) {
            if (!abort.signal.aborted) {
                isLater = error.kind === 'offline' || error.kind === 'timeout';
                if (isLater) {
                    this.#client.doubt();
                    this.#waiting.unshift(track);
                    this.#shares.set(track.audio_hash, 0);
                } else {
                    this.#shares.delete(track.audio_hash);
                    this.#store.stopWaiting([track.audio_hash]).catch(() => {});
                    const message = error.name === 'QuotaExceededError' ? t('The browser storage is full.') : error.message;
                    this.dispatchEvent(new CustomEvent('failed', { detail: { track, message } }));
                }
            }
        }
        this.#running.delete(track.audio_hash);
        this.#emit(track);
        if (isLater) this.#timer = setTimeout(() => this.#next(), RETRY_SECONDS * 1000);
        else this.#next();
    }

    /** @returns {Promise<Map<string, {type: string, blob: Blob}>>} */
    async #fetch(track, signal) {
        const parts = new Map();
        let index = null;
        for (const { name, path, isNeeded } of TRACK_PARTS) {
            try {
                let { headers, buffer } = await this.#client.bytes(path(track.id), { signal });
                if (name === 'segments.json' && !await this.#canDecode(JSON.parse(new TextDecoder().decode(buffer)))) {
                    // Of what the browser cannot decode, the MP3 file is kept that the host makes of it.
                    ({ headers, buffer } = await this.#client.bytes(`${path(track.id)}?quality=high`, { signal }));
                }
                const type = headers.get('Content-Type') ?? '';
                parts.set(name, { type, blob: new Blob([buffer], { type }) });
                if (name === 'segments.json') index = JSON.parse(new TextDecoder().decode(buffer));
            } catch (error) {
                // Lyrics, spectra and covers are optional; many tracks lack them.
                if (isNeeded || error.kind === 'offline' || error.kind === 'timeout' || signal.aborted) throw error;
            }
        }
        // The request is by id: check that the answer is for the expected audio.
        if (index?.audio_hash !== track.audio_hash) throw changed();
        const response = await this.#client.fetch(index.file_url ?? `/api/files/${track.id}/stream`, { signal, cache: 'no-store' });
        const total = Number(response.headers.get('Content-Length')) || 0;
        const chunks = [];
        let count = 0;
        let toldAt = 0;
        const reader = /** @type {ReadableStream<Uint8Array>} */ (response.body).getReader();
        // Cancels the body while it is read.
        signal.addEventListener('abort', () => reader.cancel().catch(() => {}), { once: true });
        for (;;) {
            const { done, value } = await reader.read().catch((cause) => {
                throw lost(cause);
            });
            if (done) break;
            chunks.push(value);
            count += value.length;
            this.#shares.set(track.audio_hash, total ? count / total : 0.5);
            if (performance.now() - toldAt > 100) {
                toldAt = performance.now();
                this.#emit(track);
            }
        }
        signal.throwIfAborted();
        if (total && count !== total) throw lost();
        if (count !== index.file_size_bytes) throw changed();
        const type = response.headers.get('Content-Type') ?? 'audio/mpeg';
        parts.set('file', { type, blob: new Blob(chunks, { type }) });
        return parts;
    }

    #emit(track) {
        this.dispatchEvent(new CustomEvent('progress', { detail: { track } }));
    }
}

/** @param {unknown} [cause] */
function lost(cause) {
    return Object.assign(new Error(t('The connection was lost.'), { cause }), { kind: 'offline' });
}

function changed() {
    return new Error(t('The file has changed on the host. Try again in a moment.'));
}
