import { HostError } from '../host/host-error.js';

const KEY = 'listening.waiting';
/** The most that the host takes at a time is far more; so a request stays small. */
const BATCH = 100;
/** Seconds after which it is tried again while the host is away. */
const RETRY_SECONDS = 15;
/** Beyond it the oldest go: nobody is offline for ten thousand tracks. */
const CAPACITY = 10_000;

/**
 * Stars, ratings and plays on their way to the host. They outlast the page, and each counts once however often it is sent.
 *
 * Tells by 'change' when the number of those that wait is another.
 */
export class WaitingActions extends EventTarget {
    #client;
    #storage;
    #waiting;
    #isSending = false;
    #timer = 0;

    /** @param {import('../host/host-client.js').HostClient} client @param {Storage} [storage] */
    constructor(client, storage = localStorage) {
        super();
        this.#client = client;
        this.#storage = storage;
        this.#waiting = this.#read();
        addEventListener('online', () => this.flush());
    }

    /** What waits, the oldest first. */
    get pending() { return this.#waiting; }

    /** Takes an action, and sends it as soon as it can be. @param {object} action as `/listening/actions` has it */
    send(action) {
        this.#waiting.push({ action_id: newId(), at: Math.round(Date.now()) / 1000, client: 'Web player', ...action });
        if (this.#waiting.length > CAPACITY) this.#waiting.splice(0, this.#waiting.length - CAPACITY);
        this.#write();
        this.flush();
    }

    /** Sends what waits. */
    async flush() {
        if (this.#isSending || !this.#waiting.length) return;
        clearTimeout(this.#timer);
        this.#isSending = true;
        try {
            while (this.#waiting.length) {
                const batch = this.#waiting.slice(0, BATCH);
                await this.#client.json('/listening/actions', { method: 'POST', body: { actions: batch } });
                const sent = new Set(batch.map(action => action.action_id));
                this.#waiting = this.#waiting.filter(action => !sent.has(action.action_id));
                this.#write();
            }
        } catch (error) {
            if (error instanceof HostError && error.kind === 'bad-answer') {
                // The host will never take these: they must not stand in the way of all others.
                this.#waiting.splice(0, BATCH);
                this.#write();
            }
            this.#timer = setTimeout(() => this.flush(), RETRY_SECONDS * 1000);
        } finally {
            this.#isSending = false;
        }
    }

    #read() {
        try {
            const stored = JSON.parse(this.#storage.getItem(KEY) ?? '[]');
            return Array.isArray(stored) ? stored.filter(action => action && typeof action.action === 'string') : [];
        } catch {
            return [];
        }
    }

    #write() {
        try {
            this.#storage.setItem(KEY, JSON.stringify(this.#waiting));
        } catch {
            // It is sent if the page stays open.
        }
        this.dispatchEvent(new Event('change'));
    }
}

/** `crypto.randomUUID` is for secure pages only. */
function newId() {
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    return Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('');
}
