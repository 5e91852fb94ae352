import { coloursOfPicture } from './cover-sampler.js';

/** @typedef {import('./oklch.js').LCH} LCH */

const LIMIT = 200;

/** A cache of the dominant colours of covers. */
export class CoverColours {
    /** @type {Map<string, Promise<{main: LCH, accent: LCH}>>} */
    #known = new Map();
    #client;

    /** @param {{library?: string, bytes(path: string): Promise<{buffer: ArrayBuffer}>}} client */
    constructor(client) {
        this.#client = client;
    }

    /**
     * @param {{id: number, album_id?: number, audio_hash?: string, has_cover?: boolean, cover_url?: string}} track
     * @returns {Promise<{main: LCH, accent: LCH}>} the colours of the cover; for a track without a cover, colours derived from its
     *     album or track id
     */
    of(track) {
        const { library = '' } = this.#client;
        const key = track.album_id === undefined
            ? `${library} track ${track.audio_hash ?? track.id}`
            : `${library} album ${track.album_id}`;
        let colours = this.#known.get(key);
        if (!colours) {
            colours = this.#look(track);
            this.#known.set(key, colours);
            if (this.#known.size > LIMIT) this.#known.delete(this.#known.keys().next().value);
            colours.catch(() => this.#known.delete(key));
        }
        return colours;
    }

    /** Empties the cache. */
    clear() {
        this.#known.clear();
    }

    /** @param {{id: number, album_id?: number, has_cover?: boolean}} track */
    async #look(track) {
        try {
            // Requested even without an embedded cover: there may be one in the folder.
            const { buffer } = await this.#client.bytes(`/tracks/${track.id}/cover?size=128&missing=empty`);
            if (buffer.byteLength === 0) return madeUp(track.album_id ?? track.id);
            return await coloursOfPicture(buffer);
        } catch (error) {
            if (error.kind && error.kind !== 'not-found') throw error;
            return madeUp(track.album_id ?? track.id);
        }
    }
}

/** @param {number} number @returns {{main: LCH, accent: LCH}} */
function madeUp(number) {
    // The golden angle: consecutive numbers get very different hues.
    const hue = (number * 137.508 + 200) % 360;
    return {
        main: { lightness: 0.7, chroma: 0.15, hue },
        accent: { lightness: 0.7, chroma: 0.15, hue: (hue + 50) % 360 },
    };
}
