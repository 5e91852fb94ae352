import { browserStorage } from './browser-storage.js';
import { HostError } from './host-error.js';

/** The version of the host's protocol that this page speaks. */
const PROTOCOL_VERSION = 1;
const KEY = 'host.key';

/**
 * Whether the host lets us in. The key is kept in this browser.
 *
 * @typedef {'unknown' | 'open' | 'refused' | 'down' | 'version'} ConnectionState
 */
export class Connection extends EventTarget {
    #client;
    #storage;
    /** @type {ConnectionState} */
    #state = 'unknown';

    /**
     * @param {import('./host-client.js').HostClient} client
     * @param {Storage} [storage]
     */
    constructor(client, storage = browserStorage()) {
        super();
        this.#client = client;
        this.#storage = storage;
        client.key = storage.getItem(KEY) ?? '';
        /** Name of the host, once it has answered. */
        this.hostName = storage.getItem('host.name') ?? '';
        /** What to do, for the user. */
        this.message = '';
        /** @type {HostError | null} */
        this.error = null;
    }

    get state() { return this.#state; }

    /** Whether a key has been let in here before. */
    get isKnown() { return this.#client.key !== '' || this.#storage.getItem('host.name') !== null; }

    /**
     * Asks who is there, with the key that is known or a new one, which is kept if it is right.
     * @param {string} [key]
     * @param {AbortSignal} [signal]
     */
    async connect(key = this.#client.key, signal) {
        const former = this.#client.key;
        this.#client.key = key.trim();
        try {
            // Without a key only a host that asks for none lets us in; it tells everybody more than that it is up.
            if (!this.#client.key && !await this.#isOpenHouse(signal)) throw new HostError('unauthorized', '');
            const who = await this.#client.json('/auth', { signal, timeout: 10_000 });
            if (who?.protocol_version !== PROTOCOL_VERSION) throw mismatch(who?.protocol_version);
            this.hostName = String(who.host_name ?? '');
            this.#storage.setItem(KEY, this.#client.key);
            this.#storage.setItem('host.name', this.hostName);
            this.#become('open', '', null);
        } catch (error) {
            if (!(error instanceof HostError)) throw error;
            const [state, message] = this.#advice(error, key);
            // A wrong key must not take the place of one that may have been right.
            if (state === 'refused' && key !== former) this.#client.key = former;
            this.#become(state, message, error);
        }
        return this.#state;
    }

    async #isOpenHouse(signal) {
        const health = await this.#client.json('/health', { signal, timeout: 10_000 });
        return Object.keys(health ?? {}).length > 1;
    }

    /** Forgets the key. */
    forget() {
        this.#client.key = '';
        this.#storage.removeItem(KEY);
        this.#storage.removeItem('host.name');
        this.#become('refused', '', null);
    }

    /** @param {HostError} error @returns {[ConnectionState, string]} */
    #advice(error, key) {
        switch (error.kind) {
        case 'unauthorized':
            return ['refused', key
                ? 'This key is wrong. On the host, “stream-host key show” prints the right one.'
                : ''];
        case 'version': return ['version', error.message];
        case 'timeout':
        case 'offline':
            return ['down', 'The host cannot be reached. Is it switched on, and are you in its network? It is tried again by itself.'];
        case 'forbidden': return ['refused', `${error.message} Use the host’s own address.`];
        case 'server': return ['down', `The host is in trouble (${error.status}). It is tried again by itself.`];
        default:
            if (error.status === 429) {
                return ['refused', `Too many wrong keys. Wait ${Math.ceil(error.retryAfter || 60)} seconds, then try again.`];
            }
            return ['version', 'What answers at this address is not a host that this page knows. Update both to the same release.'];
        }
    }

    #become(state, message, error) {
        this.#state = state;
        this.message = message;
        this.error = error;
        this.dispatchEvent(new Event('change'));
    }
}

function mismatch(theirs) {
    const older = Number(theirs) < PROTOCOL_VERSION;
    return new HostError('version', older
        ? `The host speaks version ${theirs} of the protocol, this page version ${PROTOCOL_VERSION}. Update the host.`
        : `The host speaks version ${theirs} of the protocol, this page version ${PROTOCOL_VERSION}. Reload this page; if that does not help, clear its data.`);
}
