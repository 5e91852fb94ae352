import { CatalogueStore } from './catalogue-store.js';
import { readList } from './paged-list.js';
import { plain } from './track-text.js';

/** Tracks that lie together in the database. */
const CHUNK = 2000;
/** What of a track nobody here asks for: a hundred thousand of them are in memory. */
const UNUSED = ['file_size_bytes', 'loudness_range_lu', 'sample_peak_dbfs', 'fade_in_end_seconds', 'fade_out_start_seconds',
    'key_camelot', 'is_available', 'average_bit_rate_bps', 'stream_url'];
/** Changes up to this number are asked for one by one, more with the whole list. */
const FEW = 40;
/** Seconds between two readings of a whole large library, while it is being analysed. */
const REST_SECONDS = 60;
const LARGE = 5000;

/**
 * What the host has: tracks, albums and artists, as last seen, and brought up to date.
 *
 * Events: 'change' (something is other than it was), 'progress' (`detail` is {count, total} of tracks, null at the end).
 */
export class Catalogue extends EventTarget {
    #client;
    #store = new CatalogueStore();
    #tags = {};
    #waiting = new Set();
    #timer = 0;
    #syncedAt = 0;
    #running = null;
    #haystacks = null;

    /** All tracks by title. @type {any[]} */
    tracks = [];
    /** @type {any[]} */
    albums = [];
    /** @type {any[]} */
    artists = [];
    /** @type {Map<number, any>} */
    trackById = new Map();
    albumById = new Map();
    artistById = new Map();
    /** Whether anything is known of the library at all. */
    isLoaded = false;
    /** @type {Error | null} */
    error = null;

    /** @param {import('../host/host-client.js').HostClient} client */
    constructor(client) {
        super();
        this.#client = client;
    }

