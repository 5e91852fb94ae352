import { isWhole, readChanges, withAllChanges } from './catalogue-changes.js';
import { CatalogueStore } from './catalogue-store.js';
import { LargeLibrary } from './large-library.js';
import { readList } from './paged-list.js';
import { SearchTexts } from './search-texts.js';
import { albumsByArtist, genresOf, inAlbumOrder, slim, yearsOf } from './tracks.js';

/** Maximum number of attempts to read the lists if they change meanwhile. */
const ATTEMPTS = 3;
/** Milliseconds between a change and its request; longer for many changes in a large library, which takes a while to redraw. */
const SYNC_DELAY = 1000;
const LARGE_SYNC_DELAY = 5000;
/** Milliseconds until a failed request is repeated. When the host returns, its events trigger one sooner. */
const RETRY_DELAY = 10_000;
const MANY = 40;
const LARGE = 5000;
/** Tracks that are kept in memory per gigabyte of the device's memory; browsers say at most 8. */
const TRACKS_PER_GIGABYTE = 25_000;
/** Gigabytes of memory if the browser does not say. */
const USUAL_GIGABYTES = 4;
/** Pages of changes that are read at most before the lists of a large library are read again instead. */
const CHANGE_PAGES = 20;

/**
 * The host's tracks, albums and artists: cached from the last visit and kept up to date.
 *
 * Of a library with more tracks than the device has room for, albums and artists are kept; `tracks` is empty then, and lists of tracks
 * are read in windows with {@link songs}.
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
    #searchTexts = new SearchTexts();
    /** @type {Map<string, any> | null} */
    #byHash = null;
    /**
     * Albums by their artist.
     * @type {Map<number, any[]> | null}
     */
    #byArtist = null;
    /** Tracks that were asked for: of a large library, and before all tracks are known. */
    #large;
    #most;

    /** Identity of the library that the lists belong to; empty while unknown. */
    library = '';
    /** Whether ids stored by an earlier release may belong to another library. */
    isReplaced = false;
    /** All tracks, sorted by title; none of a large library. @type {any[]} */
    tracks = [];
    /** Number of tracks. */
    trackCount = 0;
    /** Whether the library has too many tracks to keep them all. */
    isLarge = false;
    /** @type {any[]} */
    albums = [];
    /** @type {any[]} */
    artists = [];
    /**
     * Tracks by id; those of a large library are read when they are asked for.
     * @type {Pick<Map<number, any>, 'get' | 'has'>}
     */
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
     * @param {number} [most] the most tracks that are kept
     */
    constructor(client, database, most = roomForTracks()) {
        super();
        this.#client = client;
        this.#store = new CatalogueStore(database);
        this.#most = most;
        this.#large = new LargeLibrary(client, slim);
        this.#large.addEventListener('change', () => this.dispatchEvent(new Event('change')));
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
        this.isLarge = known.trackCount > 0;
        this.trackCount = known.trackCount;
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
            const since = this.isLoaded ? this.#revision : '';
            const changes = await readChanges(this.#client, since, this.isLarge ? CHANGE_PAGES : Infinity);
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
        const lists = withAllChanges(this, changed, this.isLarge);
        if (this.isLarge !== totals?.tracks > this.#most || !isWhole(lists, totals, this.isLarge)) return false;
        this.trackCount = totals.tracks;
        if (revision === this.#revision) return true;
        this.#revision = revision;
        if (Object.values(changed).some((items) => items.size)) this.#take(lists, { changed });
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
                if (!this.isLoaded) {
                    this.#take({ tracks: [], albums: unique(albums), artists: unique(artists) }, { isEarly: true });
                }
                const tracks = await readList(client, '/api/tracks', {
                    query: { sort: 'title' },
                    keep: slim,
                    attempts: 1,
                    most: this.#most,
                    onProgress: (count, total) => this.#progress({ count, total }),
                });
                const isLarge = tracks.total > this.#most;
                const changes = await readChanges(client, revision);
                const lists = withAllChanges(
                    { tracks: unique(tracks), albums: unique(albums), artists: unique(artists) },
                    changes.changed,
                    isLarge,
                );
                const isCurrent = !changes.isReset &&
                    (isWhole(lists, changes.totals, isLarge) || [tracks, albums, artists].every((list) => list.isSteady));
                // If the library changes all the time, showing a slightly inconsistent state is better than none; the next sync
                // reads it again.
                if (!isCurrent && attempt < ATTEMPTS) {
                    revision = changes.revision;
                    continue;
                }
                this.#revision = isCurrent ? changes.revision : '';
                this.library = client.library;
                this.#isEarlier = false;
                this.isLarge = isLarge;
                this.trackCount = changes.totals?.tracks ?? tracks.total;
                this.#large.forget();
                this.#take(lists);
                await this.#keep();
                return;
            }
        } finally {
            this.#progress(null);
        }
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
    #later(milliseconds = this.trackCount > LARGE && this.#waiting.size > MANY ? LARGE_SYNC_DELAY : SYNC_DELAY) {
        if (this.#timer) return;
        this.#timer = setTimeout(async () => {
            // A request in progress may have been answered before this change.
            await this.#running?.catch(() => {});
            this.#timer = 0;
            this.#waiting.clear();
            this.sync().catch(() => this.#later(RETRY_DELAY));
        }, milliseconds);
    }

    /** Whether ids that were stored without audio hashes belong to this library. */
    get hasLibraryOfIDs() {
        return this.library !== '' && !this.isReplaced;
    }

    /** Returns a track, from the host if the list does not have it (yet). @param {number} id */
    async track(id) {
        return this.trackById.get(id) ?? this.#client.json(`/api/tracks/${id}`);
    }

    /**
     * Finds a track that was stored by id and audio hash; null if the library no longer has it, or if it is not known.
     * @param {number} id @param {string} [hash] absent in data of earlier releases
     */
    noted(id, hash) {
        const track = this.trackById.get(id) ?? null;
        if (!hash) return this.hasLibraryOfIDs ? track : null;
        if (track?.audio_hash === hash) return track;
        this.#byHash ??= new Map(this.tracks.map((each) => [each.audio_hash, each]));
        return this.#byHash.get(hash) ?? null;
    }

    /**
     * Returns the tracks among which those with ids, audio hashes or paths are: those that the library has, or all of a small one.
     * @param {{ids?: number[], hashes?: string[], paths?: string[]}} wanted
     * @returns {Promise<any[]>}
     */
    async tracksAmong(wanted) {
        return this.isLarge ? this.#large.find(wanted) : this.tracks;
    }

    /** Whether tracks of a large library that were asked for by id are still being read. */
    get isReading() {
        return this.isLarge && this.#large.isReading;
    }

    /** Called when another view is shown: forgets what only the former one needed. */
    trim() {
        this.#large.trim();
    }

    /**
     * Returns the songs of a list of a large library.
     * @param {import('./large-library.js').Selection} selection
     * @param {string} [column] to sort by, descending with a minus
     * @returns {import('./host-tracks.js').HostTracks}
     */
    songs(selection, column) {
        return this.#large.songs(selection, column);
    }

    /** Returns the tracks of an album in disc and track order, as {@link tracksOf}. @param {number} id */
    albumTracks(id) {
        return inAlbumOrder(this.tracksOf('album_id', id));
    }

    /** Returns the same once they are known. @param {number} id */
    async readAlbumTracks(id) {
        if (this.#hasTracks) return this.albumTracks(id);
        return inAlbumOrder(await this.#large.readTracksOf('album_id', id));
    }

    /** Returns an artist's albums, newest first. @param {number} id */
    artistAlbums(id) {
        this.#byArtist ??= albumsByArtist(this.albums);
        return this.#byArtist.get(id) ?? [];
    }

    /**
     * Returns the tracks of an album or an artist. In a large library, and before all tracks are known, they are read from the host: then
     * the list is empty at first, and 'change' follows.
     * @param {'album_id' | 'artist_id'} field @param {number} id
     */
    tracksOf(field, id) {
        return this.#hasTracks ? this.tracks.filter((track) => track[field] === id) : this.#large.tracksOf(field, id);
    }

    /** Whether the tracks of an album or an artist are known. @param {'album_id' | 'artist_id'} field @param {number} id */
    knowsTracksOf(field, id) {
        return this.#hasTracks || this.#large.knowsTracksOf(field, id);
    }

    /** Whether all tracks are known, or nothing is. */
    get #hasTracks() {
        return !this.isLarge && (this.isLoaded || !this.hasAlbums);
    }

    /**
     * Returns the genres sorted by name, each with its number of tracks and an album; null while those of a large library are not known:
     * then 'change' follows.
     * @returns {{name: string, count: number, album: any}[] | null}
     */
    genres() {
        if (this.isLarge) {
            return this.#large.genres?.map(({ name, track_count: count, album_id: id }) => ({
                name,
                count,
                album: this.albumById.get(id),
            })) ?? null;
        }
        return genresOf(this.tracks, this.albumById);
    }

    /** Returns the number of tracks of each year; null while those of a large library are not known. @returns {Map<number, number> | null} */
    years() {
        return this.isLarge ? this.#large.years : yearsOf(this.tracks);
    }

    /** Search texts in the order of `tracks`. */
    get haystacks() {
        return this.#searchTexts.of(this.tracks);
    }

    /** Clears the lists and the stored library. */
    async forget() {
        this.#revision = '';
        this.library = '';
        this.#isEarlier = this.isReplaced = this.isLarge = false;
        this.trackCount = 0;
        this.#large.forget();
        this.#take({ tracks: [], albums: [], artists: [] });
        this.isLoaded = this.hasAlbums = false;
        await this.#store.clear();
    }

    /**
     * Replaces the lists.
     * @param {any} lists
     * @param {{changed?: Record<string, Map<number, any>>, isEarly?: boolean}} options `changed`: differences from the current lists;
     *     `isEarly`: whether the tracks are not known yet
     */
    #take(lists, { changed, isEarly = false } = {}) {
        const maps = { tracks: 'trackById', albums: 'albumById', artists: 'artistById' };
        for (const [list, map] of Object.entries(maps)) {
            this[list] = lists[list];
            if (list === 'tracks' && this.isLarge) continue;
            if (!changed) this[map] = new Map(lists[list].map((item) => [item.id, item]));
            for (const [id, item] of changed?.[list] ?? []) {
                if (item) this[map].set(id, item);
                else this[map].delete(id);
            }
        }
        if (this.isLarge) this.trackById = this.#large;
        else if (!isEarly) this.trackCount = this.tracks.length;
        if (changed && this.isLarge) this.#large.update(changed.tracks);
        this.#byHash = null;
        this.#byArtist = null;
        this.hasAlbums = true;
        this.isLoaded = !isEarly;
        this.dispatchEvent(new Event('change'));
    }

    async #keep(changed) {
        const { library, tracks, albums, artists } = this;
        const trackCount = this.isLarge ? this.trackCount : 0;
        try {
            await this.#store.write(
                { library, revision: this.#revision, trackCount, tracks, albums, artists },
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

/** Returns the items of a list without duplicates. */
function unique({ items, isSteady }) {
    return isSteady ? items : [...new Map(items.map((item) => [item.id, item])).values()];
}

/** Returns how many tracks this device has room for. */
function roomForTracks() {
    return TRACKS_PER_GIGABYTE * (/** @type {any} */ (navigator).deviceMemory ?? USUAL_GIGABYTES);
}
