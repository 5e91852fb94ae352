import { PlaybackError } from './playback-error.js';
import { RetryPolicy } from './retry-policy.js';
import { t } from '../../texts/text.js';

/**
 * A network job.
 *
 * @typedef {object} Job
 * @property {import('../decks/deck.js').Deck} deck the deck that needs it
 * @property {string} name identifies the job; jobs with the same name are equal
 * @property {(signal: AbortSignal) => Promise<void>} run
 * @property {boolean} [isOptional] whether playback works without it: it is tried only once
 */

/**
 * Runs one job at a time, the most urgent first, and retries failures.
 *
 * If nothing can be reached, the loader polls the host and continues as soon as it answers. If the host answers but a job fails,
 * the job is retried after 2, 5 and 10 seconds.
 */
export class Loader extends EventTarget {
    #onOnline;
    #wakeUp;

    /**
     * @param {object} parts
     * @param {() => Job | null} parts.nextJob
     * @param {(signal: AbortSignal) => Promise<boolean>} parts.isHostThere
     * @param {number} parts.probeSeconds polling interval while the host is offline
     * @param {Record<string, number[]>} [parts.retryDelays]
     */
    constructor({ nextJob, isHostThere, probeSeconds, retryDelays }) {
        super();
        this.nextJob = nextJob;
        this.isHostThere = isHostThere;
        this.probeSeconds = probeSeconds;
        this.retries = new RetryPolicy(retryDelays);
        /** Whether the host is unreachable. */
        this.isOffline = false;
        /** The last failure if a retry is scheduled. @type {PlaybackError | null} */
        this.trouble = null;
        /** @type {Job | null} */
        this.job = null;
        this.isClosed = false;
        this.#wakeUp = () => {};
        this.#onOnline = () => this.#hurry();
        globalThis.addEventListener?.('online', this.#onOnline);
        this.work();
    }

    /** Looks for a job again. */
    wake() {
        this.#wakeUp();
    }

    /** Ends any waiting. */
    #hurry() {
        this.isHurried = true;
        this.#wakeUp();
    }

    /** Aborts the current job if another one is now more urgent. */
    reconsider() {
        const wanted = this.nextJob();
        if (this.job && this.job.name !== wanted?.name) {
            this.controller?.abort(new DOMException(t('No longer wanted.'), 'AbortError'));
        }
        this.wake();
    }

    /** Retries immediately. */
    retry() {
        this.retries.succeed();
        this.trouble = null;
        this.#hurry();
    }

    close() {
        this.isClosed = true;
        globalThis.removeEventListener?.('online', this.#onOnline);
        this.controller?.abort();
        this.wake();
    }

    async work() {
        while (!this.isClosed) {
            this.job = this.nextJob();
            if (!this.job) {
                await this.rest(null);
                continue;
            }
            this.controller = new AbortController();
            const { job, controller } = this;
            try {
                await job.run(controller.signal);
                this.job = null;
                this.retries.succeed();
                this.settle(false, null);
            } catch (error) {
                this.job = null;
                if (!controller.signal.aborted) await this.#fail(job, PlaybackError.of(error));
            }
        }
    }

    /** @param {Job} job @param {PlaybackError} error */
    async #fail(job, error) {
        if (job.isOptional) return;
        if (error.kind === 'offline' && !(await this.isThere())) {
            this.settle(true, null);
            // Meanwhile another job may be possible without the host, for a downloaded track.
            while (!this.isClosed && this.nextJob()?.name === job.name && !(await this.isThere())) {
                await this.#restFully(this.probeSeconds);
            }
            // The network is back: continue without a delay.
            this.settle(false, null);
            return;
        }
        if (error.kind === 'offline') error = PlaybackError.of({ kind: 'reset', cause: error });
        const delay = this.retries.next(error);
        if (delay === null) {
            job.deck.failure = error;
            this.retries.succeed();
            this.settle(false, null);
            this.emit('failure', { deck: job.deck, error });
            return;
        }
        this.settle(false, error);
        this.retryAt = performance.now() / 1000 + delay;
        this.emit('trouble', { deck: job.deck, error, delay });
        while (!this.isClosed && this.trouble === error) {
            const left = this.retryAt - performance.now() / 1000;
            // The wanted job may have changed: another track need not wait for this one.
            if (left <= 0 || this.nextJob()?.deck !== job.deck) return;
            await this.rest(left);
        }
    }

    async isThere() {
        const limit = new AbortController();
        const timer = setTimeout(() => limit.abort(), 1500);
        try {
            return await this.isHostThere(limit.signal);
        } catch {
            return false;
        } finally {
            clearTimeout(timer);
        }
    }

    settle(isOffline, trouble) {
        if (isOffline === this.isOffline && trouble === this.trouble) return;
        this.isOffline = isOffline;
        this.trouble = trouble;
        this.emit('change');
    }

    emit(name, detail) {
        this.dispatchEvent(new CustomEvent(name, { detail }));
    }

    /** Waits for a number of seconds, unless `hurry` is called. */
    async #restFully(seconds) {
        const end = performance.now() + seconds * 1000;
        this.isHurried = false;
        while (!this.isClosed && !this.isHurried && performance.now() < end) await this.rest((end - performance.now()) / 1000);
    }

    /** Waits until woken, at most for a number of seconds; null for no limit. */
    rest(seconds) {
        return new Promise((/** @type {(value?: unknown) => void} */ resolve) => {
            const timer = seconds === null ? undefined : setTimeout(resolve, seconds * 1000);
            this.#wakeUp = () => {
                clearTimeout(timer);
                resolve();
            };
        });
    }
}
