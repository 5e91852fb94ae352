import { errorText } from './code-texts.js';
import { t } from '../texts/text.js';

/**
 * A failed request, with a message for the user.
 *
 * @typedef {'offline' | 'timeout' | 'unauthorized' | 'forbidden' | 'not-found' | 'conflict' | 'server' | 'version' | 'library' | 'bad-answer'} HostErrorKind
 */
export class HostError extends Error {
    /**
     * @param {HostErrorKind} kind
     * @param {string} message
     * @param {{status?: number, code?: string, field?: string, retryAfter?: number, cause?: unknown}} facts
     */
    constructor(kind, message, { status = 0, code = '', field = '', retryAfter = 0, cause } = {}) {
        super(message, { cause });
        this.name = 'HostError';
        this.kind = kind;
        this.status = status;
        /** Error code of the host. */
        this.code = code;
        this.field = field;
        /** Seconds to wait before a retry. */
        this.retryAfter = retryAfter;
    }

    /**
     * Creates an error from an unsuccessful response.
     * @param {Response} response
     */
    static async of(response) {
        let said = {};
        try {
            said = (await response.json()).error ?? {};
        } catch {
            // The body is not the host's JSON, for example a proxy's error page: use the status alone.
        }
        return new HostError(
            kindOf(response.status),
            errorText(said) || t('The host returned status {status}.', { status: response.status }),
            {
                status: response.status,
                code: said.code ?? '',
                field: said.field ?? '',
                retryAfter: Number(response.headers.get('Retry-After')) || 0,
            },
        );
    }
}

/** @param {number} status @returns {HostErrorKind} */
function kindOf(status) {
    switch (status) {
        case 401:
            return 'unauthorized';
        case 403:
            return 'forbidden';
        case 404:
        case 410:
            return 'not-found';
        case 409:
        case 412:
            return 'conflict';
        default:
            return status >= 500 ? 'server' : 'bad-answer';
    }
}
