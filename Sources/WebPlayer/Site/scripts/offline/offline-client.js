import { partAt } from './track-parts.js';

/**
 * Asks the host, and what is downloaded is had from this browser instead: the same answers, whether the host is there or not.
 *
 * Has the methods of `HostClient` that the player, the visualizer, lyrics and covers use.
 */
export class OfflineClient {
    #client;
    #store;

    /**
     * @param {import('../host/host-client.js').HostClient} client
     * @param {import('./download-store.js').DownloadStore} store
     */
    constructor(client, store) {
        this.#client = client;
        this.#store = store;
    }

    get base() { return this.#client.base; }
    get key() { return this.#client.key; }

    /** Whether a track is downloaded. @param {number} id */
    isKept(id) { return this.#store.tracks.has(id); }

    url(path, query) { return this.#client.url(path, query); }
    answer(path, options) { return this.#client.answer(path, options); }

    async json(path, options) {
        const part = await this.#part(path, options?.method);
        return part ? JSON.parse(await part.blob.text()) : this.#client.json(path, options);
    }

    async bytes(path, options = {}) {
        const part = await this.#part(path);
        if (part) {
            const blob = options.range ? part.blob.slice(options.range[0], options.range[1] + 1) : part.blob;
            return { status: blob.size === 0 ? 204 : 200, headers: new Headers({ 'Content-Type': part.type }), buffer: await blob.arrayBuffer() };
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
            status: 206, headers: { 'Content-Type': part.type, 'Content-Range': `bytes ${first}-${last}/${size}`, 'Content-Length': String(last - first + 1) },
        });
    }

    /** What is kept of a path; undefined where nothing is. */
    async #part(path, method = 'GET') {
        if (method !== 'GET') return undefined;
        const place = partAt(path);
        if (!place || !this.#store.tracks.has(place.id)) return undefined;
        return this.#store.part(place.id, place.name);
    }

    /** The cover of one of an album's downloaded tracks. */
    async #albumCover(path) {
        const album = /^\/api\/albums\/(\d+)\/cover/.exec(path);
        if (!album) return null;
        for (const { track } of this.#store.tracks.values()) {
            if (track.album_id !== Number(album[1])) continue;
            const part = await this.#store.part(track.id, 'cover');
            if (part?.blob.size) return part;
        }
        return null;
    }
}
