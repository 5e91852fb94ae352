import { AnswerOrder } from './answer-order.js';

/** The ID of the jukebox among the clients of the host. */
const CLIENT_ID = 0;

/**
 * @typedef {object} JukeboxState
 * @property {string} output
 * @property {boolean} is_playing
 * @property {number} [index]
 * @property {number} position_seconds
 * @property {number} [duration_seconds]
 * @property {number} volume
 * @property {number[]} track_ids
 * @property {number} revision
 * @property {string} [problem]
 */

/**
 * The host's own player, whose sound comes from the host's sound card.
 *
 * Dispatches `change`.
 */
export class Jukebox extends EventTarget {
    /** Null unless the host has a jukebox that the account may control. */
    state = /** @type {JukeboxState | null} */ (null);

    #client;
    #order = new AnswerOrder();
    /** When the position was measured, in milliseconds. */
    #time = 0;

    /** @param {any} client a `HostClient` */
    constructor(client) {
        super();
        this.#client = client;
    }

    /** Looks for a jukebox that the account may control. */
    async find() {
        // Not the jukebox's own route, which is an error on hosts without one.
        const { clients } = await this.#client.json('/clients');
        if (clients.some((/** @type {{id: number}} */ { id }) => id === CLIENT_ID)) await this.load();
        else this.forget();
    }

    /** Gets the state. @param {AbortSignal} [signal] */
    async load(signal) {
        await this.#order.ask(
            () => this.#client.json('/jukebox', { signal }),
            (state) => this.#take(state),
        );
    }

    forget() {
        if (this.state) this.#take(null);
    }

    /** The position in the current track, in seconds. */
    get position() {
        const { state } = this;
        if (!state) return 0;
        const passed = state.is_playing && !state.problem ? (performance.now() - this.#time) / 1000 : 0;
        return Math.min(state.position_seconds + passed, state.duration_seconds ?? Infinity);
    }

    /** Changes what it does. @param {{is_playing?: boolean, index?: number, position_seconds?: number, volume?: number}} patch */
    async change(patch) {
        this.#take(await this.#client.json('/jukebox', { method: 'PATCH', body: patch }));
    }

    /** Replaces the queue and plays. @param {{id: number}[]} tracks @param {number} [index] @param {number} [seconds] */
    async play(tracks, index = 0, seconds = 0) {
        const body = { track_ids: tracks.map(({ id }) => id), index, position_seconds: seconds, is_playing: true };
        this.#take(await this.#client.json('/jukebox/queue', { method: 'PUT', body }));
    }

    /** Appends tracks to the queue. @param {{id: number}[]} tracks */
    async add(tracks) {
        const body = { track_ids: tracks.map(({ id }) => id) };
        this.#take(await this.#client.json('/jukebox/queue/entries', { method: 'POST', body }));
    }

    /** @param {number} position */
    async remove(position) {
        const query = { revision: this.state?.revision };
        this.#take(await this.#client.json(`/jukebox/queue/entries/${position}`, { method: 'DELETE', query }));
    }

    /** Empties the queue. */
    async clear() {
        this.#take(await this.#client.json('/jukebox/queue', { method: 'PUT', body: { track_ids: [] } }));
    }

    /** Shuffles the tracks that are not playing. */
    async shuffle() {
        this.#take(await this.#client.json('/jukebox/queue/shuffle', { method: 'POST' }));
    }

    /** @param {JukeboxState | null} state */
    #take(state) {
        this.state = state;
        this.#time = performance.now();
        this.dispatchEvent(new Event('change'));
    }
}
