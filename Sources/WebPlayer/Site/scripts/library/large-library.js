import { HostTracks } from './host-tracks.js';
import { readList } from './paged-list.js';
import { forgetOldest, keepRecent } from './recent.js';

/** Ids, audio hashes or paths per request, and tracks per page: the host's limits. */
const BATCH = 500;
/** Milliseconds in which ids and answers are collected. */
const PAUSE = 30;
/** Milliseconds until a failed request is repeated. */
const RETRY_DELAY = 10_000;
/** Tracks of read pages that are kept. */
const SEEN = 5000;
/** Tracks kept by id when another view is shown. */
const KEPT = 20_000;
/** Lists of albums and artists that are kept. */
const LISTS = 100;
/** Lists of songs that are kept: a view that is shown again starts where it was. */
const SONGS = 4;
/** Milliseconds until a list that the host has to sort first is given up. */
const TIMEOUT = 60_000;
/** The columns by which the host sorts at once; it has the same names for them. */
const SORTS = new Set(['title', 'artist', 'album', 'added', 'duration', 'year', 'bpm']);
/**
 * Orders of the host that are not the table's: they begin with the tracks that have no value, or reverse the songs of each album. Rules
 * take longer.
 */
const OTHERWISE = new Set(['bpm', 'year', '-year', '-artist', '-album']);
/** The names of columns in rules, by which it sorts as well: tracks without the value come last. */
const FIELDS = new Map([
    ['title', 'title'],
    ['artist', 'artist'],
    ['album', 'album'],
    ['added', 'dateAdded'],
    ['duration', 'duration'],
    ['genre', 'genre'],
    ['rating', 'rating'],
    ['plays', 'playCount'],
    ['year', 'year'],
    ['bpm', 'bpm'],
    ['key', 'camelot'],
    ['loudness', 'loudness'],
    ['format', 'fileType'],
    ['damaged', 'damagedFrames'],
]);
/** A rule that all tracks meet. */
const ANY = Object.freeze({ gt: { size: 0 } });

/**
 * Which songs a list has: those that match a search text, or those of a genre that meet rules.
 * @typedef {{text?: string, genre?: string, rules?: import('./smart-rules.js').Rules}} Selection
 */

/**
 * The tracks of a library too large to be kept in the browser. Lists are read in windows, single tracks when something asks for them by
 * id.
 *
 * Dispatches 'change' when something that was asked for has become known.
 */
