import { TimedLyrics } from './timed-lyrics.js';

/** Loads a track's lyrics from the host and saves their offset. */
export class LyricsSource {
    #client;

    /** @param {import('../host/host-client.js').Client} client */
    constructor(client) {
        this.#client = client;
    }

    /**
     * @param {number} trackId
     * @returns {Promise<{lyrics: TimedLyrics, path: string, state: string | null} | null>} null if the track has none
     */
    async load(trackId) {
        try {
            const { status, buffer, headers } = await this.#client.bytes(`/tracks/${trackId}/lyrics?missing=empty`);
            if (status === 204) return null;
            const content = JSON.parse(new TextDecoder().decode(buffer));
            return { lyrics: new TimedLyrics(content), path: content.relative_path, state: headers.get('ETag') };
        } catch (error) {
            if (error.kind === 'not-found') return null;
            throw error;
        }
    }

    /**
     * Saves the offset of the lyrics.
     *
     * @param {{lyrics: TimedLyrics, path: string, state: string | null}} loaded the lyrics as `load` returned them
     * @param {number} later seconds by which to delay all times
     */
    async move({ lyrics, path, state }, later) {
        // As in LRC, a positive offset on the host makes times earlier; it is stored in hundredths of a second.
        const offset = Math.round((lyrics.offset - later) * 100) / 100;
        await this.#client.json('/lyrics', {
            query: { relative_path: path, target: lyrics.source },
            method: 'PUT',
            body: { offset_seconds: offset },
            headers: state ? { 'If-Match': state } : {},
        });
    }
}
