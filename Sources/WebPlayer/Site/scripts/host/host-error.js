/**
 * Why the host did not do what it was asked, in words that say what to do.
 *
 * @typedef {'offline' | 'timeout' | 'unauthorized' | 'forbidden' | 'not-found' | 'conflict' | 'server' | 'version' | 'bad-answer'} HostErrorKind
 */
export class HostError extends Error {
    /**
     * @param {HostErrorKind} kind
     * @param {string} message
     * @param {{status?: number, code?: string, field?: string, retryAfter?: number, cause?: unknown}} [facts]
     */
    constructor(kind, message, { status = 0, code = '', field = '', retryAfter = 0, cause } = {}) {
        super(message, { cause });
        this.name = 'HostError';
        this.kind = kind;
        this.status = status;
        /** The host's own name for what is wrong. */
        this.code = code;
        this.field = field;
        /** Seconds to wait before asking again. */
        this.retryAfter = retryAfter;
    }

    /**
     * What an answer that is no success means.
     * @param {Response} response
     */
    static async of(response) {
        let said = {};
        try {
            said = (await response.json()).error ?? {};
        } catch {
            // A proxy's page instead of the host's answer: the status says enough.
        }
        return new HostError(kindOf(response.status), said.message || `The host answered ${response.status}.`, {
            status: response.status, code: said.code ?? '', field: said.field ?? '',
            retryAfter: Number(response.headers.get('Retry-After')) || 0,
        });
    }
}

/** @param {number} status @returns {HostErrorKind} */
function kindOf(status) {
    switch (status) {
    case 401: return 'unauthorized';
    case 403: return 'forbidden';
    case 404: case 410: return 'not-found';
    case 409: case 412: return 'conflict';
    default: return status >= 500 ? 'server' : 'bad-answer';
    }
}
