import { Overview } from './overview.js';
import { marksOf } from './track-marks.js';

const LIMIT = 24;

/**
 * Outlines and marks of the tracks that were shown last.
 */
export class TimelineData {
    /** @type {Map<number, Promise<{overview: Overview | null, marks: import('./track-marks.js').TrackMarks | null}>>} */
    #tracks = new Map();
    #client;

    /** @param {{bytes(path: string): Promise<{buffer: ArrayBuffer}>, json(path: string): Promise<any>}} client */
    constructor(client) {
        this.#client = client;
    }

    /** Hears of tracks that were analysed anew. @param {EventTarget} events the host's, `HostEvents` */
    follow(events) {
        events.addEventListener('message', ({ detail }) => {
            if (detail?.type !== 'profiles_ready') return;
            for (const { track_id: id } of detail.tracks) this.#tracks.delete(id);
        });
    }

    /**
     * @param {number} trackId
     * @returns {Promise<{overview: Overview | null, marks: import('./track-marks.js').TrackMarks | null}>} null for what the
     *     host does not have
     * @throws where the host cannot be reached; the next call tries again
     */
    load(trackId) {
        let loading = this.#tracks.get(trackId);
        if (loading) return loading;
        loading = this.#fetch(trackId);
        this.#tracks.set(trackId, loading);
        if (this.#tracks.size > LIMIT) this.#tracks.delete(this.#tracks.keys().next().value);
        loading.then(
            ({ overview }) => {
                // It may be analysed meanwhile.
                if (!overview) this.#tracks.delete(trackId);
            },
            () => this.#tracks.delete(trackId));
        return loading;
    }

    /** @param {number} trackId */
    async #fetch(trackId) {
        const [overview, marks] = await Promise.all([
            known(async () => {
                const { buffer } = await this.#client.bytes(`/tracks/${trackId}/waveform?format=dat&missing=empty`);
                return buffer.byteLength > 0 ? Overview.parse(buffer) : null;
            }),
            known(async () => marksOf(await this.#client.json(`/tracks/${trackId}/analysis`))),
        ]);
        return { overview, marks };
    }
}

/** What a request gives, null where there is nothing. @template T @param {() => Promise<T>} ask @returns {Promise<T | null>} */
async function known(ask) {
    try {
        return await ask();
    } catch (error) {
        if (error.kind === 'not-found' || error.kind === 'conflict') return null;
        throw error;
    }
}
