/**
 * Why a track does not play, in words for the listener.
 *
 * `kind` is one of `HostError`'s, or `decoding` (the browser cannot decode it), `silence` (no data came for too long).
 */
export class PlaybackError extends Error {
    /**
     * @param {string} kind
     * @param {string} message
     * @param {{canRetry?: boolean, cause?: unknown}} [options]
     */
    constructor(kind, message, { canRetry = true, cause } = {}) {
        super(message, { cause });
        this.name = 'PlaybackError';
        this.kind = kind;
        /** Whether trying again may help. */
        this.canRetry = canRetry;
    }

    /** @param {string} what */
    static badAnswer(what) {
        return new PlaybackError('bad-answer', `The host's answer about ${what} cannot be read.`, { canRetry: false });
    }

    /**
     * What a failure is to the listener.
     * @param {any} error whatever was thrown: `HostError`, our own, or the browser's
     */
    static of(error) {
        if (error instanceof PlaybackError) return error;
        const status = error?.status ?? 0;
        const make = (kind, message, canRetry = true) => new PlaybackError(kind, message, { canRetry, cause: error });
        switch (error?.kind) {
            // It broke off, and the host is there.
            case 'reset': return make('reset', 'Connection interrupted - Retrying…');
            case 'timeout': return make('timeout', 'Connection timed out - Retrying…');
            case 'server': return make(status === 503 ? 'busy' : 'server', 'Server Error - Unable to stream');
            case 'not-found': return make('not-found', 'Track Not Available. Refresh the library to see what is there now.', false);
            case 'unauthorized':
            case 'forbidden': return make(error.kind, 'The host no longer takes this key. Connect again.', false);
            case 'conflict': return make('busy', 'The file has changed and is being analysed anew.');
            case 'version':
            case 'bad-answer': return make('bad-answer', error.message || "The host's answer cannot be read.", false);
            default: return make('offline', 'No Connection');
        }
    }
}
