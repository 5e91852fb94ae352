import { KEYS, readChanges, withChanges } from './catalogue-changes.js';
import { CatalogueStore } from './catalogue-store.js';
import { readList } from './paged-list.js';
import { plain } from './track-text.js';

/** What of a track nobody here asks for: a hundred thousand of them are in memory. */
const UNUSED = ['file_size_bytes', 'loudness_range_lu', 'sample_peak_dbfs', 'fade_in_end_seconds', 'fade_out_start_seconds',
    'key_camelot', 'is_available', 'average_bit_rate_bps', 'stream_url'];
/** How often the lists are read, where what changed meanwhile cannot be made up for. */
const ATTEMPTS = 3;
/** Milliseconds between a change and its being asked for; more while there are many, in a library where each takes a while to be shown. */
const SOON = 1000;
const BUSY = 5000;
/** Milliseconds until it is asked again after that failed; a host that is away tells itself when it is back. */
const AGAIN = 10_000;
const MANY = 40;
const LARGE = 5000;

/**
 * What the host has: tracks, albums and artists, as last seen, and brought up to date.
 *
 * Events: 'change' (something is other than it was), 'progress' (`detail` is {count, total} of tracks, null at the end).
 */
export class Catalogue extends EventTarget {
    #client;
    #store = new CatalogueStore();
    /** Name of the state that is known; empty for none. */
    #revision = '';
    #waiting = new Set();
    #timer = 0;
    #running = null;
    /** What tracks are searched by, from the last time that it was asked for. @type {Map<any, string>} */
    #texts = new Map();
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
        const known = await this.#store.read();
        // What was written for another host is read anew.
        if (known?.base !== this.#client.base) return false;
        this.#revision = known.revision;
        this.#take(known);
        return true;
    }

    /** Brings everything up to date. */
    async sync() {
        this.#running ??= this.#sync().finally(() => { this.#running = null; });
        return this.#running;
    }

    async #sync() {
        try {
            const changes = await readChanges(this.#client, this.isLoaded ? this.#revision : '');
            if (changes.isReset || !await this.#apply(changes)) await this.#readAll(changes.revision);
            this.error = null;
        } catch (error) {
            this.error = error;
            this.dispatchEvent(new Event('change'));
            throw error;
        }
    }

    /** Takes changes of what is known. @returns {Promise<boolean>} whether that is now what the host has */
    async #apply({ revision, changed, totals }) {
        const lists = this.#withChanges(this, changed);
        if (!isWhole(lists, totals)) return false;
        if (revision === this.#revision) return true;
        this.#revision = revision;
        if (Object.values(changed).some(items => items.size)) this.#take(lists, changed);
        await this.#keep(changed);
        return true;
    }

    /** Reads the lists, and then what has changed since before that. @param {string} revision from before */
    async #readAll(revision) {
        const client = this.#client;
        try {
            for (let attempt = 1; ; attempt++) {
                const [tracks, albums, artists] = await Promise.all([
                    readList(client, '/api/tracks', {
                        query: { sort: 'title' }, keep: slim, attempts: 1, onProgress: (count, total) => this.#progress({ count, total }),
                    }),
                    readList(client, '/api/albums', { query: { sort: 'title' }, attempts: 1 }),
                    readList(client, '/api/artists', { query: { sort: 'name' }, attempts: 1 }),
                ]);
                const changes = await readChanges(client, revision);
                const lists = this.#withChanges({ tracks: unique(tracks), albums: unique(albums), artists: unique(artists) }, changes.changed);
                const isCurrent = !changes.isReset && (isWhole(lists, changes.totals) || [tracks, albums, artists].every(list => list.isSteady));
                // A library that changes all the time is better shown a little askew than never, and read again the next time.
                if (!isCurrent && attempt < ATTEMPTS) {
                    revision = changes.revision;
                    continue;
                }
                this.#revision = isCurrent ? changes.revision : '';
                this.#take(lists);
                await this.#keep();
                return;
            }
        } finally {
            this.#progress(null);
        }
    }

    #withChanges(lists, changed) {
        changed.tracks.forEach(track => track && slim(track));
        return Object.fromEntries(Object.entries(KEYS).map(([list, keyOf]) => [list, withChanges(lists[list], changed[list], keyOf)]));
    }

    /** Follows the host's events. @param {import('../host/host-events.js').HostEvents} events */
    follow(events) {
        events.addEventListener('resync', () => this.#later());
        events.addEventListener('message', event => {
            const { type, tracks } = event.detail;
            if (['tracks_added', 'tracks_changed', 'tracks_removed', 'profiles_ready'].includes(type)) {
                for (const track of tracks ?? []) this.#waiting.add(track.track_id ?? track.id);
                this.#later();
            } else if (type === 'library_changed') this.#later();
        });
    }

    /** Several changes are asked for together. @param {number} [milliseconds] */
    #later(milliseconds = this.tracks.length > LARGE && this.#waiting.size > MANY ? BUSY : SOON) {
        if (this.#timer) return;
        this.#timer = setTimeout(async () => {
            // What is under way may have been answered before this change.
            await this.#running?.catch(() => {});
            this.#timer = 0;
            this.#waiting.clear();
            this.sync().catch(() => this.#later(AGAIN));
        }, milliseconds);
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

    /** What each track is searched by. Made once for a state of the library, and for a track. */
    get haystacks() {
        if (!this.#haystacks) {
            const known = this.#texts;
            this.#haystacks = this.tracks.map(track => known.get(track) ?? searched(track));
            this.#texts = new Map(this.tracks.map((track, index) => [track, this.#haystacks[index]]));
        }
        return this.#haystacks;
    }

    /** Forgets the library. */
    async forget() {
        this.#revision = '';
        this.#take({ tracks: [], albums: [], artists: [] });
        this.isLoaded = false;
        await this.#store.clear();
    }

    /** Takes lists, all at once. @param {Record<string, Map<number, any>>} [changed] what they differ in from those that we have */
    #take(lists, changed) {
        const maps = { tracks: 'trackById', albums: 'albumById', artists: 'artistById' };
        for (const [list, map] of Object.entries(maps)) {
            this[list] = lists[list];
            if (!changed) this[map] = new Map(lists[list].map(item => [item.id, item]));
            for (const [id, item] of changed?.[list] ?? []) {
                if (item) this[map].set(id, item);
                else this[map].delete(id);
            }
        }
        this.#haystacks = null;
        this.isLoaded = true;
        this.dispatchEvent(new Event('change'));
    }

    async #keep(changed) {
        const { tracks, albums, artists } = this;
        try {
            await this.#store.write({ base: this.#client.base, revision: this.#revision, tracks, albums, artists }, changed);
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

function searched(track) {
    return `${plain(track.title || track.relative_path)}\n${plain(track.artist)}\n${plain(track.album)}\n${plain(track.album_artist)}\n${plain(track.composer)}`;
}

/** Items of a list without those that came twice. */
function unique({ items, isSteady }) {
    return isSteady ? items : [...new Map(items.map(item => [item.id, item])).values()];
}

/** Whether lists that have all changes have all items: what they hold is the host's, so the number tells. */
function isWhole(lists, totals) {
    return Object.keys(KEYS).every(list => lists[list].length === totals?.[list]);
}
