import { partAt } from './track-parts.js';

/**
 * A client that answers requests about downloaded tracks from this browser, whether or not the host is online.
 *
 * It has the methods of `HostClient` that the player, the visualizer, lyrics and covers use.
 */
export class OfflineClient {
    #client;
    #store;
    #catalogue;

    /**
     * @param {import('../host/host-client.js').HostClient} client
     * @param {import('./download-store.js').DownloadStore} store
     * @param {{library: string, trackById: Pick<Map<number, any>, 'get'>}} catalogue maps track ids to audio hashes
     */
    constructor(client, store, catalogue) {
        this.#client = client;
        this.#store = store;
        this.#catalogue = catalogue;
    }

    /** Identity of the current library. */
    get library() {
        return this.#catalogue.library;
    }

    get base() {
        return this.#client.base;
    }
    get key() {
        return this.#client.key;
    }

    /**
     * Returns a cache key for data about a track's audio: its file may be replaced, and its id belongs to one library only.
     * @param {number} id
     */
    audioKey(id) {
        return `${this.library}/${this.#hashOf(id) ?? `#${id}`}`;
    }

    /** Whether a track is downloaded. @param {number} id */
    isKept(id) {
        return this.#store.has(this.#hashOf(id));
    }

    doubt() {
        this.#client.doubt();
    }
    url(path, query) {
        return this.#client.url(path, query);
    }
    answer(path, options) {
        return this.#client.answer(path, options);
    }

    async json(path, options) {
        const part = await this.#part(path, options?.method);
        return part ? JSON.parse(await part.blob.text()) : this.#client.json(path, options);
    }

    async bytes(path, options = {}) {
        const part = await this.#part(path);
        if (part) {
            const blob = options.range ? part.blob.slice(options.range[0], options.range[1] + 1) : part.blob;
            return {
                status: blob.size === 0 ? 204 : 200,
                headers: new Headers({ 'Content-Type': part.type }),
                buffer: await blob.arrayBuffer(),
            };
        }
        try {
            return await this.#client.bytes(path, options);
        } catch (error) {
            const cover = error?.kind === 'offline' || error?.kind === 'timeout' ? await this.#albumCover(path) : null;
            if (!cover) throw error;
            return { status: 200, headers: new Headers({ 'Content-Type': cover.type }), buffer: await cover.blob.arrayBuffer() };
        }
    }

    async fetch(path, init = {}) {
        const part = await this.#part(path, init.method);
        if (!part) return this.#client.fetch(path, init);
        const range = /^bytes=(\d+)-(\d*)$/.exec(new Headers(init.headers).get('Range') ?? '');
        const size = part.blob.size;
        if (!range) return new Response(part.blob, { headers: { 'Content-Type': part.type, 'Content-Length': String(size) } });
        const first = Number(range[1]);
        const last = Math.min(range[2] === '' ? size - 1 : Number(range[2]), size - 1);
        return new Response(part.blob.slice(first, last + 1), {
            status: 206,
            headers: {
                'Content-Type': part.type,
                'Content-Range': `bytes ${first}-${last}/${size}`,
                'Content-Length': String(last - first + 1),
            },
        });
    }

    /** Returns the stored part for a path; undefined if the track is not downloaded. */
    async #part(path, method = 'GET') {
        if (method !== 'GET') return undefined;
        const place = partAt(path);
        const hash = place && this.#hashOf(place.id);
        return hash && this.#store.has(hash) ? this.#store.part(hash, place.name) : undefined;
    }

    /**
     * Returns the audio hash of a track; if the library no longer has the track, that of its download.
     * @param {number} id
     * @returns {string | undefined}
     */
    #hashOf(id) {
        return (this.#catalogue.trackById.get(id) ?? this.#store.byId(id)?.track)?.audio_hash;
    }

    /** Returns the cover of one of an album's downloaded tracks. */
    async #albumCover(path) {
        const album = /^\/api\/albums\/(\d+)\/cover/.exec(path);
        if (!album) return null;
        for (const { track } of this.#store.entries) {
            if (track.album_id !== Number(album[1])) continue;
            const part = await this.#store.part(track.audio_hash, 'cover');
            if (part?.blob.size) return part;
        }
        return null;
    }
}
