import { KEYS, readChanges, withChanges } from './catalogue-changes.js';
import { CatalogueStore } from './catalogue-store.js';
import { readList } from './paged-list.js';
import { plain } from './track-text.js';

/** Fields of tracks that the page does not use. They are left out to save memory: a library may have a hundred thousand tracks. */
const UNUSED = new Set([
    'loudness_range_lu',
    'sample_peak_dbfs',
    'fade_in_end_seconds',
    'fade_out_start_seconds',
    'is_available',
    'average_bit_rate_bps',
    'stream_url',
]);
/** Maximum number of attempts to read the lists if they change meanwhile. */
const ATTEMPTS = 3;
/** Milliseconds between a change and its request; longer for many changes in a large library, which takes a while to redraw. */
const SYNC_DELAY = 1000;
const LARGE_SYNC_DELAY = 5000;
/** Milliseconds until a failed request is repeated. When the host returns, its events trigger one sooner. */
const RETRY_DELAY = 10_000;
const MANY = 40;
const LARGE = 5000;

/**
 * The host's tracks, albums and artists: cached from the last visit and kept up to date.
 *
 * Events: 'change', 'progress' (`detail` is {count, total} of tracks while the lists are read, null at the end).
 */
export class Catalogue extends EventTarget {
    #client;
    #store;
    /** Revision of the lists; empty if unknown. */
    #revision = '';
    /** Whether the stored lists were written by an earlier release and have to be read again. */
    #isEarlier = false;
    #waiting = new Set();
    #timer = 0;
    /** @type {Promise<void> | null} */
    #running = null;
    /** Search texts of tracks, cached from the last time they were needed. @type {Map<any, string>} */
    #texts = new Map();
    /** @type {string[] | null} */
    #haystacks = null;
    /** @type {Map<string, any> | null} */
    #byHash = null;
    /** Tracks of albums and artists that were asked for before all tracks are known. @type {Map<string, Promise<any[]> | any[]>} */
    #early = new Map();

    /** Identity of the library that the lists belong to; empty while unknown. */
    library = '';
    /** Whether ids stored by an earlier release may belong to another library. */
    isReplaced = false;
    /** All tracks, sorted by title. @type {any[]} */
    tracks = [];
    /** @type {any[]} */
    albums = [];
    /** @type {any[]} */
    artists = [];
    /** @type {Map<number, any>} */
    trackById = new Map();
    albumById = new Map();
    artistById = new Map();
    /** Whether the lists have been loaded, from the browser or from the host. */
    isLoaded = false;
    /** Whether albums and artists have been loaded. In a large library that is long before all tracks have. */
    hasAlbums = false;
    /** @type {Error | null} */
    error = null;

    /**
     * @param {import('../host/host-client.js').Client} client
     * @param {string} [database] name of the host's database in the browser
     */
    constructor(client, database) {
        super();
        this.#client = client;
        this.#store = new CatalogueStore(database);
    }

    /** Loads the lists stored on the last visit. @returns {Promise<boolean>} whether there were any */
    async load() {
        if (!await this.#store.open()) return false;
        const known = await this.#store.read();
        // The host may have answered first.
        if (!known || this.isLoaded) return false;
        // Data of another library is not used.
        if (known.library && this.#client.library && known.library !== this.#client.library) return false;
        this.library = known.library;
        this.#isEarlier = Boolean(known.isEarlier);
        this.#revision = known.revision;
        this.#take(known);
        return true;
    }

    /** Updates the lists from the host. Concurrent calls share one update. */
    async sync() {
        this.#running ??= this.#sync().finally(() => {
            this.#running = null;
        });
        return this.#running;
    }

