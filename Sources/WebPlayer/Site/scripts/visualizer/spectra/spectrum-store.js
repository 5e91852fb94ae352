import { TrackSpectra } from './track-spectra.js';

/** Maximum size of cached spectra in bytes: about a dozen tracks of usual length. */
const BYTE_LIMIT = 8 << 20;

/**
 * A cache of the tracks' spectra that evicts the least recently used.
 *
 * Events: 'change' with the track's `id` when the host has new spectra for it.
 *
 * @typedef {object} ByteSource
 * @property {(path: string, options?: {signal?: AbortSignal}) => Promise<{buffer: ArrayBuffer}>} bytes
 * @property {(id: number) => string} [audioKey] identifies a track's audio
 */
export class SpectrumStore extends EventTarget {
    /** By audio key, least recently used first. @type {Map<string, Promise<TrackSpectra | null>>} */
    #tracks = new Map();
    /** @type {Map<string, number>} */
    #byteCounts = new Map();
    #client;

    /** @param {ByteSource} client */
    constructor(client) {
        super();
        this.#client = client;
    }

    /** Invalidates spectra when the host has computed them again. @param {EventTarget} events the host's `HostEvents` */
    follow(events) {
        events.addEventListener('message', ({ detail }) => {
            if (detail?.type !== 'frames_ready') return;
            for (const { track_id: id } of detail.tracks) {
                this.forget(id);
                this.dispatchEvent(Object.assign(new Event('change'), { id }));
            }
        });
    }

    /**
     * Returns the spectra of a track.
     *
     * @param {number} trackId
     * @returns {Promise<TrackSpectra | null>} null if the host has none, or none in a known format
     * @throws if the host cannot be reached; the next call tries again
     */
    load(trackId) {
        const key = this.#key(trackId);
        const known = this.#tracks.get(key);
        if (known) {
            this.#tracks.delete(key);
            this.#tracks.set(key, known);
            return known;
        }
        const loading = this.#fetch(trackId);
        this.#tracks.set(key, loading);
        loading.then(
            (frames) => {
                if (this.#tracks.get(key) !== loading) return;
                // Missing spectra are not cached: the host may compute them meanwhile.
                if (!frames) this.#tracks.delete(key);
                else this.#keep(key, frames);
            },
            () => {
                if (this.#tracks.get(key) === loading) this.#tracks.delete(key);
            },
        );
        return loading;
    }

    /** Invalidates the spectra of a track. @param {number} trackId */
    forget(trackId) {
        this.#drop(this.#key(trackId));
    }

    /** Empties the cache. */
    clear() {
        this.#tracks.clear();
        this.#byteCounts.clear();
    }

    #key(trackId) {
        return this.#client.audioKey?.(trackId) ?? `#${trackId}`;
    }

    #drop(key) {
        this.#tracks.delete(key);
        this.#byteCounts.delete(key);
    }

    /** @param {number} trackId */
    async #fetch(trackId) {
        try {
            const { buffer } = await this.#client.bytes(`/tracks/${trackId}/visualizer?format=binary&missing=empty`);
            return buffer.byteLength > 0 ? TrackSpectra.parse(buffer) : null;
        } catch (error) {
            if (error.kind === 'not-found' || error.kind === 'conflict' || error.name === 'FrameFormatError') return null;
            throw error;
        }
    }

    /** @param {string} key @param {TrackSpectra} frames */
    #keep(key, frames) {
        this.#byteCounts.set(key, frames.byteCount);
        let total = 0;
        for (const count of this.#byteCounts.values()) total += count;
        for (const other of this.#tracks.keys()) {
            if (total <= BYTE_LIMIT || other === key) continue;
            total -= this.#byteCounts.get(other) ?? 0;
            this.#drop(other);
        }
    }
}
