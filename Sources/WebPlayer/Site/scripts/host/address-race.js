/** Head start of an address before the next one is tried as well, in milliseconds. */
const HEAD_START = 250;

/**
 * Tries the addresses of a host, each with a short head start before the next is tried in parallel; the first answer wins.
 *
 * @template Answer
 * @param {string[]} addresses the preferred one first
 * @param {(address: string, signal: AbortSignal) => Promise<Answer>} attempt
 * @param {AbortSignal} [signal]
 * @returns {Promise<{address: string, answer: Answer}>}
 * @throws what an address that responded has reported, such as a wrong key, otherwise a failure to connect
 */
export async function firstAnswer(addresses, attempt, signal) {
    const end = new AbortController();
    const stop = () => end.abort(signal?.reason);
    signal?.addEventListener('abort', stop, { once: true });
    if (signal?.aborted) stop();
    /** @type {any[]} */
    const failures = [];
    const tries = addresses.map(async (address, place) => {
        if (place > 0) await pause(HEAD_START * place, end.signal);
        try {
            return { address, answer: await attempt(address, end.signal) };
        } catch (error) {
            failures.push(error);
            throw error;
        }
    });
    try {
        return await Promise.any(tries);
    } catch {
        if (signal?.aborted) throw signal.reason;
        const telling = failures.find(({ kind }) => !['offline', 'timeout', 'library'].includes(kind));
        throw telling ?? failures.find(({ kind }) => kind !== 'library') ?? failures[0];
    } finally {
        end.abort();
        signal?.removeEventListener('abort', stop);
    }
}

/** Waits, unless ended. @param {number} milliseconds @param {AbortSignal} signal */
function pause(milliseconds, signal) {
    return new Promise((resolve) => {
        const timer = setTimeout(resolve, milliseconds);
        signal.addEventListener('abort', () => {
            clearTimeout(timer);
            resolve(undefined);
        }, { once: true });
    });
}
