/** Seconds to wait before each further try, by kind of failure. What is not here is not tried again. */
const DELAYS = {
    reset: [2, 5, 10],
    timeout: [2, 5, 10],
    busy: [2, 5, 10],
    server: [5, 5, 5],
};

/** When to try again what failed for a while. */
export class RetryPolicy {
    /** @param {Record<string, number[]>} [delays] */
    constructor(delays = DELAYS) {
        this.delays = delays;
        this.failures = 0;
    }

    /** Something came: the next failure is the first again. */
    succeed() {
        this.failures = 0;
    }

    /**
     * Seconds until the next try; null where there is to be none.
     * @param {import('./playback-error.js').PlaybackError} error
     */
    next(error) {
        const delay = error.canRetry ? this.delays[error.kind]?.[this.failures] : undefined;
        if (delay === undefined) return null;
        this.failures += 1;
        return delay;
    }
}
