/** Resampling and stretching in a worker, as calls that give their result. */
export class SoundProcessor {
    constructor() {
        this.worker = null;
        this.jobs = new Map();
        this.next = 1;
    }

    /** The worker, started when it is first needed: most tracks need none. */
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
                for (const job of this.jobs.values()) job.reject(new Error(event.message || 'The sound worker does not start.'));
                this.jobs.clear();
                this.worker = null;
            };
        }
        return this.worker;
    }

    /**
     * A new stream.
     * @param {{channels: number, from: number, to: number, speed: number, history?: Float32Array[]}} options as `SoundChain` has them
     */
    open(options) {
        const id = this.next++;
        let isClosed = false;
        this.running.postMessage({ kind: 'open', id, options });
        return {
            /**
             * @param {Float32Array[]} input
             * @param {boolean} isLast whether it is the end of a track
             * @param {Float32Array[]} [following] the beginning of the next track, where the stream goes on with it
             * @returns {Promise<{output: Float32Array[], beyond: number | null}>}
             *   `beyond`: as `SoundChain.goOn` tells it; null where the stream has not come to the next track. Nothing comes of a
             *   stream that is closed: whoever waited for something else meanwhile need not know.
             */
            process: (input, isLast, following) => isClosed ? Promise.resolve({ output: input.map(() => new Float32Array(0)), beyond: null }) : new Promise((resolve, reject) => {
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

    /** Ends the worker. */
    close() {
        this.worker?.terminate();
        this.worker = null;
    }
}
