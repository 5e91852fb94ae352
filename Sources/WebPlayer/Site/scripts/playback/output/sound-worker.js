import { SoundChain } from './sound-chain.js';

/** A module worker that resamples and stretches audio off the main thread, with one chain per stream. */

/** @type {Map<number, SoundChain>} */
const chains = new Map();

self.onmessage = ({ data }) => {
    const { job, id } = data;
    if (data.kind === 'close') {
        chains.delete(id);
        return;
    }
    try {
        if (data.kind === 'open') {
            chains.set(id, new SoundChain(data.options));
            return;
        }
        const chain = chains.get(id);
        const { output, beyond, settled } = run(chain, data);
        // Transferring a view would transfer its whole buffer.
        const whole = output.map((samples) => (samples.byteLength === samples.buffer.byteLength ? samples : samples.slice()));
        self.postMessage({ job, result: { output: whole, beyond, settled } }, whole.map((samples) => samples.buffer));
        if (beyond === null && data.isLast) chains.delete(id);
    } catch (error) {
        self.postMessage({ job, error: String(error) });
    }
};

function run(chain, { input, isLast, following }) {
    const { output, beyond } = isLast && following
        ? chain.goOn(input, following)
        : { output: isLast ? chain.finish(input) : chain.push(input), beyond: null };
    return { output, beyond, settled: chain.settled };
}
