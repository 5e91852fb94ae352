import { coloursOfPicture } from './cover-sampler.js';

/** @typedef {import('./oklch.js').LCH} LCH */

const LIMIT = 200;

/** The colours of covers, looked at once each. */
export class CoverColours {
    /** @type {Map<string, Promise<{main: LCH, accent: LCH}>>} */
    #known = new Map();
    #client;

    /** @param {{bytes(path: string): Promise<{buffer: ArrayBuffer}>}} client */
    constructor(client) {
        this.#client = client;
    }

    /**
     * @param {{id: number, album_id?: number, has_cover?: boolean, cover_url?: string}} track
     * @returns {Promise<{main: LCH, accent: LCH}>} the cover's; of a track without a cover always the same ones, which other
     *     albums do not have
     */
    of(track) {
        const key = track.album_id === undefined ? `track ${track.id}` : `album ${track.album_id}`;
        let colours = this.#known.get(key);
        if (!colours) {
            colours = this.#look(track);
            this.#known.set(key, colours);
            if (this.#known.size > LIMIT) this.#known.delete(this.#known.keys().next().value);
            colours.catch(() => this.#known.delete(key));
        }
        return colours;
    }

    /** @param {{id: number, album_id?: number, has_cover?: boolean}} track */
    async #look(track) {
        try {
            // The tags may have none, and the folder one.
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
    // The golden angle: neighbours differ most.
    const hue = (number * 137.508 + 200) % 360;
    return {
        main: { lightness: 0.7, chroma: 0.15, hue },
        accent: { lightness: 0.7, chroma: 0.15, hue: (hue + 50) % 360 },
    };
}
