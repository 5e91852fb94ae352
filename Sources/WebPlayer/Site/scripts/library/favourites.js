import { AnswerOrder } from './answer-order.js';
import { browserStorage } from '../host/browser-storage.js';
import { readList } from './paged-list.js';

/** Key in the browser's storage. */
const KEY = 'listening.states';
/** Number of attempts to read lists of one state. */
const ATTEMPTS = 3;
const KINDS = ['tracks', 'albums', 'artists'];
/** The field with the id in an action. */
export const ID_NAMES = { tracks: 'track_id', albums: 'album_id', artists: 'artist_id' };

/**
 * Stars and ratings of tracks, albums and artists, shared by all clients of the host.
 *
 * Changes are applied immediately and sent through `actions`, which queues them while the host is offline. Dispatches 'change'.
 *
 * The host's state is stored with its entity tag, which is that of all listening data of one account: the lists are read again
 * only when it has changed.
 */
export class Favourites extends EventTarget {
    #client;
    #order = new AnswerOrder();
    #actions;
    #storage;
    #states = { tracks: new Map(), albums: new Map(), artists: new Map() };
    /** Whether the host's state is known. */
    isLoaded = false;
    /** Whether the host has been asked, successfully or not. */
    isSettled = false;
    /** Entity tag of the account's listening data when the states were read; empty if unknown. */
    tag = '';

    /**
     * @param {import('../host/host-client.js').Client} client
     * @param {{send(action: object): void, pending: object[]}} actions
     * @param {import('../host/host-storage.js').KeyStorage} [storage]
     */
    constructor(client, actions, storage = browserStorage()) {
        super();
        this.#client = client;
        this.#actions = actions;
        this.#storage = storage;
    }

    /** Reads all stars and ratings, if they have changed. */
    async refresh() {
        try {
            await this.#refresh();
        } finally {
            if (!this.isSettled) {
                this.isSettled = true;
                this.dispatchEvent(new Event('change'));
            }
        }
    }

    async #refresh() {
        await this.#order.ask(
            () => this.#read(),
            ({ tag, states, isStored }) => {
                this.tag = tag;
                this.isLoaded = true;
                for (const kind of KINDS) this.#states[kind] = new Map(states[kind]);
                // Lists of different states are read again next time.
                if (!tag) this.#storage.removeItem(KEY);
                else if (!isStored) this.#store(tag, states);
                // Queued actions are newer than the host's state.
                for (const action of this.#actions.pending) this.#apply(action);
                this.dispatchEvent(new Event('change'));
            },
        );
    }

    async #read() {
        const stored = this.#stored();
        if (stored && await this.#isCurrent(stored.tag)) return { ...stored, isStored: true };
        let lists = await this.#readAll();
        // The host's state changed in between.
        for (let attempt = 1; attempt < ATTEMPTS && !lists.tag; attempt++) lists = await this.#readAll();
        return { ...lists, isStored: false };
    }

    /** @param {string} tag */
    async #isCurrent(tag) {
        return (await this.#client.answer('/listening/tracks', { query: { list: 'starred', limit: 1 }, tag })).isCurrent;
    }

    /** @returns {Promise<{tag: string, states: Record<string, [number, object][]>}>} without a tag if the lists are of different states */
    async #readAll() {
        const tags = new Set();
        const states = /** @type {Record<string, [number, object][]>} */ ({});
        const read = async (kind) => {
            const [starred, rated] = await Promise.all(
                ['starred', 'rated'].map((list) => readList(this.#client, `/listening/${kind}`, { query: { list } })),
            );
            for (const list of [starred, rated]) tags.add(list.isSteady ? list.tag : '');
            states[kind] = [...starred.items, ...rated.items].map((item) => [
                item.id,
                {
                    isStarred: item.listening?.is_starred ?? false,
                    rating: item.listening?.rating ?? 0,
                    starredAt: item.listening?.starred_at ?? 0,
                },
            ]);
        };
        await Promise.all(KINDS.map(read));
        const [tag] = tags;
        return { tag: tags.size === 1 && tag ? tag : '', states };
    }

    /** @returns {{tag: string, states: Record<string, [number, object][]>} | null} */
    #stored() {
        try {
            const stored = JSON.parse(this.#storage.getItem(KEY) ?? 'null');
            return typeof stored?.tag === 'string' && KINDS.every((kind) => Array.isArray(stored.states?.[kind])) ? stored : null;
        } catch {
            return null;
        }
    }

    /** @param {string} tag @param {Record<string, [number, object][]>} states */
    #store(tag, states) {
        try {
            this.#storage.setItem(KEY, JSON.stringify({ tag, states }));
        } catch {
            // Storage is full or blocked: they are read again next time.
        }
    }

    /** Clears all stars and ratings. */
    forget() {
        this.#order.forget();
        this.#storage.removeItem(KEY);
        this.tag = '';
        this.isLoaded = false;
        for (const kind of KINDS) this.#states[kind] = new Map();
        this.dispatchEvent(new Event('change'));
    }

    /** @param {'tracks' | 'albums' | 'artists'} kind @param {number} id */
    isStarred(kind, id) {
        return this.#states[kind].get(id)?.isStarred ?? false;
    }

    /** Rating from 1 to 5; 0 if unrated. */
    rating(kind, id) {
        return this.#states[kind].get(id)?.rating ?? 0;
    }

    /** Returns ids of starred items, most recently starred first. */
    starred(kind) {
        return [...this.#states[kind]].filter(([, state]) => state.isStarred).sort((a, b) => b[1].starredAt - a[1].starredAt)
            .map(([id]) => id);
    }

    /** Returns all stars and ratings of a kind, the earliest star first. @param {'tracks' | 'albums' | 'artists'} kind */
    states(kind) {
        return [...this.#states[kind]].filter(([, { isStarred, rating }]) => isStarred || rating)
            .sort((one, other) => one[1].starredAt - other[1].starredAt).map(([id, state]) => ({ id, ...state }));
    }

    star(kind, id, isStarred) {
        this.#act({ action: isStarred ? 'star' : 'unstar', [ID_NAMES[kind]]: id });
    }

    rate(kind, id, rating) {
        this.#act({ action: 'rate', [ID_NAMES[kind]]: id, rating: rating || null });
    }

    #act(action) {
        this.#apply({ ...action, at: Date.now() / 1000 });
        this.dispatchEvent(new Event('change'));
        this.#actions.send(action);
    }

    #apply(action) {
        const kind = KINDS.find((name) => action[ID_NAMES[name]] !== undefined);
        if (!kind) return;
        const id = action[ID_NAMES[kind]];
        const state = { isStarred: false, rating: 0, starredAt: 0, ...this.#states[kind].get(id) };
        if (action.action === 'star') Object.assign(state, { isStarred: true, starredAt: action.at ?? 0 });
        if (action.action === 'unstar') state.isStarred = false;
        if (action.action === 'rate') state.rating = action.rating ?? 0;
        this.#states[kind].set(id, state);
    }
}
