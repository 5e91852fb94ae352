import { HostError } from './host-error.js';
import { t } from '../texts/text.js';

/** Timeout of a request, in milliseconds. */
const TIMEOUT = 30_000;

/**
 * @typedef {object} RequestOptions
 * @property {Record<string, string | number | undefined>} [query]
 * @property {string} [method]
 * @property {unknown} [body] sent as JSON
 * @property {AbortSignal} [signal]
 * @property {Record<string, string>} [headers]
 * @property {number} [timeout] milliseconds
 */

/**
 * The members of `HostClient` that the page uses. `OfflineClient` has them, too; only it has the optional ones.
 *
 * @typedef {Pick<HostClient, 'base' | 'key' | 'library' | 'url' | 'json' | 'answer' | 'bytes' | 'fetch'>
 *     & {audioKey?: (id: number) => string, isKept?: (id: number) => boolean}} Client
 */

/** The HTTP client for the host's API. It sends the API key with every request. */
export class HostClient {
    #base;
    #key = '';

    /** Identity of the library that the host serves; empty until the host has answered once. */
    library = '';

    /**
     * Called after each request.
     * @type {((fact: {method: string, url: string, status?: number, error?: HostError, milliseconds: number}) => void) | null}
     */
    observe = null;

    /** @param {{base?: string, key?: string}} options `base` is the host's address without a trailing slash */
    constructor({ base = location.origin, key = '' } = {}) {
        this.#base = base;
        this.#key = key;
    }

    /** Address of the host. */
    get base() {
        return this.#base;
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
     */
    url(path, query) {
        const url = new URL(path, this.#base);
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
    async answer(path, { query, method = 'GET', body, signal, headers, tag, timeout } = {}) {
        const init = { method, signal, timeout, headers: { ...headers } };
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
        return this.#request(this.url(path, query), init, async (response) => {
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
        return this.#request(this.url(path, query), { signal, headers: all, timeout }, async (response) => ({
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
        return this.#request(this.url(path), init, async (response) => response);
    }

    /**
     * @template Value
     * @param {string} url
     * @param {any} init
     * @param {(response: Response) => Promise<Value>} read
     */
    async #request(url, { signal, timeout = TIMEOUT, headers, ...init }, read) {
        const abort = new AbortController();
        let isLate = false;
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
            if (!response.ok && response.status !== 304) throw await HostError.of(response);
            const value = await read(response);
            report({ status: response.status });
            return value;
        } catch (cause) {
            // The caller cancelled the request: pass on its reason.
            if (signal?.aborted) throw signal.reason ?? cause;
            const error = cause instanceof HostError
                ? cause
                : isLate
                ? new HostError('timeout', t('The request to the host timed out.'), { cause })
                : new HostError('offline', t('Cannot reach the host.'), { cause });
            report({ error });
            throw error;
        } finally {
            clearTimeout(timer);
            signal?.removeEventListener('abort', leave);
        }
    }
}
