import { errorText } from '../../host/code-texts.js';
import { t } from '../../texts/text.js';

/** Size of a part in bytes. */
const PART = 2 << 20;
/** Seconds between attempts after the connection was lost. */
const DELAYS = [1, 2, 5, 10, 30];

/** @typedef {'waiting' | 'sending' | 'checking' | 'paused' | 'done' | 'failed' | 'cancelled'} UploadState */

/**
 * The upload of one file, in parts, so that a lost connection costs at most one part.
 *
 * Events: 'change'.
 */
export class UploadTask extends EventTarget {
    /** @type {UploadState} */
    state = 'waiting';
    /** Bytes received by the host. */
    sent = 0;
    /** Error message for the user. */
    message = '';
    /** The host's report on the upload. */
    report = /** @type {any} */ (null);
    #client;
    #id = null;
    #abort = new AbortController();

    /** @param {object} client @param {File} file @param {Record<string, string>} [fields] tags to set */
    constructor(client, file, fields = {}) {
        super();
        this.#client = client;
        this.file = file;
        this.fields = fields;
    }

    /** Whether the upload has finished, failed or been cancelled. */
    get isOver() {
        return this.state === 'done' || this.state === 'failed' || this.state === 'cancelled';
    }

    /** Uploads the file. Resolves when the upload is over, whatever its outcome. */
    async run() {
        for (let attempt = 0; !this.isOver; attempt++) {
            const before = this.sent;
            try {
                await this.#send();
                return;
            } catch (error) {
                if (this.isOver) return;
                const isPassing = error.kind === 'offline' || error.kind === 'timeout' || error.status === 503 ||
                    error.status === 429;
                if (this.sent > before) attempt = 0;
                if (!isPassing) {
                    this.#become('failed', error.message);
                    return;
                }
                const delay = error.retryAfter || DELAYS[Math.min(attempt, DELAYS.length - 1)];
                this.#become('paused', t('{message} Resuming automatically.', { message: error.message }));
                await this.#wait(delay);
            }
        }
    }

    /** Cancels the upload; the host discards what it has received. */
    cancel() {
        if (this.isOver) return;
        this.#become('cancelled', '');
        this.#abort.abort();
        if (this.#id) this.#client.json(`/upload-track/resumable/${this.#id}`, { method: 'DELETE' }).catch(() => {});
    }

    async #send() {
        const { file } = this;
        const { signal } = this.#abort;
        this.#become('sending', '');
        if (this.#id === null) {
            const opened = await this.#client.json('/upload-track/resumable', {
                method: 'POST',
                body: { file_name: file.name, byte_count: file.size, fields: this.fields },
                signal,
            });
            this.#id = opened.upload_id;
            this.sent = opened.offset;
        } else {
            // Only the host knows how much of the last part arrived.
            const known = await this.#client.json(`/upload-track/resumable/${this.#id}`, { signal });
            this.sent = known.offset;
            if (known.report) return this.#finish(known.report);
        }
        while (this.sent < file.size) {
            const end = Math.min(file.size, this.sent + PART);
            if (end === file.size) this.#become('checking', '');
            const answer = await this.#client.fetch(`/upload-track/resumable/${this.#id}`, {
                method: 'PUT',
                body: file.slice(this.sent, end),
                signal,
                timeout: 600_000,
                headers: {
                    'Content-Type': 'application/octet-stream',
                    'Content-Range': `bytes ${this.sent}-${end - 1}/${file.size}`,
                },
            });
            const state = await answer.json();
            this.sent = state.offset;
            if (state.report) return this.#finish(state.report);
            this.#become('sending', '');
        }
        throw Object.assign(new Error(t('The host received the file but returned no report.')), { kind: 'bad-answer' });
    }

    #finish(report) {
        this.report = report;
        const refused = report.files.find(({ status }) => status === 'refused');
        const failure = report.error ?? (refused && report.stored_count + report.duplicate_count === 0 ? refused : null);
        this.sent = this.file.size;
        this.#become(failure ? 'failed' : 'done', errorText(failure ?? {}));
    }

    #become(state, message) {
        this.state = state;
        this.message = message;
        this.dispatchEvent(new Event('change'));
    }

    #wait(seconds) {
        return new Promise((/** @type {(value?: unknown) => void} */ resolve) => {
            const timer = setTimeout(resolve, seconds * 1000);
            const now = () => {
                clearTimeout(timer);
                resolve();
            };
            addEventListener('online', now, { once: true, signal: this.#abort.signal });
            this.#abort.signal.addEventListener('abort', now, { once: true });
        });
    }
}
