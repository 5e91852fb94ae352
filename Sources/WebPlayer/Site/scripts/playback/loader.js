import { PlaybackError } from './playback-error.js';
import { RetryPolicy } from './retry-policy.js';

/**
 * Work for the network.
 *
 * @typedef {object} Job
 * @property {import('./deck.js').Deck} deck for which
 * @property {string} name jobs of the same name are the same
 * @property {(signal: AbortSignal) => Promise<void>} run
 * @property {boolean} [isOptional] whether the music does without it: it is tried once
 */

/**
 * Does one job at a time, the most urgent first, and goes on trying as long as there is hope.
 *
 * Where nothing is reached at all, the host is asked again and again whether it is there, and work goes on at once when
 * it is. Where the host is there and something fails all the same, the job is tried again after 2, 5 and 10 seconds.
 */
export class Loader extends EventTarget {
    /**
     * @param {object} parts
     * @param {() => Job | null} parts.nextJob
     * @param {(signal: AbortSignal) => Promise<boolean>} parts.isHostThere
     * @param {number} parts.probeSeconds how often the host is asked for
     * @param {Record<string, number[]>} [parts.retryDelays]
     */
    constructor({ nextJob, isHostThere, probeSeconds, retryDelays }) {
        super();
        Object.assign(this, { nextJob, isHostThere, probeSeconds });
        this.retries = new RetryPolicy(retryDelays);
        /** Whether the host cannot be reached. */
        this.isOffline = false;
        /** A failure after which there will be another try. @type {PlaybackError | null} */
        this.trouble = null;
        /** @type {Job | null} */
        this.job = null;
        this.isClosed = false;
        this.wakeUp = () => {};
        this.onOnline = () => this.hurry();
        globalThis.addEventListener?.('online', this.onOnline);
        this.work();
    }

    /** There may be something to do. */
    wake() {
        this.wakeUp();
    }

    /** Nothing is to be waited for. */
    hurry() {
        this.isHurried = true;
        this.wakeUp();
    }

    /** Gives up what is under way where that is not what is wanted now. */
    reconsider() {
        const wanted = this.nextJob();
        if (this.job && this.job.name !== wanted?.name) this.controller.abort(new DOMException('No longer wanted.', 'AbortError'));
        this.wake();
    }

    /** Tries again at once what had been given up. */
    retry() {
        this.retries.succeed();
        this.trouble = null;
        this.hurry();
    }

    close() {
        this.isClosed = true;
        globalThis.removeEventListener?.('online', this.onOnline);
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
                if (!controller.signal.aborted) await this.fail(job, PlaybackError.of(error));
            }
        }
    }

    /** @param {Job} job @param {PlaybackError} error */
    async fail(job, error) {
        if (job.isOptional) return;
        if (error.kind === 'offline' && !(await this.isThere())) {
            this.settle(true, null);
            // What is wanted meanwhile may be here without the host: a track that was downloaded.
            while (!this.isClosed && this.nextJob()?.name === job.name && !(await this.isThere())) await this.restFully(this.probeSeconds);
            // The network is back: nothing is to be waited for.
            this.settle(false, null);
            return;
        }
        if (error.kind === 'offline') error = PlaybackError.of({ kind: 'reset', cause: error });
        const delay = this.retries.next(error);
        if (delay === null) {
            job.deck.failure = error;
            this.retries.succeed();
            this.settle(false, null);
            this.tell('failure', { deck: job.deck, error });
            return;
        }
        this.settle(false, error);
        this.retryAt = performance.now() / 1000 + delay;
        this.tell('trouble', { deck: job.deck, error, delay });
        while (!this.isClosed && this.trouble === error) {
            const left = this.retryAt - performance.now() / 1000;
            // What is wanted may have changed meanwhile: another track need not wait for this one's sake.
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
        this.tell('change');
    }

    tell(name, detail) {
        this.dispatchEvent(new CustomEvent(name, { detail }));
    }

    /** Waits for so many seconds, unless somebody is in a hurry. */
    async restFully(seconds) {
        const end = performance.now() + seconds * 1000;
        this.isHurried = false;
        while (!this.isClosed && !this.isHurried && performance.now() < end) await this.rest((end - performance.now()) / 1000);
    }

    /** Waits to be woken, at most for so many seconds. */
    rest(seconds) {
        return new Promise((resolve) => {
            const timer = seconds === null ? null : setTimeout(resolve, seconds * 1000);
            this.wakeUp = () => {
                clearTimeout(timer);
                resolve();
            };
        });
    }
}
