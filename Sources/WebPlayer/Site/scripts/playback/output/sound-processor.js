import { t } from '../../texts/text.js';

/** Runs resampling and time stretching in a worker. */
export class SoundProcessor {
    constructor() {
        this.worker = null;
        this.jobs = new Map();
        this.next = 1;
    }

    /** The worker, started when first needed: most tracks do not need it. */
    get running() {
        if (!this.worker) {
            this.worker = new Worker(new URL('./sound-worker.js', import.meta.url), { type: 'module' });
            this.worker.onmessage = ({ data }) => {
                const job = this.jobs.get(data.job);
                this.jobs.delete(data.job);
                if (data.error) job?.reject(new Error(data.error));
                else job?.resolve(data.result);
            };
            this.worker.onerror = (event) => {
                for (const job of this.jobs.values()) {
                    // Without a message it was not loaded: an updated host names it otherwise.
                    job.reject(new Error(event.message || t('The audio worker could not be started. Reload the page.')));
                }
                this.jobs.clear();
                this.worker = null;
            };
        }
        return this.worker;
    }

    /**
     * Opens a stream.
     * @param {ConstructorParameters<typeof import('./sound-chain.js').SoundChain>[0]} options
     */
    open(options) {
        const id = this.next++;
        let isClosed = false;
        this.running.postMessage({ kind: 'open', id, options });
        return {
            /**
             * @param {Float32Array[]} input
             * @param {boolean} isLast whether it is the end of a track
             * @param {Float32Array[]} [following] the start of the next track if the stream continues with it
             * @returns {Promise<{output: Float32Array[], beyond: number | null, settled: {when: number, input: number} | null}>}
             *   `beyond`: as in `SoundChain.goOn`; null if the stream has not reached the next track. `settled`: as in
             *     `SoundChain`. A closed stream returns silence, so callers that were waiting need no special case.
             */
            process: (input, isLast, following) =>
                isClosed
                    ? Promise.resolve({ output: input.map(() => new Float32Array(0)), beyond: null, settled: null })
                    : new Promise((resolve, reject) => {
                        const job = this.next++;
                        this.jobs.set(job, { resolve, reject });
                        this.running.postMessage({ kind: 'process', id, job, input, isLast, following });
                    }),
            close: () => {
                isClosed = true;
                this.worker?.postMessage({ kind: 'close', id });
            },
        };
    }

    /** Terminates the worker. */
    close() {
        this.worker?.terminate();
        this.worker = null;
    }
}
