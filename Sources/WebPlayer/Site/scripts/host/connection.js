import { firstAnswer } from './address-race.js';
import { browserStorage } from './browser-storage.js';
import { KEYS } from './host-book.js';
import { HostError } from './host-error.js';
import { t } from '../texts/text.js';

/** Version of the host protocol that this page supports. */
const PROTOCOL_VERSION = 1;
/** The form of app passwords, which this browser revokes when it forgets the host; the API key stays valid. */
const APP_PASSWORD = /^[a-z2-9]{4}(-[a-z2-9]{4}){5}$/;

/** Roles of accounts, from the fewest rights to all. */
export const ROLES = ['listener', 'editor', 'owner'];

/**
 * The connection to the host and the API key or app password, which is stored in the browser.
 *
 * @typedef {{id: number, name: string, role: 'listener' | 'editor' | 'owner'}} Account
 * @typedef {'unknown' | 'open' | 'refused' | 'down' | 'version'} ConnectionState
 */
export class Connection extends EventTarget {
    #client;
    #storage;
    /** @type {ConnectionState} */
    #state = 'unknown';

    /**
     * @param {import('./host-client.js').HostClient} client
     * @param {import('./host-storage.js').KeyStorage} [storage]
     */
    constructor(client, storage = browserStorage()) {
        super();
        this.#client = client;
        this.#storage = storage;
        client.key = storage.getItem(KEYS.key) ?? '';
        client.library = storage.getItem(KEYS.library) ?? '';
        client.findAddress = () => this.#find().catch(() => {});
        /** Name of the host; empty until it has answered once. */
        this.hostName = storage.getItem(KEYS.name) ?? '';
        /** Name and version of the host's program, once it has answered. */
        this.version = '';
        /** The account of the key; null until the host has answered. @type {Account | null} */
        this.account = null;
        /** Advice for the user. */
        this.message = '';
        /** @type {HostError | null} */
        this.error = null;
    }

    get state() {
        return this.#state;
    }

    /** Whether answers of the host can be expected: it has not been found to be away. */
    get mayAnswer() {
        return this.#state === 'open' || this.#state === 'unknown';
    }

    /**
     * Whether the account has the rights of a role. Before the host has answered, everything is offered.
     * @param {'listener' | 'editor' | 'owner'} role
     */
    hasRole(role) {
        return !this.account || ROLES.indexOf(this.account.role) >= ROLES.indexOf(role);
    }

    /** Whether this browser has connected to the host before. */
    get isKnown() {
        return this.#client.key !== '' || this.#storage.getItem(KEYS.name) !== null;
    }

    /**
     * Connects with the stored key or a new one, which is stored if the host accepts it.
     * @param {string} [key]
     * @param {AbortSignal} [signal]
     */
    async connect(key = this.#client.key, signal) {
        const former = this.#client.key;
        this.#client.key = key.trim();
        try {
            const who = await this.#find(signal);
            this.hostName = String(who.host_name ?? '');
            this.version = String(who.version ?? '');
            this.account = who.account ?? null;
            this.#client.library = String(who.library_id ?? '');
            this.#storage.setItem(KEYS.key, this.#client.key);
            this.#storage.setItem(KEYS.library, this.#client.library);
            this.#storage.setItem(KEYS.name, this.hostName);
            this.#become('open', '', null);
        } catch (error) {
            if (!(error instanceof HostError)) throw error;
            const [state, message] = this.#advice(error, key);
            // A wrong key must not replace one that may have been right.
            if (state === 'refused' && key !== former) this.#client.key = former;
            this.#become(state, message, error);
        }
        return this.#state;
    }

