import { t } from '../../texts/text.js';

/**
 * Why a track does not play, with a message for the user.
 *
 * `kind` is one of `HostError`'s, or `decoding` (the browser cannot decode the track), `reset` (the connection was lost, but the
 * host answers) or `busy` (the host cannot serve the track at the moment).
 */
export class PlaybackError extends Error {
    /**
     * @param {string} kind
     * @param {string} message
     * @param {{canRetry?: boolean, cause?: unknown}} options
     */
    constructor(kind, message, { canRetry = true, cause } = {}) {
        super(message, { cause });
        this.name = 'PlaybackError';
        this.kind = kind;
        /** Whether a retry may help. */
        this.canRetry = canRetry;
    }

    /** @param {string} what the response that is invalid */
    static badAnswer(what) {
        return new PlaybackError('bad-answer', t('Invalid response from the host ({part}).', { part: what }), { canRetry: false });
    }

    /**
     * Converts an error to a playback error.
     * @param {any} error a `HostError`, a `PlaybackError` or an error of the browser
     */
    static of(error) {
        if (error instanceof PlaybackError) return error;
        const status = error?.status ?? 0;
        const make = (kind, message, canRetry = true) => new PlaybackError(kind, message, { canRetry, cause: error });
        switch (error?.kind) {
            // The connection was lost, but the host answers.
            case 'reset':
                return make('reset', t('Connection interrupted - Retrying…'));
            case 'timeout':
                return make('timeout', t('Connection timed out - Retrying…'));
            case 'server':
                return make(status === 503 ? 'busy' : 'server', t('Server Error - Unable to stream'));
            case 'not-found':
                return make('not-found', t('Track Not Available. Refresh the library.'), false);
            case 'unauthorized':
            case 'forbidden':
                return make(error.kind, t('The host no longer accepts this API key. Connect again.'), false);
            case 'conflict':
                return make('busy', t('The file has changed and is being analysed again.'));
            case 'version':
            case 'bad-answer':
                return make('bad-answer', error.message || t('Invalid response from the host.'), false);
            default:
                return make('offline', t('No Connection'));
        }
    }
}
