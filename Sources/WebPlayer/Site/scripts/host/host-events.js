/** The WebSocket subprotocol that carries the key: browsers cannot add headers to a WebSocket handshake. */
const PROTOCOL = 'audio-companion';
const KEY_PREFIX = 'audio-companion.key.';
/** Seconds between reconnection attempts; the last value repeats. */
const DELAYS = [1, 2, 5, 10, 20];

/**
 * The host's push events (`/ws/push`).
 *
 * Events: 'message' (`detail` is the host's message), 'open', 'closed', 'resync' (events were lost: reload everything).
 * It reconnects automatically and resumes after the last event received.
 */
export class HostEvents extends EventTarget {
    #client;
    /** @type {WebSocket | null} */
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

    get isOpen() {
        return this.#socket?.readyState === WebSocket.OPEN;
    }

    /** Connects, and reconnects until `stop` is called. */
    start() {
        this.#isWanted = true;
        this.#now();
    }

    /** Disconnects. */
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
        socket.addEventListener('message', (event) => this.#take(event.data));
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
