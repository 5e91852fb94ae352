import { TimedLyrics } from './timed-lyrics.js';

/** Reads a track's lyrics from the host, and writes their offset back. */
export class LyricsSource {
    #client;

    /** @param {object} client */
    constructor(client) {
        this.#client = client;
    }

    /**
     * @param {number} trackId
     * @returns {Promise<{lyrics: TimedLyrics, path: string, state: string | null} | null>} null where it has none
     */
    async load(trackId) {
        try {
            const { status, buffer, headers } = await this.#client.bytes(`/tracks/${trackId}/lyrics?missing=empty`);
            if (status === 204) return null;
            const content = JSON.parse(new TextDecoder().decode(buffer));
            const state = typeof headers?.get === 'function' ? headers.get('ETag') : headers?.etag ?? null;
            return { lyrics: new TimedLyrics(content), path: content.relative_path, state };
        } catch (error) {
            if (error.kind === 'not-found') return null;
            throw error;
        }
    }

    /**
     * Writes another offset.
     *
     * @param {{lyrics: TimedLyrics, path: string, state: string | null}} loaded what it is meant for
     * @param {number} later by how much all times become later, in seconds
     */
    async move({ lyrics, path, state }, later) {
        // The host's offset makes times earlier, as in LRC; it is kept in hundredths.
        const offset = Math.round((lyrics.offset - later) * 100) / 100;
        await this.#client.json('/lyrics', {
            query: { relative_path: path, target: lyrics.source }, method: 'PUT', body: { offset_seconds: offset },
            headers: state ? { 'If-Match': state } : {},
        });
    }
}
