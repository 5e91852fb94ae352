import { browserStorage } from './browser-storage.js';
import { partOf, tabStorage } from './host-storage.js';
import { t } from '../texts/text.js';

/** Keys in the browser's storage. */
const HOSTS = 'hosts';
const CURRENT = 'hosts.current';
/** The host that serves the page. */
const OWN = 'own';
/** Keys of each host's part of the storage. */
export const KEYS = Object.freeze({ key: 'host.key', library: 'host.library', name: 'host.name' });

/**
 * A host that the user has added.
 *
 * @typedef {object} KnownHost
 * @property {string} id identifies the host in this browser
 * @property {string} name chosen by the user, else the host's own; its first address before it has answered
 * @property {string[]} addresses base URLs, the preferred one first; the key is sent to no others
 * @property {string} library identity of its library; empty before it has answered
 * @property {boolean} isOwn whether it serves this page
 *
 * @typedef {{id: string, name?: string, addresses: string[]}} Entry
 */

/**
 * The hosts that this browser knows. Each has its own part of the storage, which contains its key.
 *
 * The host that serves the page is always one of them. Each tab has its current host; new tabs start with the one chosen last.
 */
export class HostBook {
    #storage;
    #tab;
    #origin;

    /**
     * @param {{storage?: import('./host-storage.js').KeyStorage, tab?: import('./host-storage.js').KeyStorage, origin?: string}} parts
     *   `tab`: the storage of this tab
     */
    constructor({ storage = browserStorage(), tab = tabStorage(), origin = location.origin } = {}) {
        this.#storage = storage;
        this.#tab = tab;
        this.#origin = origin;
    }

    /** All hosts, the one that serves the page first. @returns {KnownHost[]} */
    get all() {
        const entries = this.#entries();
        const own = entries.find(({ id }) => id === OWN) ?? { id: OWN, addresses: [this.#origin] };
        return [own, ...entries.filter(({ id }) => id !== OWN)].map((entry) => this.#host(entry));
    }

    /** The host of this tab. */
    get current() {
        const id = this.#tab.getItem(CURRENT) ?? this.#storage.getItem(CURRENT);
        const [own, ...others] = this.all;
        return others.find((host) => host.id === id) ?? own;
    }

    /** The part of the storage that belongs to a host. @param {string} id */
    storage(id) {
        return partOf(this.#storage, id === OWN ? '' : `${HOSTS}/${id}/`);
    }

    /** The name of a host's database. @param {string} id @param {string} name its name for the host that serves the page */
    database(id, name) {
        return id === OWN ? name : `${name}/${id}`;
    }

    /** Identities of the libraries of all other hosts. @param {string} id @returns {Set<string>} */
    librariesExcept(id) {
        return new Set(this.all.filter((host) => host.id !== id && host.library).map((host) => host.library));
    }

    /** Adds a host. @param {string[]} addresses @returns {KnownHost} @throws {Error} if the browser does not store it */
    add(addresses) {
        if (!(this.#storage instanceof Storage)) {
            throw new Error(t('This browser does not store data of this page. Allow storage for it to add hosts.'));
        }
        const id = Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(16).padStart(2, '0')).join('');
        this.#write([...this.#entries(), { id, addresses }]);
        return this.#host({ id, addresses });
    }

    /** Changes a host's name or addresses. @param {string} id @param {{name?: string, addresses?: string[]}} changes */
    change(id, changes) {
        const { name, addresses } = this.all.find((host) => host.id === id) ?? {};
        if (!addresses) return;
        const entries = this.#entries();
        const known = entries.find((entry) => entry.id === id);
        // A name that the user has not chosen follows the host's.
        const isChosen = changes.name !== undefined && changes.name !== name;
        const entry = {
            id,
            addresses,
            ...known,
            ...(isChosen && { name: changes.name }),
            ...(changes.addresses && { addresses: changes.addresses }),
        };
        this.#write(known ? entries.map((each) => (each === known ? entry : each)) : [...entries, entry]);
    }

    /** Makes a host the one of this tab and of new tabs, from the next load of the page on. @param {string} id */
    choose(id) {
        this.#tab.setItem(CURRENT, id);
        if (id === OWN) this.#storage.removeItem(CURRENT);
        else this.#storage.setItem(CURRENT, id);
    }

    /** Removes a host with its part of the storage. The host that serves the page stays, without what was stored of it. @param {string} id */
    remove(id) {
        this.#write(this.#entries().filter((entry) => entry.id !== id));
        const prefix = this.storage(id).prefix;
        if (!prefix) return;
        const keys = Object.keys(this.#storage).filter((key) => key.startsWith(prefix));
        for (const key of keys) this.#storage.removeItem(key);
    }

    /** @param {Entry} entry @returns {KnownHost} */
    #host({ id, name, addresses }) {
        const stored = this.storage(id);
        return {
            id,
            addresses,
            name: name || stored.getItem(KEYS.name) || new URL(addresses[0]).host,
            library: stored.getItem(KEYS.library) ?? '',
            isOwn: id === OWN,
        };
    }

    /** @returns {Entry[]} */
    #entries() {
        try {
            const stored = JSON.parse(this.#storage.getItem(HOSTS) ?? '[]');
            return stored.filter(({ id, addresses }) =>
                typeof id === 'string' && addresses.length > 0 && addresses.every((address) => new URL(address).origin === address)
            );
        } catch {
            return [];
        }
    }

    /** @param {Entry[]} entries */
    #write(entries) {
        try {
            if (entries.length) this.#storage.setItem(HOSTS, JSON.stringify(entries));
            else this.#storage.removeItem(HOSTS);
        } catch {
            throw new Error(t('The browser storage is full or blocked: the list of hosts was not changed.'));
        }
    }
}
