import { browserStorage } from '../host/browser-storage.js';
import { HostError } from '../host/host-error.js';

const KEY = 'listening.waiting';
/** The most that the host takes at a time is far more; so a request stays small. */
const BATCH = 100;
/** Seconds after which it is tried again while the host is away. */
const RETRY_SECONDS = 15;
/** What the host is to call this client. */
const CLIENT = 'Web player';
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
    #isKept = true;
    #isSending = false;
    #timer = 0;

    /** @param {import('../host/host-client.js').HostClient} client @param {Storage} [storage] */
    constructor(client, storage = browserStorage()) {
        super();
        this.#client = client;
        this.#storage = storage;
        this.#waiting = this.#read();
        addEventListener('online', () => this.flush());
        addEventListener('storage', event => {
            if (event.key !== KEY) return;
            this.#waiting = this.#read();
            this.dispatchEvent(new Event('change'));
        });
    }

    /** What waits, the oldest first. */
    get pending() { return this.#waiting; }

    /** Takes an action, and sends it as soon as it can be. @param {object} action as `/listening/actions` has it */
    send(action) {
        const added = { action_id: newId(), at: Math.round(Date.now()) / 1000, client: CLIENT, ...action };
        this.#change(waiting => [...waiting, added].slice(-CAPACITY));
        this.flush();
    }

    /** Tells what holds for the moment only: now or never. @param {object} action */
    tell(action) {
        this.#client.json('/listening/actions', { method: 'POST', body: { actions: [{ at: Date.now() / 1000, client: CLIENT, ...action }] } }).catch(() => {});
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
                this.#change(waiting => waiting.filter(action => !sent.has(action.action_id)));
            }
        } catch (error) {
            if (error instanceof HostError && error.kind === 'bad-answer') {
                // The host will never take these: they must not stand in the way of all others.
                this.#change(waiting => waiting.slice(BATCH));
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

    /** Other windows of the page have the same list: what is there is changed, not what was there. */
    #change(change) {
        this.#waiting = change(this.#isKept ? this.#read() : this.#waiting);
        try {
            this.#storage.setItem(KEY, JSON.stringify(this.#waiting));
            this.#isKept = true;
        } catch {
            // It is sent if the page stays open.
            this.#isKept = false;
        }
        this.dispatchEvent(new Event('change'));
    }
}

/** `crypto.randomUUID` is for secure pages only. */
function newId() {
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    return Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('');
}