    /** Shows what is known from last time. @returns {Promise<boolean>} whether there was something */
    async load() {
        if (!await this.#store.open()) return false;
        const [head, chunks, albums, artists] = await Promise.all([
            this.#store.read('head'), this.#store.readAll('tracks/'), this.#store.read('albums'), this.#store.read('artists'),
        ]);
        // What was written by another make of this page, or for another host, is read anew.
        if (head?.version !== 1 || head.base !== this.#client.base) return false;
        this.#tags = head.tags;
        this.#take(chunks.flat(), albums ?? [], artists ?? []);
        return true;
    }

    /** Brings everything up to date. */
    async sync() {
        this.#running ??= this.#sync().finally(() => { this.#running = null; });
        return this.#running;
    }

    async #sync() {
        try {
            const client = this.#client;
            const tell = (count, total) => this.#progress({ count, total });
            const [tracks, albums, artists] = await Promise.all([
                readList(client, '/api/tracks', { query: { sort: 'title' }, keep: slim, tag: this.#tags.tracks, onProgress: tell }),
                readList(client, '/api/albums', { query: { sort: 'title' }, tag: this.#tags.albums }),
                readList(client, '/api/artists', { query: { sort: 'name' }, tag: this.#tags.artists }),
            ]);
            this.error = null;
            this.#syncedAt = performance.now();
            if (tracks || albums || artists || !this.isLoaded) {
                this.#tags = {
                    tracks: tracks ? tracks.tag : this.#tags.tracks, albums: albums ? albums.tag : this.#tags.albums,
                    artists: artists ? artists.tag : this.#tags.artists,
                };
                this.#take(tracks?.items ?? this.tracks, albums?.items ?? this.albums, artists?.items ?? this.artists);
                await this.#keep();
            }
        } catch (error) {
            this.error = error;
            this.dispatchEvent(new Event('change'));
            throw error;
        } finally {
            this.#progress(null);
        }
    }

    /** Follows the host's events. @param {import('../host/host-events.js').HostEvents} events */
    follow(events) {
        events.addEventListener('resync', () => this.#later(null));
        events.addEventListener('message', event => {
            const { type, tracks } = event.detail;
            if (['tracks_added', 'tracks_changed', 'tracks_removed', 'profiles_ready'].includes(type)) {
                for (const track of tracks ?? []) this.#waiting.add(track.track_id ?? track.id);
                this.#later(tracks);
            } else if (type === 'library_changed') this.#later(null);
        });
    }

    /** Several changes are read together, and a large library not too often. */
    #later(tracks) {
        if (!tracks) this.#waiting.add('all');
        if (this.#timer) return;
        const since = (performance.now() - this.#syncedAt) / 1000;
        const seconds = this.tracks.length > LARGE && this.#waiting.size > FEW ? Math.max(2, REST_SECONDS - since) : 1;
        this.#timer = setTimeout(() => {
            this.#timer = 0;
            this.#waiting.clear();
            this.sync().catch(() => {});
        }, seconds * 1000);
    }

    /** A track that may not be in the list (yet). @param {number} id */
    async track(id) {
        return this.trackById.get(id) ?? this.#client.json(`/api/tracks/${id}`);
    }

    /** The tracks of an album, in order. @param {number} id */
    albumTracks(id) {
        return this.tracks.filter(track => track.album_id === id).sort((a, b) =>
            (a.disc_number ?? 1) - (b.disc_number ?? 1) || (a.track_number ?? 0) - (b.track_number ?? 0)
            || (a.relative_path < b.relative_path ? -1 : 1));
    }

    /** An artist's albums, the newest first. @param {number} id */
    artistAlbums(id) {
        return this.albums.filter(album => album.artist_id === id).sort((a, b) => (b.year ?? 0) - (a.year ?? 0));
    }

    /** The tracks by an artist. @param {number} id */
    artistTracks(id) {
        return this.tracks.filter(track => track.artist_id === id);
    }

    /** Genres with the number of their tracks, by name. */
    genres() {
        const counts = new Map();
        for (const { genre, album_id: album } of this.tracks) {
            if (!genre) continue;
            const found = counts.get(genre) ?? { name: genre, count: 0, albums: new Set() };
            found.count++;
            if (album && found.albums.size < 4) found.albums.add(album);
            counts.set(genre, found);
        }
        return [...counts.values()].sort((a, b) => (plain(a.name) < plain(b.name) ? -1 : 1));
    }

    /** What each track is searched by. Made once for a state of the library. */
    get haystacks() {
        this.#haystacks ??= this.tracks.map(track =>
            `${plain(track.title || track.relative_path)}\n${plain(track.artist)}\n${plain(track.album)}\n${plain(track.album_artist)}\n${plain(track.composer)}`);
        return this.#haystacks;
    }

    /** Forgets the library. */
    async forget() {
        this.#tags = {};
        this.#take([], [], []);
        this.isLoaded = false;
        await this.#store.clear();
    }

    #take(tracks, albums, artists) {
        this.tracks = tracks;
        this.albums = albums;
        this.artists = artists;
        this.trackById = new Map(tracks.map(track => [track.id, track]));
        this.albumById = new Map(albums.map(album => [album.id, album]));
        this.artistById = new Map(artists.map(artist => [artist.id, artist]));
        this.#haystacks = null;
        this.isLoaded = true;
        this.dispatchEvent(new Event('change'));
    }

    async #keep() {
        const parts = { head: { version: 1, base: this.#client.base, tags: this.#tags }, albums: this.albums, artists: this.artists };
        for (let start = 0; start < this.tracks.length; start += CHUNK) {
            parts[`tracks/${String(start / CHUNK).padStart(6, '0')}`] = this.tracks.slice(start, start + CHUNK);
        }
        try {
            await this.#store.write(parts, ['tracks/']);
        } catch {
            // No room: the next start reads it from the host.
        }
    }

    #progress(detail) {
        this.dispatchEvent(new CustomEvent('progress', { detail }));
    }
}

function slim(track) {
    for (const name of UNUSED) delete track[name];
    return track;
}
