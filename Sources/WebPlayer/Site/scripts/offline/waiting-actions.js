import { browserStorage } from '../host/browser-storage.js';
import { HostError } from '../host/host-error.js';

const KEY = 'listening.waiting';
/** Actions per request; far below the host's limit, to keep requests small. */
const BATCH = 100;
/** Seconds until the next attempt while the host is offline. */
const RETRY_SECONDS = 15;
/** This client's name on the host. */
const CLIENT = 'Web player';
/** Maximum number of stored actions; beyond it, the oldest are dropped. */
const CAPACITY = 10_000;

/**
 * The queue of stars, ratings and plays to send to the host. It survives a reload, and each action counts once even if sent twice.
 *
 * Each action is stored with the library and the audio hash of its track id, and never sent to another library.
 *
 * Dispatches 'change' when the queue changes.
 */
export class WaitingActions extends EventTarget {
    #client;
    #catalogue;
    #storage;
    #waiting;
    #isKept = true;
    #isSending = false;
    #timer = 0;

    /**
     * @param {import('../host/host-client.js').HostClient} client
     * @param {{library: string, trackById: Pick<Map<number, any>, 'get'>}} [catalogue] maps track ids to audio hashes
     * @param {import('../host/host-storage.js').KeyStorage} [storage]
     */
    constructor(client, catalogue = { library: '', trackById: new Map() }, storage = browserStorage()) {
        super();
        this.#client = client;
        this.#catalogue = catalogue;
        this.#storage = storage;
        this.#waiting = this.#read();
        addEventListener('online', () => this.flush());
        addEventListener('storage', (event) => {
            if (event.key !== (storage.prefix ?? '') + KEY) return;
            this.#waiting = this.#read();
            this.dispatchEvent(new Event('change'));
        });
    }

    /** Queued actions of the current library, oldest first. */
    get pending() {
        const { library } = this.#catalogue;
        return this.#waiting.filter((action) => (action.library ?? '') === library);
    }

    /** Queues an action and sends it as soon as possible. @param {object} action as in `/listening/actions` */
    send(action) {
        const added = {
            action_id: newId(),
            at: Math.round(Date.now()) / 1000,
            client: CLIENT,
            ...action,
            library: this.#catalogue.library,
            audio_hash: this.#hashOf(action),
        };
        this.#change((waiting) => [...waiting, added].slice(-CAPACITY));
        this.flush();
    }

    /** Sends an action that is only valid now; if that fails, it is dropped. @param {object} action */
    sendOnce(action) {
        this.#client.json('/listening/actions', {
            method: 'POST',
            body: { actions: [{ at: Date.now() / 1000, client: CLIENT, ...action }] },
        }).catch(() => {});
    }

    /** Sends the queued actions. */
    async flush() {
        // The host may serve another library now: wait until the catalogue belongs to it.
        if (this.#isSending || !this.pending.length || (this.#client.library ?? '') !== this.#catalogue.library) return;
        clearTimeout(this.#timer);
        this.#isSending = true;
        let batch = [];
        const remove = () => {
            const sent = new Set(batch.map((action) => action.action_id));
            this.#change((waiting) => waiting.filter((action) => !sent.has(action.action_id)));
        };
        try {
            while (this.pending.length) {
                batch = this.pending.slice(0, BATCH);
                await this.#client.json('/listening/actions', {
                    method: 'POST',
                    body: { actions: batch.map((action) => this.#forRequest(action)) },
                });
                remove();
            }
        } catch (error) {
            // The host will never accept these actions; they must not block the others.
            if (error instanceof HostError && error.kind === 'bad-answer') remove();
            this.#timer = setTimeout(() => this.flush(), RETRY_SECONDS * 1000);
        } finally {
            this.#isSending = false;
        }
    }

    /** Adopts or drops actions that an earlier release stored without a library. @param {boolean} isOurs whether they belong to this library */
    adopt(isOurs) {
        const { library } = this.#catalogue;
        if (!library || !this.#waiting.some((action) => !action.library)) return;
        this.#change((waiting) =>
            waiting.flatMap((action) => (action.library ? [action] : isOurs ? [{ ...action, library }] : []))
        );
    }

    /** Drops all actions. */
    forget() {
        clearTimeout(this.#timer);
        this.#change(() => []);
    }

    /** The audio hash of the track that an action is about; undefined for albums and artists. */
    #hashOf(action) {
        return this.#catalogue.trackById.get(action.track_id)?.audio_hash;
    }

    /** Converts an action to the host's format: by track id, or by audio hash if the id now belongs to other audio. */
    #forRequest({ library, audio_hash: hash, ...action }) {
        const known = this.#hashOf(action);
        if (!hash || !known || known === hash) return action;
        const { track_id: _, ...rest } = action;
        return { ...rest, audio_hash: hash };
    }

    #read() {
        try {
            const stored = JSON.parse(this.#storage.getItem(KEY) ?? '[]');
            return Array.isArray(stored) ? stored.filter((action) => action && typeof action.action === 'string') : [];
        } catch {
            return [];
        }
    }

    /** Changes the queue, which all tabs share: the stored state is changed, not this tab's copy. */
    #change(change) {
        this.#waiting = change(this.#isKept ? this.#read() : this.#waiting);
        try {
            // An answer may still arrive after `forget`, which leaves nothing.
            if (this.#waiting.length) this.#storage.setItem(KEY, JSON.stringify(this.#waiting));
            else this.#storage.removeItem(KEY);
            this.#isKept = true;
        } catch {
            // The actions can still be sent while the page is open.
            this.#isKept = false;
        }
        this.dispatchEvent(new Event('change'));
    }
}

/** Returns a random id. `crypto.randomUUID` is available to secure pages only. */
function newId() {
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
