import { Resampler } from './resampler.js';
import { appended } from './samples.js';
import { TimeStretch } from './time-stretch.js';

/** A module worker that resamples and stretches, so that the page never waits for it. One chain a stream. */

/** @type {Map<number, {stretch: TimeStretch | null, resampler: Resampler | null}>} */
const chains = new Map();

self.onmessage = ({ data }) => {
    const { job, id } = data;
    if (data.kind === 'close') {
        chains.delete(id);
        return;
    }
    try {
        if (data.kind === 'open') {
            const { channels, from, to, speed, first, history } = data.options;
            chains.set(id, {
                stretch: speed === 1 ? null : new TimeStretch({ channels, rate: from, speed }),
                resampler: from === to ? null : new Resampler({ channels, from, to, first, history }),
            });
            return;
        }
        const chain = chains.get(id);
        if (!chain) return;
        const output = run(chain, data.input, data.isLast, data.following);
        self.postMessage({ job, output }, output.map((samples) => samples.buffer));
        if (data.isLast) chains.delete(id);
    } catch (error) {
        self.postMessage({ job, error: String(error) });
    }
};

function run({ stretch, resampler }, input, isLast, following) {
    let sound = input;
    if (stretch) {
        sound = stretch.push(sound);
        if (isLast) sound = appended(sound, stretch.finish());
    }
    if (resampler) {
        const pushed = resampler.push(sound);
        sound = isLast ? appended(pushed, resampler.finish(following)) : pushed;
    }
    // A view into a larger buffer would be sent whole.
    return sound.map((samples) => (samples.byteLength === samples.buffer.byteLength ? samples : samples.slice()));
}
