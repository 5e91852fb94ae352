import { AnswerOrder } from './answer-order.js';

/**
 * The radio stations of the host, and the recordings of them.
 *
 * Dispatches `change`.
 */
export class Stations extends EventTarget {
    /** The stations by name. @type {any[]} */
    all = [];
    /** Whether the account may edit stations. */
    canEdit = false;
    /** Recorded files, the newest first. @type {any[]} */
    recordings = [];
    /** Recordings in progress. @type {any[]} */
    active = [];
    isLoaded = false;

    #client;
    #order = new AnswerOrder();

    /** @param {any} client a `HostClient` */
    constructor(client) {
        super();
        this.#client = client;
    }

    /** @param {AbortSignal} [signal] */
    async load(signal) {
        await this.#order.ask(
            () =>
                Promise.all([
                    this.#client.json('/stations', { signal }),
                    this.#client.json('/stations/recordings', { signal }),
                ]),
            ([stations, recordings]) => {
                this.all = stations.items;
                this.canEdit = stations.can_edit;
                this.recordings = recordings.items;
                this.active = recordings.active;
                this.isLoaded = true;
                this.dispatchEvent(new Event('change'));
            },
        );
    }

    /** Whether a track is a recording of a station. @param {number | undefined} trackID */
    isRecording(trackID) {
        return this.recordings.some((recording) => recording.track_id === trackID);
    }

    /** Returns the stations whose names contain all words of a text. @param {string} text */
    matching(text) {
        const words = plain(text).split(/\s+/).filter(Boolean);
        return this.all.filter((station) => words.every((word) => plain(station.name).includes(word)));
    }

    /** Finds the stream behind an address. @param {string} address @returns {Promise<any>} */
    async check(address) {
        return await this.#client.json('/stations/check', { method: 'POST', body: { stream_url: address } });
    }

    /** Adds a station, or changes the one with an ID. @param {Record<string, string>} body @param {number} [id] */
    async save(body, id) {
        if (id) await this.#client.json(`/stations/${id}`, { method: 'PATCH', body });
        else await this.#client.json('/stations', { method: 'POST', body: { ...body, homepage_url: body.homepage_url || null } });
        await this.load();
    }

    /** @param {number} id */
    async remove(id) {
        await this.#client.json(`/stations/${id}`, { method: 'DELETE' });
        await this.load();
    }

    /** Removes a recording from the list; its file stays. @param {number} id */
    async removeRecording(id) {
        await this.#client.json(`/stations/recordings/${id}`, { method: 'DELETE' });
        await this.load();
    }
}

/** A text without case and accents. @param {string} text */
function plain(text) {
    return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}
