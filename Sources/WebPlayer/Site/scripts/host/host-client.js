import { HostError } from './host-error.js';
import { t } from '../texts/text.js';

/** Timeout of a request, in milliseconds. */
const TIMEOUT = 30_000;
/** Milliseconds without a response after which the other addresses of the host are asked whether they respond. */
const STALL = 4000;
/** Milliseconds without a response after which a cancelled request casts doubt on the address. */
const SILENCE = 1000;

/**
 * @typedef {object} RequestOptions
 * @property {Record<string, string | number | undefined>} [query]
 * @property {string} [method]
 * @property {unknown} [body] sent as JSON
 * @property {AbortSignal} [signal]
 * @property {Record<string, string>} [headers]
 * @property {number} [timeout] milliseconds
 * @property {string} [address] the only address to try
 */

/**
 * The members of `HostClient` that the page uses. `OfflineClient` has them, too; only it has the optional ones.
 *
 * @typedef {Pick<HostClient, 'base' | 'key' | 'library' | 'url' | 'json' | 'answer' | 'bytes' | 'fetch'>
 *     & {audioKey?: (id: number) => string, isKept?: (id: number) => boolean}} Client
 */

/**
 * The HTTP client for the host's API. It sends the API key with every request, to the host's addresses only.
 *
 * Requests go to the address that responded last. If it stops responding, all addresses are tried again, and GET requests are
 * repeated at the one that responds.
 */
export class HostClient {
    #addresses;
    #base;
    #key = '';
    #isDoubtful = false;
    /** @type {Promise<void> | null} */
    #finding = null;

    /** Identity of the library that the host serves; empty until the host has answered once. */
    library = '';

    /**
     * Called after each request.
     * @type {((fact: {method: string, url: string, status?: number, error?: HostError, milliseconds: number}) => void) | null}
     */
    observe = null;

    /**
     * Finds an address that responds, and sets `base`; the connection provides it. It never throws.
     * @type {(() => Promise<unknown>) | null}
     */
    findAddress = null;

    /** @param {{addresses?: string[], key?: string}} options `addresses` are base URLs without a trailing slash, the preferred one first */
    constructor({ addresses = [location.origin], key = '' } = {}) {
        this.#addresses = addresses;
        this.#base = addresses[0];
        this.#key = key;
        // After a change of the network, another address may be the one that responds.
        if (addresses.length > 1) addEventListener('online', () => this.doubt());
    }

    /** All addresses of the host. */
    get addresses() {
        return this.#addresses;
    }

