import { BrowserDatabase, done } from '../../host/browser-database.js';
import { t } from '../../texts/text.js';

/** Name of the browser's database and of its object store. */
const NAME = 'edits';
/** Maximum number of stored edits; the oldest are forgotten. */
const MOST = 100;
/** Files per request, as limited by the host. */
const BATCH = 2000;
const TIMEOUT = 3_600_000;

/**
 * A file as it was before an edit.
 *
 * @typedef {object} EditedFile
 * @property {string} relative_path
 * @property {string} etag its state after the edit
 * @property {string} [etagBefore] its state before the edit, if known
 * @property {Record<string, string | number | boolean | null>} before the former values of the edited fields
 * @property {string} [failure] why undoing it failed
 *
 * @typedef {{id: number, library: string, made_at: number, text: string, files: EditedFile[]}} Edit
 */

/**
 * The edits of tags made in this browser, which can be undone. Dispatches 'change'.
 *
 * A file that has changed since is left as it is: every request carries the state that the edit produced.
 */
export class EditHistory extends EventTarget {
    #client;
    /** @type {Promise<BrowserDatabase | null> | null} */
    #opening = null;
    /** Edits of this visit, if the browser has no database. @type {Map<number, Edit>} */
    #unsaved = new Map();

    /** @param {Pick<import('../../host/host-client.js').HostClient, 'json' | 'library'>} client */
    constructor(client) {
        super();
        this.#client = client;
    }

    /** The edits of the library, the latest first. @returns {Promise<Edit[]>} */
    async list() {
        const { library } = this.#client;
        return (await this.#all()).filter((edit) => edit.library === library).sort((a, b) => b.id - a.id);
    }

    /** Adds an edit. @param {string} text what it changed @param {EditedFile[]} files @returns {Promise<Edit>} */
    async add(text, files) {
        const all = await this.#all();
        const id = Math.max(Date.now(), ...all.map((edit) => edit.id + 1));
        const edit = { id, library: this.#client.library, made_at: Date.now() / 1000, text, files };
        const old = all.sort((a, b) => a.id - b.id).slice(0, Math.max(0, all.length + 1 - MOST));
        await this.#change([edit], old);
        return edit;
    }

    /** Forgets an edit. @param {Edit} edit */
    remove(edit) {
        return this.#change([], [edit]);
    }

    /**
     * Restores the former values. Files that fail stay in the edit, with the reason.
     * @param {Edit} edit
     * @returns {Promise<{restored: number, failed: number}>}
     */
    async undo(edit) {
        const failed = [];
        /** The new states of restored files, by path. @type {Map<string, {from: string, to: string}>} */
        const states = new Map();
        for (let at = 0; at < edit.files.length; at += BATCH) {
            const files = edit.files.slice(at, at + BATCH);
            const edits = files.map(({ relative_path, etag, before }) => ({ relative_path, etag, ...before }));
            const { results } = await this.#client.json('/batch-edit-metadata', {
                method: 'PATCH',
                body: { edits },
                timeout: TIMEOUT,
            });
            files.forEach((file, index) => {
                const result = results[index];
                if (!result || result.error) failed.push({ ...file, failure: failureOf(result) });
                else if (result.etag && file.etagBefore) states.set(file.relative_path, { from: file.etagBefore, to: result.etag });
            });
        }
        // A restored file is in the state that the edit before it produced, under a new ETag.
        const earlier = (await this.list()).filter((each) => each.id < edit.id).map((each) => ({
            ...each,
            files: each.files.map((file) => {
                const state = states.get(file.relative_path);
                return state?.from === file.etag ? { ...file, etag: state.to } : file;
            }),
        }));
        await this.#change([...earlier, ...(failed.length ? [{ ...edit, files: failed }] : [])], failed.length ? [] : [edit]);
        return { restored: edit.files.length - failed.length, failed: failed.length };
    }

    #database() {
        this.#opening ??= BrowserDatabase.open(NAME, 1, (database) => database.createObjectStore(NAME, { keyPath: 'id' }));
        return this.#opening;
    }

    /** @returns {Promise<Edit[]>} */
    async #all() {
        const database = await this.#database();
        return database ? database.read([NAME], (stores) => done(stores[NAME].getAll())) : [...this.#unsaved.values()];
    }

    /** @param {Edit[]} stored @param {Edit[]} removed */
    async #change(stored, removed) {
        const database = await this.#database();
        if (database) {
            await database.change([NAME], async (stores) => {
                for (const { id } of removed) await done(stores[NAME].delete(id));
                for (const edit of stored) await done(stores[NAME].put(edit));
            });
        } else {
            for (const { id } of removed) this.#unsaved.delete(id);
            for (const edit of stored) this.#unsaved.set(edit.id, edit);
        }
        this.dispatchEvent(new Event('change'));
    }
}

/** @param {any} result */
function failureOf(result) {
    if (!result) return t('The host did not process this file.');
    return result.status === 412 ? t('The file has changed since.') : result.error.message;
}
