/** Bytes of a part. */
const PART = 2 << 20;
/** Seconds between attempts to go on after the network was lost. */
const DELAYS = [1, 2, 5, 10, 30];

/** @typedef {'waiting' | 'sending' | 'checking' | 'paused' | 'done' | 'failed' | 'cancelled'} UploadState */

/**
 * One file on its way to the host, in parts, so that a lost connection costs a part and no more.
 *
 * Events: 'change'.
 */
export class UploadTask extends EventTarget {
    /** @type {UploadState} */
    state = 'waiting';
    /** Bytes that the host has. */
    sent = 0;
    /** What is wrong, for people. */
    message = '';
    /** What became of it: the host's report. */
    report = null;
    #client;
    #id = null;
    #abort = new AbortController();

    /** @param {object} client @param {File} file @param {Record<string, string>} [fields] what its tags are to say */
    constructor(client, file, fields = {}) {
        super();
        this.#client = client;
        this.file = file;
        this.fields = fields;
    }

    /** Whether nothing more happens to it. */
    get isOver() {
        return this.state === 'done' || this.state === 'failed' || this.state === 'cancelled';
    }

    /** Sends the file. Resolves when it is over, however it ends. */
    async run() {
        for (let attempt = 0; !this.isOver; attempt++) {
            const before = this.sent;
            try {
                await this.#send();
                return;
            } catch (error) {
                if (this.isOver) return;
                const isPassing = error.kind === 'offline' || error.kind === 'timeout' || error.status === 503 || error.status === 429;
                if (this.sent > before) attempt = 0;
                if (!isPassing) {
                    this.#become('failed', error.message);
                    return;
                }
                const delay = error.retryAfter || DELAYS[Math.min(attempt, DELAYS.length - 1)];
                this.#become('paused', `${error.message} It goes on by itself.`);
                await this.#wait(delay);
            }
        }
    }

    /** Gives it up; the host forgets what it has. */
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
                method: 'POST', body: { file_name: file.name, byte_count: file.size, fields: this.fields }, signal,
            });
            this.#id = opened.upload_id;
            this.sent = opened.offset;
        } else {
            // What of the last part came through is known to the host alone.
            const known = await this.#client.json(`/upload-track/resumable/${this.#id}`, { signal });
            this.sent = known.offset;
            if (known.report) return this.#finish(known.report);
        }
        while (this.sent < file.size) {
            const end = Math.min(file.size, this.sent + PART);
            if (end === file.size) this.#become('checking', '');
            const answer = await this.#client.fetch(`/upload-track/resumable/${this.#id}`, {
                method: 'PUT', body: file.slice(this.sent, end), signal, timeout: 600_000,
                headers: {
                    'Content-Type': 'application/octet-stream', 'Content-Range': `bytes ${this.sent}-${end - 1}/${file.size}`,
                },
            });
            const state = await answer.json();
            this.sent = state.offset;
            if (state.report) return this.#finish(state.report);
            this.#become('sending', '');
        }
        throw Object.assign(new Error('The host has the file, and says nothing of it.'), { kind: 'bad-answer' });
    }

    #finish(report) {
        this.report = report;
        const refused = report.files.find(({ status }) => status === 'refused');
        const failure = report.error ?? (refused && report.stored_count + report.duplicate_count === 0 ? refused : null);
        this.sent = this.file.size;
        this.#become(failure ? 'failed' : 'done', failure?.message ?? '');
    }

    #become(state, message) {
        this.state = state;
        this.message = message;
        this.dispatchEvent(new Event('change'));
    }

    #wait(seconds) {
        return new Promise(resolve => {
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
