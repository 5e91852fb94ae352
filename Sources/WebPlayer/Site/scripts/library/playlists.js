import { AnswerOrder } from './answer-order.js';

/** The playlists, which are stored on the host. Dispatches 'change'. */
export class Playlists extends EventTarget {
    #client;
    #connection;
    #order = new AnswerOrder();

    /** Playlists without their tracks. @type {any[]} */
    all = [];
    isLoaded = false;
    /** Whether the host has answered, or could not be asked: then there is nothing to wait for. */
    isSettled = false;

    /**
     * @param {import('../host/host-client.js').Client} client
     * @param {{account: {id: number} | null}} [connection] whose account it is
     */
    constructor(client, connection = { account: null }) {
        super();
        this.#client = client;
        this.#connection = connection;
    }

    /** Whether the account can add songs to a playlist: it is its own one, and does not follow from rules. @param {any} list */
    canAddTo(list) {
        const { account } = this.#connection;
        // Hosts of an earlier release name no owners.
        return !list.rules && (!account || list.owner_id === undefined || list.owner_id === account.id);
    }

    /** Reads the list from the host. */
    async refresh() {
        try {
            await this.#order.ask(
                () => this.#client.json('/api/playlists', { query: { limit: 500 } }),
                (page) => {
                    this.all = page.items;
                    this.isLoaded = true;
                    this.isSettled = true;
                    this.dispatchEvent(new Event('change'));
                },
            );
        } finally {
            if (!this.isSettled) {
                this.isSettled = true;
                this.dispatchEvent(new Event('change'));
            }
        }
    }

    /** Clears the list. */
    forget() {
        this.#order.forget();
        this.all = [];
        this.isLoaded = false;
        this.isSettled = false;
        this.dispatchEvent(new Event('change'));
    }

    /** Returns a playlist with its tracks and the entity tag that position changes require. @param {number} id */
    async one(id) {
        const { value, tag } = await this.#client.answer(`/api/playlists/${id}`);
        const tracks = value.entries.items.map((entry) => entry.track);
        while (tracks.length < value.entries.total) {
            const page = await this.#client.json(`/api/playlists/${id}`, { query: { offset: tracks.length } });
            if (!page.entries.items.length) break;
            tracks.push(...page.entries.items.map((entry) => entry.track));
        }
        return { playlist: value, tracks, tag };
    }

    /** @param {string} name @param {number[]} [trackIds] */
    async make(name, trackIds = []) {
        const made = await this.#client.json('/api/playlists', { method: 'POST', body: { name, track_ids: trackIds } });
        await this.refresh();
        return made;
    }

    /**
     * Creates a smart playlist.
     * @param {string} name @param {import('./smart-rules.js').Rules} rules
     */
    async makeSmart(name, rules) {
        const made = await this.#client.json('/api/playlists', { method: 'POST', body: { name, rules } });
        await this.refresh();
        return made;
    }

    /** Changes the name and the rules of a smart playlist. @param {number} id @param {string} name */
    async changeSmart(id, name, rules) {
        await this.#client.json(`/api/playlists/${id}`, { method: 'PATCH', body: { name, rules } });
        await this.refresh();
    }

    /** Counts the tracks that rules select. @param {AbortSignal} [signal] */
    count(rules, signal) {
        return this.#client.json('/api/smart-playlists/count', { method: 'POST', body: { rules }, signal });
    }

    /** Reads the fields that rules can compare. @returns {Promise<import('./smart-rules.js').Field[]>} */
    async fields() {
        return (await this.#client.json('/api/smart-playlists/fields')).items;
    }

    /**
     * Creates a smart playlist from the content of a `.nsp` file.
     * @param {object} content @param {string} name used if the file has none
     */
    async importSmart(content, name) {
        const body = 'name' in content && content.name ? content : { ...content, name };
        const made = await this.#client.json('/api/smart-playlists', { method: 'POST', body });
        await this.refresh();
        return made;
    }

    /** Returns the content of a smart playlist's `.nsp` file. @param {number} id */
    exportSmart(id) {
        return this.#client.json(`/api/playlists/${id}/nsp`);
    }

    /** @param {number} id @param {number[]} trackIds */
    async add(id, trackIds) {
        await this.#client.json(`/api/playlists/${id}/entries`, { method: 'POST', body: { track_ids: trackIds } });
        await this.refresh();
    }

    /** @param {number} id @param {string} tag entity tag of the state that `position` refers to */
    async remove(id, position, tag) {
        await this.#client.json(`/api/playlists/${id}/entries/${position}`, { method: 'DELETE', headers: { 'If-Match': tag } });
        await this.refresh();
    }

    /** @param {number} id */
    async move(id, from, to, tag) {
        await this.#client.json(`/api/playlists/${id}/entries/${from}`, {
            method: 'PATCH',
            body: { position: to },
            headers: { 'If-Match': tag },
        });
        await this.refresh();
    }

    /** @param {number} id @param {string} name */
    async rename(id, name) {
        await this.#client.json(`/api/playlists/${id}`, { method: 'PATCH', body: { name } });
        await this.refresh();
    }

    /** Shows a playlist to all accounts, or to its own only. @param {number} id @param {boolean} isPublic */
    async publish(id, isPublic) {
        await this.#client.json(`/api/playlists/${id}`, { method: 'PATCH', body: { is_public: isPublic } });
        await this.refresh();
    }

    /** @param {number} id */
    async drop(id) {
        await this.#client.json(`/api/playlists/${id}`, { method: 'DELETE' });
        await this.refresh();
    }
}
