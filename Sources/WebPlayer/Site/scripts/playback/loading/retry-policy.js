/** Seconds to wait before each retry, by kind of failure. Other kinds are not retried. */
const DELAYS = {
    reset: [2, 5, 10],
    timeout: [2, 5, 10],
    busy: [2, 5, 10],
    server: [5, 5, 5],
};

/** Decides when to retry after a temporary failure. */
export class RetryPolicy {
    /** @param {Record<string, number[]>} [delays] */
    constructor(delays = DELAYS) {
        this.delays = delays;
        this.failures = 0;
    }

    /** Resets the retry count after a success. */
    succeed() {
        this.failures = 0;
    }

    /**
     * Returns the seconds until the next retry; null to give up.
     * @param {import('./playback-error.js').PlaybackError} error
     */
    next(error) {
        const delay = error.canRetry ? this.delays[error.kind]?.[this.failures] : undefined;
        if (delay === undefined) return null;
        this.failures += 1;
        return delay;
    }
}