    /**
     * Exchanges an account's name and password for an app password of this browser, and connects with it.
     * @param {string} name
     * @param {string} password
     */
    async signIn(name, password) {
        try {
            const body = { name: name.trim(), password, client: 'Web player' };
            return await this.connect(await this.#exchange(body));
        } catch (error) {
            if (!(error instanceof HostError)) throw error;
            const [state, message] = this.#advice(error, password);
            this.#become(state, error.kind === 'unauthorized' ? t('Wrong name or password.') : message, error);
        }
        return this.#state;
    }

    /** Signs in at the first address that responds, and returns the app password. @param {object} body */
    async #exchange(body) {
        const { addresses } = this.#client;
        for (const [place, address] of addresses.entries()) {
            try {
                return (await this.#client.json('/auth/sign-in', { method: 'POST', body, address, timeout: 10_000 })).credential;
            } catch (error) {
                // Another address would say the same.
                const isAway = error.kind === 'offline' || error.kind === 'timeout';
                if (!isAway || place === addresses.length - 1) throw error;
            }
        }
    }

    /** Finds an address that responds and accepts the key, and uses it from then on. @param {AbortSignal} [signal] */
    async #find(signal) {
        const { addresses } = this.#client;
        const { address, answer } = await firstAnswer(addresses, (each, ended) => this.#ask(each, ended), signal);
        this.#client.base = address;
        return answer;
    }

    /** Authenticates at an address. @param {string} address @param {AbortSignal} signal */
    async #ask(address, signal) {
        const { key, library, addresses } = this.#client;
        const options = { address, signal, timeout: 10_000 };
        if (!key) {
            // Without a key, only a host that requires none accepts the page; its `/health` then has more than one field.
            const health = await this.#client.json('/health', options);
            if (Object.keys(health ?? {}).length <= 1) throw new HostError('unauthorized', '');
        }
        const who = await this.#client.json('/auth', options);
        if (who?.protocol_version !== PROTOCOL_VERSION) throw mismatch(who?.protocol_version);
        // The library at a host's only address may have been replaced.
        if (addresses.length > 1 && library && who.library_id !== library) {
            throw new HostError(
                'library',
                t('{address} serves another library. Remove this address from the host, or add it as another host.', { address }),
            );
        }
        return who;
    }

    /** Forgets the key and the library. */
    forget() {
        if (APP_PASSWORD.test(this.#client.key)) this.#client.json('/auth/sign-in', { method: 'DELETE' }).catch(() => {});
        this.account = null;
        this.#client.key = '';
        this.#client.library = '';
        this.#storage.removeItem(KEYS.key);
        this.#storage.removeItem(KEYS.library);
        this.#storage.removeItem(KEYS.name);
        this.#become('refused', '', null);
    }

    /** @param {HostError} error @returns {[ConnectionState, string]} */
    #advice(error, key) {
        switch (error.kind) {
            case 'unauthorized':
                return [
                    'refused',
                    key ? t('Invalid API key. Run “stream-host key show” on the host to print the current key.') : '',
                ];
            case 'version':
                return ['version', error.message];
            case 'timeout':
            case 'offline':
                return [
                    'down',
                    t('Cannot reach the host. Check that it is running and that you are on its network. Retrying automatically.'),
                ];
            case 'library':
                return ['refused', error.message];
            case 'forbidden':
                return ['refused', t('{message} Use the host’s own address.', { message: error.message })];
            case 'server':
                return ['down', t('The host reports an error ({status}). Retrying automatically.', { status: error.status })];
            default:
                if (error.status === 429) {
                    return [
                        'refused',
                        t('Too many failed attempts. Wait {seconds} seconds, then try again.', {
                            seconds: Math.ceil(error.retryAfter || 60),
                        }),
                    ];
                }
                return [
                    'version',
                    t('Unexpected response: the server at this address is not a compatible host. Update both to the same release.'),
                ];
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
    return new HostError(
        'version',
        older
            ? t('Version mismatch: the host uses protocol version {theirs}, this page version {ours}. Update the host.', {
                theirs,
                ours: PROTOCOL_VERSION,
            })
            : t(
                'Version mismatch: the host uses protocol version {theirs}, this page version {ours}. Reload this page; if that does not help, clear its data.',
                { theirs, ours: PROTOCOL_VERSION },
            ),
    );
}