export class LargeLibrary extends EventTarget {
    #client;
    #keep;
    /** Tracks asked for by id. @type {Map<number, any>} */
    #tracks = new Map();
    /** Tracks of pages, the one read longest ago first. @type {Map<number, any>} */
    #seen = new Map();
    /** Lists of songs that were shown last. @type {Map<string, HostTracks>} */
    #songs = new Map();
    /** Ids to be asked for. @type {Set<number>} */
    #wanted = new Set();
    /** Ids that the library does not have. @type {Set<number>} */
    #absent = new Set();
    /** Tracks of albums and artists, the list used longest ago first. @type {Map<string, TracksOf>} */
    #lists = new Map();
    /**
     * Numbers that the host counts, with the version of the library that it is of.
     * @type {Record<string, {items: any[] | null, version: number, isReading: boolean}>}
     */
    #counts = {
        genres: { items: null, version: 0, isReading: false },
        years: { items: null, version: 0, isReading: false },
    };
    #timer = 0;
    #retry = 0;
    #asking = 0;
    #isPrepared = false;
    #version = 1;

    /**
     * @param {import('../host/host-client.js').Client} client
     * @param {(track: any) => any} keep maps a track to what is kept of it
     */
    constructor(client, keep) {
        super();
        this.#client = client;
        this.#keep = keep;
    }

    // ---- Single tracks

    /** Returns a track; undefined if the library does not have it, or if it is not known yet: then 'change' follows. @param {number} id */
    get(id) {
        const known = this.peek(id);
        // An address may contain any number.
        if (!known && Number.isSafeInteger(id) && id > 0 && !this.#absent.has(id)) this.#want(id);
        return known;
    }

    /** Whether the library has a track, as far as is known; as {@link get}. @param {number} id */
    has(id) {
        return this.get(id) !== undefined;
    }

    /** Returns a track if it is known; nothing is asked. @param {number} id */
    peek(id) {
        return this.#tracks.get(id) ?? this.#seen.get(id);
    }

    /** Whether tracks that were asked for are still being read. */
    get isReading() {
        return this.#asking > 0 || this.#wanted.size > 0;
    }

    /**
     * Reads tracks by ids, audio hashes and paths.
     * @param {{ids?: number[], hashes?: string[], paths?: string[]}} wanted
     * @returns {Promise<any[]>} those that the library has
     */
    async find({ ids = [], hashes = [], paths = [] }) {
        const found = [];
        for (const [name, all] of Object.entries({ track_ids: ids, audio_hashes: hashes, relative_paths: paths })) {
            for (let at = 0; at < all.length; at += BATCH) {
                const body = { [name]: all.slice(at, at + BATCH) };
                const { items } = await this.#client.json('/api/tracks/lookup', { method: 'POST', body });
                found.push(...items.map(this.#keep));
            }
        }
        return found;
    }

    #want(id) {
        if (this.#retry) return;
        this.#wanted.add(id);
        this.#asking ||= setTimeout(() => this.#ask(), PAUSE);
    }

    async #ask() {
        const ids = [...this.#wanted];
        try {
            const found = await this.find({ ids });
            for (const track of found) this.#tracks.set(track.id, track);
            for (const id of ids) if (!this.#tracks.has(id)) this.#absent.add(id);
        } catch {
            this.#later();
        } finally {
            this.#changed();
            for (const id of ids) this.#wanted.delete(id);
            this.#asking = this.#wanted.size && !this.#retry ? setTimeout(() => this.#ask(), PAUSE) : 0;
        }
    }

    /** Forgets tracks that no view needs: they are read again when one asks for them. */
    trim() {
        forgetOldest(this.#tracks, KEPT);
    }

    // ---- Tracks of an album or an artist

    /**
     * Returns the tracks of an album or an artist; none while they are not known, then 'change' follows.
     * @param {'album_id' | 'artist_id'} field @param {number} id
     */
    tracksOf(field, id) {
        const list = this.#listOf(field, id);
        if (list.isStale) this.#read(list);
        return [...list.items ?? []];
    }

    /** Whether the tracks of an album or an artist are known. @param {'album_id' | 'artist_id'} field @param {number} id */
    knowsTracksOf(field, id) {
        return Boolean(this.#listOf(field, id).items);
    }

    /** Returns the same once they are known. @param {'album_id' | 'artist_id'} field @param {number} id */
    async readTracksOf(field, id) {
        const list = this.#listOf(field, id);
        if (list.isStale) this.#read(list);
        await list.reading;
        return [...list.items ?? []];
    }

    /** @param {'album_id' | 'artist_id'} field @param {number} id @returns {TracksOf} */
    #listOf(field, id) {
        const key = `${field} ${id}`;
        const list = this.#lists.get(key) ?? { field, id, items: null, isStale: true, reading: null };
        keepRecent(this.#lists, key, list, LISTS);
        return list;
    }

    /** @param {TracksOf} list */
    #read(list) {
        if (this.#retry) return;
        list.isStale = false;
        const reading = readList(this.#client, '/api/tracks', { query: { [list.field]: list.id }, keep: this.#keep }).then(
            ({ items }) => {
                list.items = items;
                this.#see(items);
                this.#changed();
            },
            () => {
                list.isStale = true;
                this.#later();
            },
        ).finally(() => {
            if (list.reading === reading) list.reading = null;
        });
        list.reading = reading;
    }

    // ---- Lists

    /**
     * Returns a list of songs.
     * @param {Selection} selection
     * @param {string} [column] to sort by, descending with a minus; without it, a search has its best matches first
     * @returns {HostTracks}
     */
    songs(selection, column = selection.text ? '' : 'title') {
        const key = JSON.stringify([selection, column]);
        const list = this.#songs.get(key) ?? this.#listed(selection, column);
        keepRecent(this.#songs, key, list, SONGS);
        return list;
    }

    /** @param {Selection} selection @param {string} column @returns {HostTracks} */
    #listed(selection, column) {
        const { text, genre, rules } = selection;
        const name = column.replace(/^-/, '');
        const sign = column === name ? '' : '-';
        const all = [...(genre ? [{ is: { genre } }] : []), ...(rules?.all ?? [])];
        const byRules = { all: all.length ? all : [ANY], sort: sign + FIELDS.get(name) };
        const isSorted = !name || (SORTS.has(name) && !OTHERWISE.has(column));
        const isPlain = text || (!rules?.all?.length && isSorted);
        const query = { ...(text && { q: text }), ...(genre && { genre }), ...(SORTS.has(name) && { sort: column }) };
        const read = async (page) => {
            const answer = isPlain
                ? await this.#client.json('/api/tracks', { query: { ...query, ...page } })
                : await this.#rules(byRules, page);
            const items = answer.items.map(this.#keep);
            this.#see(items);
            this.#prepare();
            return { items, total: answer.total };
        };
        const list = new HostTracks({
            read: (offset, limit) => read({ offset, limit }),
            sample: (count) =>
                text
                    ? list.slice(0, count)
                    : rules?.all?.length
                    ? this.#drawn(count, byRules)
                    : this.#drawn(count, null, genre ? { genre } : {}),
            order: (other) => this.#listed(selection, other),
            columns: text ? SORTS : FIELDS,
            version: () => this.#version,
        });
        return list;
    }

    /** Reads random tracks, each once. @param {number} count @param {object | null} rules @param {Record<string, string>} [query] */
    async #drawn(count, rules, query = {}) {
        const found = new Map();
        const seed = Math.floor(Math.random() * 2 ** 31);
        for (let offset = 0; offset < count; offset += BATCH) {
            const limit = Math.min(BATCH, count - offset);
            const { items } = rules
                ? await this.#rules({ ...rules, sort: 'random' }, { offset, limit, seed })
                : await this.#client.json('/api/tracks/random', { query: { ...query, limit } });
            for (const track of items.map(this.#keep)) found.set(track.id, track);
        }
        return [...found.values()];
    }

    /** Evaluates rules once: the first ones after a start of the host take it seconds in a very large library, later ones sort at once. */
    async #prepare() {
        if (this.#isPrepared) return;
        this.#isPrepared = true;
        const body = { rules: { all: [ANY] } };
        try {
            await this.#client.json('/api/smart-playlists/count', { method: 'POST', body, timeout: TIMEOUT });
        } catch {
            this.#isPrepared = false;
        }
    }

    async #rules(rules, page) {
        return this.#client.json('/api/smart-playlists/tracks', { method: 'POST', body: { rules, ...page }, timeout: TIMEOUT });
    }

    /** The genres as the host lists them; null until 'change'. @returns {any[] | null} */
    get genres() {
        return this.#counted('genres');
    }

    /** Number of songs of each year; null until 'change'. @returns {Map<number, number> | null} */
    get years() {
        const years = this.#counted('years');
        return years && new Map(years.map(({ year, track_count: count }) => [year, count]));
    }

    /** Returns what is known of a count, and reads it again after the library has changed. @param {string} name */
    #counted(name) {
        const count = this.#counts[name];
        if (count.version !== this.#version && !count.isReading && !this.#retry) this.#count(name, count);
        return count.items;
    }

    async #count(name, count) {
        const version = this.#version;
        count.isReading = true;
        try {
            count.items = (await this.#client.json(`/api/${name}`)).items;
            count.version = version;
            this.#changed();
        } catch {
            this.#later();
        } finally {
            count.isReading = false;
        }
    }

    // ---- Changes

    /**
     * Updates what is known. Lists are read again when they are shown.
     * @param {Map<number, any>} changed tracks by id; null for removed ones
     */
    update(changed) {
        this.#version++;
        this.#absent.clear();
        for (const list of this.#lists.values()) {
            const isOf = (track) => track?.[list.field] === list.id;
            if (list.items?.some(({ id }) => changed.has(id)) || [...changed.values()].some(isOf)) list.isStale = true;
        }
        for (const [id, track] of changed) {
            if (!track) {
                this.#tracks.delete(id);
                this.#seen.delete(id);
            } else if (this.#tracks.has(id)) this.#tracks.set(id, track);
            else this.#see([track]);
        }
    }

    /** Forgets all that is known: the library has been read again. */
    forget() {
        for (const known of [this.#tracks, this.#seen, this.#absent, this.#lists, this.#songs]) known.clear();
        for (const count of Object.values(this.#counts)) count.items = null;
        this.#version++;
    }

    #see(tracks) {
        for (const track of tracks) keepRecent(this.#seen, track.id, track, SEEN);
    }

    /** Dispatches 'change' once for answers in quick succession. */
    #changed() {
        if (this.#timer) return;
        this.#timer = setTimeout(() => {
            this.#timer = 0;
            this.dispatchEvent(new Event('change'));
        }, PAUSE);
    }

    /** After a failed request, nothing is asked for a while; then views ask again. */
    #later() {
        this.#retry ||= setTimeout(() => {
            this.#retry = 0;
            this.dispatchEvent(new Event('change'));
        }, RETRY_DELAY);
    }
}

/**
 * The tracks of an album or an artist.
 * @typedef {object} TracksOf
 * @property {'album_id' | 'artist_id'} field
 * @property {number} id
 * @property {any[] | null} items null until they have been read
 * @property {boolean} isStale whether they have to be read
 * @property {Promise<void> | null} reading
 */