    /** The address that responded last. */
    get base() {
        return this.#base;
    }
    set base(address) {
        if (!this.#addresses.includes(address)) throw new Error(t('{address} is not an address of this host.', { address }));
        this.#base = address;
        this.#isDoubtful = false;
    }

    /** Makes the next request look for an address that responds, because a response at the current one stopped. */
    doubt() {
        this.#isDoubtful = this.#addresses.length > 1;
    }

    /** API key; empty if no key is set. */
    get key() {
        return this.#key;
    }
    set key(key) {
        this.#key = key;
    }

    /**
     * Returns the full URL of a path.
     * @param {string} path
     * @param {RequestOptions['query']} [query]
     * @param {string} [address]
     */
    url(path, query, address = this.#base) {
        const url = new URL(path, address);
        // The key must not be sent to an address that a response names.
        if (url.origin !== new URL(address).origin) {
            throw new HostError('bad-answer', t('The host named an address of another server.'));
        }
        for (const [name, value] of Object.entries(query ?? {})) {
            if (value !== undefined && value !== null && value !== '') url.searchParams.set(name, String(value));
        }
        return url.href;
    }

    /**
     * Requests JSON.
     * @param {string} path
     * @param {RequestOptions} [options]
     * @returns {Promise<any>} null if the response has no body
     */
    async json(path, options) {
        return (await this.answer(path, options)).value;
    }

    /**
     * Requests JSON with its entity tag. If `tag` still matches, the result has `isCurrent` and no value.
     * @param {string} path
     * @param {RequestOptions & {tag?: string}} options
     */
    async answer(path, { query, method = 'GET', body, signal, headers, tag, timeout, address } = {}) {
        const init = { method, signal, timeout, address, headers: { ...headers } };
        if (tag) {
            init.headers['If-None-Match'] = tag;
            init.cache = 'no-store';
        }
        if (body !== undefined) {
            init.headers['Content-Type'] = 'application/json';
            init.body = JSON.stringify(body);
        }
        const read = async (response) => {
            const text = await response.text();
            if (!text) return null;
            try {
                return JSON.parse(text);
            } catch (cause) {
                throw new HostError('bad-answer', t('The response is not valid JSON. Is another server running at this address?'), {
                    status: response.status,
                    cause,
                });
            }
        };
        return this.#request(path, query, init, async (response) => {
            const found = response.headers.get('ETag') ?? '';
            if (response.status === 304) return { value: null, tag: found || tag, isCurrent: true };
            return { value: await read(response), tag: found, isCurrent: false };
        });
    }

    /**
     * Requests bytes of a path.
     * @param {string} path
     * @param {RequestOptions & {range?: [number, number]}} options `range` includes its last byte
     * @returns {Promise<{status: number, headers: Headers, buffer: ArrayBuffer}>}
     */
    async bytes(path, { query, range, signal, headers, timeout } = {}) {
        const all = { ...headers };
        if (range) all.Range = `bytes=${range[0]}-${range[1]}`;
        return this.#request(path, query, { signal, headers: all, timeout }, async (response) => ({
            status: response.status,
            headers: response.headers,
            buffer: await response.arrayBuffer(),
        }));
    }

    /**
     * Returns the response as soon as its headers have arrived; the caller reads the body. Error responses are thrown.
     * @param {string} path
     * @param {RequestInit & {timeout?: number}} [init]
     */
    async fetch(path, init = {}) {
        return this.#request(path, {}, init, async (response) => response);
    }

    /**
     * @template Value
     * @param {string} path
     * @param {RequestOptions['query']} query
     * @param {any} init
     * @param {(response: Response) => Promise<Value>} read
     */
    async #request(path, query, { address, ...init }, read) {
        if (address) return this.#send(this.url(path, query, address), init, read, true);
        if (this.#isDoubtful) await this.#find();
        const first = this.#base;
        try {
            return await this.#send(this.url(path, query), init, read);
        } catch (error) {
            const isAway = error instanceof HostError && (error.kind === 'offline' || error.kind === 'timeout');
            if (!isAway || (init.method ?? 'GET') !== 'GET' || this.#addresses.length < 2) throw error;
            // Another request may have found one already.
            if (this.#base === first) await this.#find();
            if (this.#base === first || init.signal?.aborted) throw error;
            return this.#send(this.url(path, query), init, read);
        }
    }

    /**
     * If a GET request gets no response for a while, and another address of the host responds instead, gives the request up: a dead
     * connection may stay silent until the timeout. Other requests may have been carried out, and are not repeated.
     * @param {string | undefined} method @param {() => void} giveUp
     * @returns {ReturnType<typeof setTimeout> | undefined}
     */
    #watchForStall(method = 'GET', giveUp) {
        const asked = this.#base;
        if (this.#addresses.length < 2 || method !== 'GET') return undefined;
        return setTimeout(async () => {
            if (this.#base === asked) await this.#find();
            if (this.#base !== asked) giveUp();
        }, STALL);
    }

    /** Finds an address that responds; concurrent calls share one search. */
    async #find() {
        this.#isDoubtful = false;
        this.#finding ??= Promise.resolve(this.findAddress?.()).then(() => {}).finally(() => {
            this.#finding = null;
        });
        await this.#finding;
    }

    /**
     * @template Value
     * @param {string} url
     * @param {any} init
     * @param {(response: Response) => Promise<Value>} read
     * @param {boolean} [isTied] whether no other address will do
     */
    async #send(url, { signal, timeout = TIMEOUT, headers, ...init }, read, isTied = false) {
        const abort = new AbortController();
        let isLate = false;
        const stall = isTied ? undefined : this.#watchForStall(init.method, () => {
            isLate = true;
            abort.abort();
        });
        const began = performance.now();
        const report = (fact) =>
            this.observe?.({ method: init.method ?? 'GET', url, milliseconds: performance.now() - began, ...fact });
        const timer = setTimeout(() => {
            isLate = true;
            abort.abort();
        }, timeout);
        const leave = () => abort.abort();
        if (signal?.aborted) leave();
        signal?.addEventListener('abort', leave, { once: true });
        try {
            const sent = new Headers(headers);
            if (this.#key) sent.set('Authorization', `Bearer ${this.#key}`);
            const response = await fetch(url, { ...init, headers: sent, signal: abort.signal, credentials: 'omit' });
            clearTimeout(stall);
            if (!response.ok && response.status !== 304) throw await HostError.of(response);
            const value = await read(response);
            report({ status: response.status });
            return value;
        } catch (cause) {
            // The caller cancelled the request: pass on its reason.
            if (signal?.aborted) {
                if (performance.now() - began > SILENCE) this.doubt();
                throw signal.reason ?? cause;
            }
            const error = cause instanceof HostError
                ? cause
                : isLate
                ? new HostError('timeout', t('The request to the host timed out.'), { cause })
                : new HostError('offline', t('Cannot reach the host.'), { cause });
            report({ error });
            throw error;
        } finally {
            clearTimeout(timer);
            clearTimeout(stall);
            signal?.removeEventListener('abort', leave);
        }
    }
}
