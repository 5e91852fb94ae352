/** The sub-protocol under which a page brings its key: browsers cannot send a header field with a WebSocket. */
const PROTOCOL = 'audio-companion';
const KEY_PREFIX = 'audio-companion.key.';
/** Seconds between attempts, the last for ever. */
const DELAYS = [1, 2, 5, 10, 20];

/**
 * What happens at the host, as it happens: `/ws/push`.
 *
 * Events: 'message' (`detail` is the host's message), 'open', 'closed', 'resync' (what was missed cannot be told: read all anew).
 * Comes back by itself, and goes on where it was.
 */
export class HostEvents extends EventTarget {
    #client;
    #socket = null;
    #cursor = '';
    #attempt = 0;
    #timer = 0;
    #isWanted = false;

    /** @param {import('./host-client.js').HostClient} client */
    constructor(client) {
        super();
        this.#client = client;
        addEventListener('online', () => this.#now());
        document.addEventListener('visibilitychange', () => {
            if (!document.hidden) this.#now();
        });
    }

    get isOpen() { return this.#socket?.readyState === WebSocket.OPEN; }

    /** Listens from now on. */
    start() {
        this.#isWanted = true;
        this.#now();
    }

    /** Listens no more. */
    stop() {
        this.#isWanted = false;
        clearTimeout(this.#timer);
        this.#socket?.close();
        this.#socket = null;
    }

    #now() {
        if (!this.#isWanted || this.#socket) return;
        clearTimeout(this.#timer);
        this.#open();
    }

    #open() {
        const url = new URL(this.#client.url('/ws/push', { since: this.#cursor }));
        url.protocol = url.protocol.replace('http', 'ws');
        const protocols = this.#client.key ? [PROTOCOL, KEY_PREFIX + this.#client.key] : [PROTOCOL];
        const socket = new WebSocket(url, protocols);
        this.#socket = socket;
        socket.addEventListener('open', () => {
            this.#attempt = 0;
            this.dispatchEvent(new Event('open'));
        });
        socket.addEventListener('message', event => this.#take(event.data));
        socket.addEventListener('close', () => {
            if (this.#socket !== socket) return;
            this.#socket = null;
            this.dispatchEvent(new Event('closed'));
            if (!this.#isWanted) return;
            const seconds = DELAYS[Math.min(this.#attempt++, DELAYS.length - 1)];
            this.#timer = setTimeout(() => this.#now(), seconds * 1000);
        });
    }

    #take(text) {
        let message;
        try {
            message = JSON.parse(text);
        } catch {
            return;
        }
        if (typeof message?.id === 'string') this.#cursor = message.id;
        if (message?.type === 'resync') this.dispatchEvent(new Event('resync'));
        this.dispatchEvent(new CustomEvent('message', { detail: message }));
    }
}
