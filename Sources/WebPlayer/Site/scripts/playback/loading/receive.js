import { PlaybackError } from './playback-error.js';
import { t } from '../../texts/text.js';

/**
 * @typedef {object} Receiving
 * @property {{fetch: (path: string, init: RequestInit) => Promise<Response>, doubt?: () => void}} client
 * @property {string} path
 * @property {Record<string, string>} [headers]
 * @property {AbortSignal} signal
 * @property {import('./bandwidth.js').Bandwidth} bandwidth
 * @property {number} silenceSeconds timeout without data
 */

/**
 * Requests bytes and passes them on as they arrive, unless data stops coming.
 *
 * @param {Receiving} job
 * @param {(response: Response) => (piece: Uint8Array) => boolean} open called with the response; returns the consumer of its
 *     chunks, which returns whether more are wanted
 * @returns {Promise<boolean>} whether everything wanted was received; false if the response ended early
 */
export async function receive({ client, path, headers, signal, bandwidth, silenceSeconds }, open) {
    const silence = new AbortController();
    const stop = () => silence.abort(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    let timer;
    const heard = () => {
        clearTimeout(timer);
        timer = setTimeout(
            () => silence.abort(new PlaybackError('timeout', t('Connection timed out - Retrying…'))),
            silenceSeconds * 1000,
        );
    };
    bandwidth.begin();
    try {
        heard();
        const response = await client.fetch(path, { headers, signal: silence.signal, cache: 'no-store' });
        if (!response.ok) {
            throw Object.assign(new Error(t('The host returned status {status}.', { status: response.status })), {
                kind: kindOf(response.status),
                status: response.status,
            });
        }
        const take = open(response);
        return await read(response, silence.signal, (piece) => {
            heard();
            bandwidth.add(piece.length);
            return take(piece);
        });
    } catch (error) {
        // The response stopped: the next request may find another address of the host.
        if (!signal.aborted && !error.status) client.doubt?.();
        // For an aborted fetch the reason is in the signal; some browsers throw a plain AbortError.
        throw silence.signal.aborted && !signal.aborted ? silence.signal.reason : error;
    } finally {
        clearTimeout(timer);
        bandwidth.end();
        signal.removeEventListener('abort', stop);
    }
}

/** Reads a response body to its end, until no more is wanted, or until it is aborted. */
async function read(response, signal, take) {
    const reader = response.body.getReader();
    const leave = () => reader.cancel(signal.reason).catch(() => {});
    signal.addEventListener('abort', leave, { once: true });
    try {
        for (let isWanted = true; isWanted;) {
            const { done, value } = await reader.read();
            signal.throwIfAborted();
            if (done) return false;
            isWanted = take(value);
        }
        return true;
    } finally {
        signal.removeEventListener('abort', leave);
        leave();
    }
}

function kindOf(status) {
    if (status === 401) return 'unauthorized';
    if (status === 403) return 'forbidden';
    if (status === 404 || status === 410) return 'not-found';
    if (status === 409) return 'conflict';
    if (status === 408) return 'timeout';
    return status >= 500 ? 'server' : 'bad-answer';
}
