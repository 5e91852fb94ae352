import { browserStorage } from '../host/browser-storage.js';

/** Key in the browser's storage. */
const KEY = 'listening.home';
/** Number of songs read of each list. */
const LIMITS = { recently_played: 60, most_played: 60, starred: 500 };

/**
 * The account's listening as the home page shows it: songs played last, played most and starred, and favourite albums.
 *
 * It is stored in the browser, so that the next visit shows the same rows at once. Dispatches 'change'.
 */
export class HomeLists extends EventTarget {
    #client;
    #favourites;
    #library;
    #storage;
    /** Favourite albums as of the last visit; null once the current ones are known. */
    #former = /** @type {number[] | null} */ ([]);
    #lists = /** @type {Record<keyof typeof LIMITS, any[]>} */ ({ recently_played: [], most_played: [], starred: [] });
    /** Entity tag of the lists; empty if they are of different states. */
    #tag = '';
    /** Whether the lists are known, from the host or from the last visit. */
    isLoaded = false;
    /** Whether the host has been asked, successfully or not. */
    isSettled = false;

    /**
     * @param {import('../host/host-client.js').Client} client
     * @param {import('./favourites.js').Favourites} favourites
     * @param {() => string} library identity of the library
     * @param {import('../host/host-storage.js').KeyStorage} [storage]
     */
    constructor(client, favourites, library, storage = browserStorage()) {
        super();
        this.#client = client;
        this.#favourites = favourites;
        this.#library = library;
        this.#storage = storage;
        favourites.addEventListener('change', () => {
            if (!favourites.isLoaded) return;
            this.#former = null;
            if (this.isLoaded) this.#store();
        });
    }

    /** Songs with their listening data, the latest play first. */
    get lately() {
        return this.#lists.recently_played;
    }

    /** Songs with their listening data, the most played first. */
    get often() {
        return this.#lists.most_played;
    }

    /** Starred songs with their listening data. */
    get starred() {
        return this.#lists.starred;
    }

    /** Ids of favourite albums, most recently starred first. */
    get albums() {
        return this.#former ?? this.#favourites.starred('albums');
    }

    /** Takes the lists of the last visit, if they are of the same library. */
    restore() {
        const library = this.#library();
        if (this.isLoaded || !library) return;
        try {
            const stored = JSON.parse(this.#storage.getItem(KEY) ?? 'null');
            if (stored?.library !== library || !Array.isArray(stored.albums)) return;
            if (!Object.keys(LIMITS).every((name) => Array.isArray(stored.lists?.[name]))) return;
            this.#lists = stored.lists;
            this.#tag = String(stored.tag ?? '');
            if (this.#former) this.#former = stored.albums;
            this.isLoaded = true;
        } catch {
            // Not written by this page: the lists are read from the host.
        }
    }

    /** Reads the lists from the host; those of the last visit only if they have changed. @param {AbortSignal} signal */
    async refresh(signal) {
        try {
            if (!this.isSettled && this.isLoaded && await this.#isCurrent(signal)) return;
            const names = /** @type {(keyof typeof LIMITS)[]} */ (Object.keys(LIMITS));
            const answers = await Promise.all(
                names.map((list) => this.#client.answer('/listening/tracks', { query: { list, limit: LIMITS[list] }, signal })),
            );
            signal.throwIfAborted();
            for (const [place, name] of names.entries()) this.#lists[name] = answers[place].value.items.map(factsOf);
            this.isLoaded = true;
            const tags = new Set(answers.map(({ tag }) => tag));
            this.#tag = tags.size === 1 ? answers[0].tag ?? '' : '';
            this.#store();
        } finally {
            if (!signal.aborted) {
                this.isSettled = true;
                this.dispatchEvent(new Event('change'));
            }
        }
    }

    /** Whether the listening data is that of the last visit. Favourites ask for its tag at the start. @param {AbortSignal} signal */
    async #isCurrent(signal) {
        const favourites = this.#favourites;
        while (!favourites.isSettled) {
            await new Promise((resolve) => favourites.addEventListener('change', resolve, { once: true }));
            signal.throwIfAborted();
        }
        return this.#tag !== '' && this.#tag === favourites.tag;
    }

    /** Clears the lists. */
    forget() {
        this.#storage.removeItem(KEY);
        this.#lists = { recently_played: [], most_played: [], starred: [] };
        this.#tag = '';
        this.isLoaded = false;
        this.isSettled = false;
    }

    #store() {
        try {
            this.#storage.setItem(
                KEY,
                JSON.stringify({ library: this.#library(), tag: this.#tag, lists: this.#lists, albums: this.albums }),
            );
        } catch {
            // Storage is full or blocked: the lists are read again next time.
        }
    }
}

/** Returns what the home page uses of a song. */
function factsOf({ id, album_id, listening }) {
    return { id, album_id, listening: { last_played_at: listening?.last_played_at, starred_at: listening?.starred_at } };
}
