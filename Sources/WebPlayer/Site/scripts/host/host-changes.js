import { Connection } from './connection.js';
import { blockedReason, parseAddress } from './host-address.js';
import { KEYS } from './host-book.js';
import { HostClient } from './host-client.js';
import { memoryStorage } from './host-storage.js';
import { t } from '../texts/text.js';

/** @typedef {import('./host-book.js').HostBook} HostBook @typedef {import('./host-book.js').KnownHost} KnownHost */

/**
 * Connects to a host and adds it. An address of a library that is known with the same key is added to that host.
 * @param {HostBook} book
 * @param {{address: string, name: string, secret: string}} entered `name` of the account; without one, `secret` is the API key
 * @returns {Promise<KnownHost>}
 * @throws {Error} with a message for the user
 */
export async function addHost(book, { address: text, name, secret }) {
    const address = parseAddress(text);
    const blocked = blockedReason(address);
    if (blocked) throw new Error(blocked);
    const storage = memoryStorage();
    const client = new HostClient({ addresses: [address] });
    const connection = new Connection(client, storage);
    const state = await (name.trim() ? connection.signIn(name, secret) : connection.connect(secret));
    if (state !== 'open') throw new Error(await reasonOf(connection, address));
    const known = book.all.find(({ id, library }) =>
        library && library === client.library && book.storage(id).getItem(KEYS.key) === client.key
    );
    if (known) {
        if (!known.addresses.includes(address)) book.change(known.id, { addresses: [...known.addresses, address] });
        return known;
    }
    const added = book.add([address]);
    const own = book.storage(added.id);
    for (const key of Object.values(KEYS)) own.setItem(key, storage.getItem(key) ?? '');
    return added;
}

/**
 * Changes a host's name and addresses. The key is sent to each new address, to check that it serves the same library.
 * @param {HostBook} book
 * @param {KnownHost} host
 * @param {{name: string, addresses: string[]}} entered
 * @returns {Promise<string[]>} new addresses that did not respond: they are checked when they are first used
 * @throws {Error} with a message for the user; then nothing has changed
 */
export async function changeHost(book, host, { name, addresses: texts }) {
    const addresses = [...new Set(texts.filter((text) => text.trim()).map(parseAddress))];
    if (!addresses.length) throw new Error(t('Enter at least one address.'));
    const key = book.storage(host.id).getItem(KEYS.key) ?? '';
    const away = [];
    for (const address of addresses.filter((each) => !host.addresses.includes(each))) {
        const blocked = blockedReason(address);
        if (blocked) throw new Error(blocked);
        const client = new HostClient({ addresses: [address], key });
        const connection = new Connection(client, memoryStorage());
        const state = await connection.connect(key);
        if (state === 'open') {
            if (host.library && client.library !== host.library) {
                throw new Error(t('{address} serves another library. Add it as another host.', { address }));
            }
        } else if (connection.error?.kind === 'offline' && !await responds(address)) away.push(address);
        else throw new Error(`${address}: ${await reasonOf(connection, address)}`);
    }
    book.change(host.id, { name: name.trim(), addresses });
    return away;
}

/**
 * Removes a host that is not shown at present, with everything that this browser knows of it except downloads.
 * @param {HostBook} book
 * @param {KnownHost} host
 */
export function removeHost(book, host) {
    const client = new HostClient({ addresses: host.addresses });
    // Also revokes its app password.
    new Connection(client, book.storage(host.id)).forget();
    book.remove(host.id);
    try {
        indexedDB.deleteDatabase(book.database(host.id, 'library'));
    } catch {
        // The browser blocks databases, so the host has no database.
    }
}

/** Returns why the connection to an address failed. @param {Connection} connection @param {string} address */
async function reasonOf(connection, address) {
    if (connection.error?.kind !== 'offline') return connection.message || t('Enter the API key, or name and password.');
    if (!await responds(address)) {
        return t('Cannot reach {address}. Check that the host is running and that you are on its network.', { address });
    }
    return t(
        '{address} does not allow pages of other hosts to connect. A host started with --trust-lan never does: start it without, and update it to this release.',
        { address },
    );
}

/** Returns whether any server responds at an address, even one that does not let this page read its answers. @param {string} address */
async function responds(address) {
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(), 5000);
    try {
        await fetch(`${address}/health`, { mode: 'no-cors', cache: 'no-store', credentials: 'omit', signal: limit.signal });
        return true;
    } catch {
        return false;
    } finally {
        clearTimeout(timer);
    }
}
