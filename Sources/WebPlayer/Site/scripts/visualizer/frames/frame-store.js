import { TrackFrames } from './track-frames.js';

/** Bytes of frames that are kept: a dozen tracks of usual length. */
const BYTE_LIMIT = 8 << 20;

/**
 * The frames of the tracks that were played last, fetched once each.
 *
 * Events: 'change' with the track's `id`, when the host has other frames of it.
 *
 * @typedef {{bytes(path: string, options?: {signal?: AbortSignal}): Promise<{buffer: ArrayBuffer}>}} ByteSource
 */
export class FrameStore extends EventTarget {
    /** @type {Map<number, Promise<TrackFrames | null>>} the oldest first */
    #tracks = new Map();
    /** @type {Map<number, number>} */
    #byteCounts = new Map();
    #client;

    /** @param {ByteSource} client */
    constructor(client) {
        super();
        this.#client = client;
    }

    /** Hears of frames that the host has made anew. @param {EventTarget} events the host's, `HostEvents` */
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
     * The frames of a track.
     *
     * @param {number} trackId
     * @returns {Promise<TrackFrames | null>} null where the host has none, or none that can be read
     * @throws where the host cannot be reached; the next call tries again
     */
    load(trackId) {
        const known = this.#tracks.get(trackId);
        if (known) {
            this.#tracks.delete(trackId);
            this.#tracks.set(trackId, known);
            return known;
        }
        const loading = this.#fetch(trackId);
        this.#tracks.set(trackId, loading);
        loading.then(
            frames => {
                if (this.#tracks.get(trackId) !== loading) return;
                // Those that were not there may be made meanwhile.
                if (!frames) this.#tracks.delete(trackId);
                else this.#keep(trackId, frames);
            },
            () => {
                if (this.#tracks.get(trackId) === loading) this.#tracks.delete(trackId);
            });
        return loading;
    }

    /** Forgets a track, whose file has changed. @param {number} trackId */
    forget(trackId) {
        this.#tracks.delete(trackId);
        this.#byteCounts.delete(trackId);
    }

    /** @param {number} trackId */
    async #fetch(trackId) {
        try {
            const { buffer } = await this.#client.bytes(`/tracks/${trackId}/visualizer?format=binary&missing=empty`);
            return buffer.byteLength > 0 ? TrackFrames.parse(buffer) : null;
        } catch (error) {
            if (error.kind === 'not-found' || error.kind === 'conflict' || error.name === 'FrameFormatError') return null;
            throw error;
        }
    }

    /** @param {number} trackId @param {TrackFrames} frames */
    #keep(trackId, frames) {
        this.#byteCounts.set(trackId, frames.byteCount);
        let total = 0;
        for (const count of this.#byteCounts.values()) total += count;
        for (const id of this.#tracks.keys()) {
            if (total <= BYTE_LIMIT || id === trackId) continue;
            total -= this.#byteCounts.get(id) ?? 0;
            this.forget(id);
        }
    }
}
