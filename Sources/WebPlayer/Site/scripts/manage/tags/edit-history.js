const TIMEOUT = 3_600_000;

/**
 * An edit of tags, as in the API.
 *
 * @typedef {object} Edit
 * @property {number} edit_id
 * @property {number} made_at
 * @property {'edit' | 'fix' | 'measurements'} kind
 * @property {string[]} fields the changed fields
 * @property {string[]} fixes
 * @property {number} file_count
 * @property {number} failed_count files whose former values could not be restored
 * @property {{relative_path: string, failure?: string, failure_code?: string}[]} files the first of them
 */

/**
 * The edits of tags that the host can undo, of all clients. Dispatches 'change' after edits of this page.
 *
 * A file that has changed since is left as it is.
 */
export class EditHistory extends EventTarget {
    #client;

    /** @param {Pick<import('../../host/host-client.js').HostClient, 'json'>} client */
    constructor(client) {
        super();
        this.#client = client;
    }

    /** The latest edits, the latest first. @param {number} limit @returns {Promise<{items: Edit[], total: number}>} */
    list(limit) {
        return this.#client.json('/edits', { query: { limit } });
    }

    /** Reports that this page has edited tags. */
    noteEdit() {
        this.dispatchEvent(new Event('change'));
    }

    /** Forgets an edit; the files stay as they are. @param {number} id */
    async forget(id) {
        await this.#client.json(`/edits/${id}`, { method: 'DELETE' });
        this.noteEdit();
    }

    /**
     * Restores the former values. Files that fail stay in the edit, with the reason.
     * @param {number} id
     * @returns {Promise<{restored: number, failed: number}>}
     */
    async undo(id) {
        try {
            const { results, failed_count: failed } = await this.#client.json(`/edits/${id}/undo`, {
                method: 'POST',
                timeout: TIMEOUT,
            });
            return { restored: results.length - failed, failed };
        } finally {
            this.noteEdit();
        }
    }
}
