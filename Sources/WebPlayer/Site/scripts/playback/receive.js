import { PlaybackError } from './playback-error.js';

/**
 * Asks for bytes and hands them on as they come, as long as some come in time.
 *
 * @param {object} job
 * @param {{fetch: (path: string, init: RequestInit) => Promise<Response>}} job.client
 * @param {string} job.path
 * @param {Record<string, string>} [job.headers]
 * @param {AbortSignal} job.signal
 * @param {import('./bandwidth.js').Bandwidth} job.bandwidth
 * @param {number} job.silenceSeconds how long no data may come before the connection counts as lost
 * @param {(response: Response) => (piece: Uint8Array) => boolean} open gets the answer's head, and gives what takes its pieces and
 *     tells whether more are wanted
 * @returns {Promise<boolean>} whether all came that was wanted; false where the answer was over before
 */
export async function receive({ client, path, headers, signal, bandwidth, silenceSeconds }, open) {
    const silence = new AbortController();
    const stop = () => silence.abort(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    let timer;
    const heard = () => {
        clearTimeout(timer);
        timer = setTimeout(() => silence.abort(new PlaybackError('timeout', 'Connection timed out - Retrying…')), silenceSeconds * 1000);
    };
    bandwidth.begin();
    try {
        heard();
        const response = await client.fetch(path, { headers, signal: silence.signal, cache: 'no-store' });
        if (!response.ok) throw Object.assign(new Error(`The host answered ${response.status}.`), { kind: kindOf(response.status), status: response.status });
        const take = open(response);
        return await read(response, silence.signal, (piece) => {
            heard();
            bandwidth.add(piece.length);
            return take(piece);
        });
    } catch (error) {
        // A fetch that is given up tells why in the signal; some browsers throw a bare AbortError.
        throw silence.signal.aborted && !signal.aborted ? silence.signal.reason : error;
    } finally {
        clearTimeout(timer);
        bandwidth.end();
        signal.removeEventListener('abort', stop);
    }
}

/** Reads an answer's body to its end, until no more is wanted, or until it is given up. */
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