    async #sync() {
        try {
            const changes = await readChanges(this.#client, this.isLoaded ? this.#revision : '');
            // A host that knows the stored revision has the same library as before.
            if (changes.isReset && !this.library) this.isReplaced = true;
            if (changes.isReset || this.#isEarlier || !await this.#apply(changes)) await this.#readAll(changes.revision);
            this.error = null;
        } catch (error) {
            this.error = error;
            this.dispatchEvent(new Event('change'));
            throw error;
        }
    }

    /** Applies changes. @returns {Promise<boolean>} whether the lists now match the host's */
    async #apply({ revision, changed, totals }) {
        const lists = this.#withChanges(this, changed);
        if (!isWhole(lists, totals)) return false;
        if (revision === this.#revision) return true;
        this.#revision = revision;
        if (Object.values(changed).some((items) => items.size)) this.#take(lists, changed);
        await this.#keep(changed);
        return true;
    }

    /** Reads the lists, then applies changes made meanwhile. @param {string} revision known before the lists are read */
    async #readAll(revision) {
        const client = this.#client;
        try {
            for (let attempt = 1;; attempt++) {
                const [albums, artists] = await Promise.all([
                    readList(client, '/api/albums', { query: { sort: 'title' }, attempts: 1 }),
                    readList(client, '/api/artists', { query: { sort: 'name' }, attempts: 1 }),
                ]);
                if (!this.isLoaded) this.#take({ tracks: [], albums: unique(albums), artists: unique(artists) }, null, true);
                const tracks = await readList(client, '/api/tracks', {
                    query: { sort: 'title' },
                    keep: slim,
                    attempts: 1,
                    onProgress: (count, total) => this.#progress({ count, total }),
                });
                const changes = await readChanges(client, revision);
                const lists = this.#withChanges(
                    { tracks: unique(tracks), albums: unique(albums), artists: unique(artists) },
                    changes.changed,
                );
                const isCurrent = !changes.isReset &&
                    (isWhole(lists, changes.totals) || [tracks, albums, artists].every((list) => list.isSteady));
                // If the library changes all the time, showing a slightly inconsistent state is better than none; the next sync
                // reads it again.
                if (!isCurrent && attempt < ATTEMPTS) {
                    revision = changes.revision;
                    continue;
                }
                this.#revision = isCurrent ? changes.revision : '';
                this.library = client.library;
                this.#isEarlier = false;
                this.#take(lists);
                await this.#keep();
                return;
            }
        } finally {
            this.#progress(null);
        }
    }

    #withChanges(lists, changed) {
        changed.tracks.forEach((track, id) => changed.tracks.set(id, track && slim(track)));
        return Object.fromEntries(
            Object.entries(KEYS).map(([list, keyOf]) => [list, withChanges(lists[list], changed[list], keyOf)]),
        );
    }

    /** Updates on the host's events. @param {import('../host/host-events.js').HostEvents} events */
    follow(events) {
        events.addEventListener('resync', () => this.#later());
        events.addEventListener('message', (event) => {
            const { type, tracks } = event.detail;
            if (['tracks_added', 'tracks_changed', 'tracks_removed', 'profiles_ready'].includes(type)) {
                for (const track of tracks ?? []) this.#waiting.add(track.track_id ?? track.id);
                this.#later();
            } else if (type === 'library_changed') this.#later();
        });
    }

    /** Schedules an update; changes in quick succession share one. @param {number} [milliseconds] */
    #later(milliseconds = this.tracks.length > LARGE && this.#waiting.size > MANY ? LARGE_SYNC_DELAY : SYNC_DELAY) {
        if (this.#timer) return;
        this.#timer = setTimeout(async () => {
            // A request in progress may have been answered before this change.
            await this.#running?.catch(() => {});
            this.#timer = 0;
            this.#waiting.clear();
            this.sync().catch(() => this.#later(RETRY_DELAY));
        }, milliseconds);
    }

    /** Returns a track, from the host if the list does not have it (yet). @param {number} id */
    async track(id) {
        return this.trackById.get(id) ?? this.#client.json(`/api/tracks/${id}`);
    }

    /**
     * Finds a track that was stored by id and audio hash; null if the library no longer has it.
     * @param {number} id @param {string} [hash] absent in data of earlier releases
     */
    noted(id, hash) {
        const track = this.trackById.get(id) ?? null;
        if (!hash) return this.library && !this.isReplaced ? track : null;
        if (track?.audio_hash === hash) return track;
        this.#byHash ??= new Map(this.tracks.map((each) => [each.audio_hash, each]));
        return this.#byHash.get(hash) ?? null;
    }

    /**
     * Returns the tracks of an album in disc and track order. Before all tracks are known, they are read from the host: then the list is
     * empty at first, and 'change' follows.
     * @param {number} id
     */
    albumTracks(id) {
        return this.#tracksOf('album_id', id).sort((a, b) =>
            (a.disc_number ?? 1) - (b.disc_number ?? 1) || (a.track_number ?? 0) - (b.track_number ?? 0) ||
            (a.relative_path < b.relative_path ? -1 : 1)
        );
    }

    /** Returns the same once they are known. @param {number} id */
    async readAlbumTracks(id) {
        const tracks = this.albumTracks(id);
        const reading = this.#early.get(`album_id ${id}`);
        if (!reading) return tracks;
        await reading;
        return this.albumTracks(id);
    }

    /** Returns an artist's albums, newest first. @param {number} id */
    artistAlbums(id) {
        return this.albums.filter((album) => album.artist_id === id).sort((a, b) => (b.year ?? 0) - (a.year ?? 0));
    }

    /** Returns an artist's tracks; before all are known, as {@link albumTracks}. @param {number} id */
    artistTracks(id) {
        return this.#tracksOf('artist_id', id);
    }

    /** @param {'album_id' | 'artist_id'} field @param {number} id */
    #tracksOf(field, id) {
        if (this.isLoaded || !this.hasAlbums) return this.tracks.filter((track) => track[field] === id);
        const key = `${field} ${id}`;
        const known = this.#early.get(key);
        if (Array.isArray(known)) return [...known];
        if (!known) this.#early.set(key, this.#readEarly(key, { [field]: id }));
        return [];
    }

    async #readEarly(key, query) {
        const read = await readList(this.#client, '/api/tracks', { query, keep: slim }).catch(() => null);
        // All tracks may be known by now.
        if (!this.#early.has(key)) return;
        if (read) this.#early.set(key, read.items);
        else this.#early.delete(key);
        if (read) this.dispatchEvent(new Event('change'));
    }

    /** Returns the genres sorted by name, each with its track count and the ids of up to four albums. */
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

    /** Search texts in the order of `tracks`. Computed once per track and cached until the library changes. */
    get haystacks() {
        if (!this.#haystacks) {
            const known = this.#texts;
            const haystacks = this.tracks.map((track) => known.get(track) ?? searched(track));
            this.#texts = new Map(this.tracks.map((track, index) => [track, haystacks[index]]));
            this.#haystacks = haystacks;
        }
        return this.#haystacks;
    }

    /** Clears the lists and the stored library. */
    async forget() {
        this.#revision = '';
        this.library = '';
        this.#isEarlier = this.isReplaced = false;
        this.#take({ tracks: [], albums: [], artists: [] });
        this.isLoaded = this.hasAlbums = false;
        await this.#store.clear();
    }

    /**
     * Replaces the lists.
     * @param {any} lists
     * @param {Record<string, Map<number, any>> | null} [changed] differences from the current lists
     * @param {boolean} [isEarly] whether the tracks are not known yet
     */
    #take(lists, changed = null, isEarly = false) {
        const maps = { tracks: 'trackById', albums: 'albumById', artists: 'artistById' };
        for (const [list, map] of Object.entries(maps)) {
            this[list] = lists[list];
            if (!changed) this[map] = new Map(lists[list].map((item) => [item.id, item]));
            for (const [id, item] of changed?.[list] ?? []) {
                if (item) this[map].set(id, item);
                else this[map].delete(id);
            }
        }
        this.#haystacks = null;
        this.#byHash = null;
        this.#early.clear();
        this.hasAlbums = true;
        this.isLoaded = !isEarly;
        this.dispatchEvent(new Event('change'));
    }

    async #keep(changed) {
        const { library, tracks, albums, artists } = this;
        try {
            await this.#store.write(
                { library, revision: this.#revision, tracks, albums, artists },
                changed,
            );
        } catch {
            // Storage is full: the next start reads the library from the host.
        }
    }

    #progress(detail) {
        this.dispatchEvent(new CustomEvent('progress', { detail }));
    }
}

/** Returns a track without unused fields: a copy, since an object from which fields are deleted takes three times the memory. */
function slim(track) {
    return Object.fromEntries(Object.entries(track).filter(([name]) => !UNUSED.has(name)));
}

function searched(track) {
    return `${plain(track.title || track.relative_path)}\n${plain(track.artist)}\n${plain(track.album)}\n${
        plain(track.album_artist)
    }\n${plain(track.composer)}`;
}

/** Returns the items of a list without duplicates. */
function unique({ items, isSteady }) {
    return isSteady ? items : [...new Map(items.map((item) => [item.id, item])).values()];
}

/** Whether lists with all changes applied are complete. Their items are the host's, so comparing lengths is enough. */
function isWhole(lists, totals) {
    return Object.keys(KEYS).every((list) => lists[list].length === totals?.[list]);
}
