import { Overview } from './overview.js';
import { marksOf } from './track-marks.js';

const LIMIT = 24;

/**
 * A cache of the tracks' waveforms and marks, limited to the most recent ones.
 */
export class TimelineData {
    /**
     * By audio key.
     * @type {Map<string, Promise<{overview: Overview | null, marks: import('./track-marks.js').TrackMarks | null}>>}
     */
    #tracks = new Map();
    #client;

    /** @param {Pick<import('../../host/host-client.js').Client, 'bytes' | 'json' | 'audioKey'>} client */
    constructor(client) {
        this.#client = client;
    }

    /** Invalidates tracks that were analysed again. @param {EventTarget} events the host's `HostEvents` */
    follow(events) {
        events.addEventListener('message', ({ detail }) => {
            if (detail?.type !== 'profiles_ready') return;
            for (const { track_id: id } of detail.tracks) this.#tracks.delete(this.#key(id));
        });
    }

    /** Empties the cache. */
    clear() {
        this.#tracks.clear();
    }

    #key(trackId) {
        return this.#client.audioKey?.(trackId) ?? `#${trackId}`;
    }

    /**
     * @param {number} trackId
     * @returns {Promise<{overview: Overview | null, marks: import('./track-marks.js').TrackMarks | null}>} null for data that the
     *     host does not have
     * @throws if the host cannot be reached; the next call tries again
     */
    load(trackId) {
        const key = this.#key(trackId);
        let loading = this.#tracks.get(key);
        if (loading) return loading;
        loading = this.#fetch(trackId);
        this.#tracks.set(key, loading);
        if (this.#tracks.size > LIMIT) this.#tracks.delete(this.#tracks.keys().next().value);
        loading.then(
            ({ overview }) => {
                // Not cached: the track may be analysed meanwhile.
                if (!overview) this.#tracks.delete(key);
            },
            () => this.#tracks.delete(key),
        );
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

/**
 * Returns the result of a request; null if the host does not have the data.
 * @template T
 * @param {() => Promise<T>} ask
 * @returns {Promise<T | null>}
 */
async function known(ask) {
    try {
        return await ask();
    } catch (error) {
        if (error.kind === 'not-found' || error.kind === 'conflict') return null;
        throw error;
    }
}
