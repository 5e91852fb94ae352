import { MixStretch } from './mix-stretch.js';
import { Resampler } from './resampler.js';
import { appended } from './samples.js';
import { TimeStretch } from './time-stretch.js';

/** Converts a stream of audio to another speed and sample rate. The stream may continue from one track into the next. */
export class SoundChain {
    #resampler;
    #stretch;

    /**
     * @param {{channels: number, from: number, to: number, speed: number, history?: Float32Array[],
     *   mix?: {curve: import('./speed-curve.js').SpeedCurve, elapsed: number, first: number}}} options
     *   `history`: audio before the input; `mix`: for a track that is mixed in, with speed 1
     */
    constructor({ channels, from, to, speed, history, mix }) {
        this.from = from;
        this.to = to;
        this.speed = speed;
        this.#stretch = mix
            ? new MixStretch({ channels, rate: from, history, ...mix })
            : speed === 1
            ? null
            : new TimeStretch({ channels, rate: from, speed });
        this.#resampler = from === to ? null : new Resampler({ channels, from, to, history });
        this.taken = 0;
        this.given = 0;
        /** Output beyond the previous track's end: the start of the next. @type {Float32Array[] | null} */
        this.pending = null;
        /** Where a mix has the track's own speed again, in samples from its start. @type {{when: number, input: number} | null} */
        this.settled = null;
    }

    /** @param {Float32Array[]} input one array per channel @returns {Float32Array[]} the available output */
    push(input) {
        return this.#give(this.#through(input));
    }

    /** Ends the stream with the end of a track. @param {Float32Array[]} input its last samples */
    finish(input) {
        let output = this.#through(input);
        if (this.#stretch) {
            const rest = this.#stretch.finish();
            output = appended(output, this.#resampler ? this.#resampler.push(rest) : rest);
        }
        return this.#give(this.#resampler ? appended(output, this.#resampler.finish()) : output);
    }

    /**
     * Continues from the end of a track into the next one without a gap.
     * @param {Float32Array[]} input the last samples of the track
     * @param {Float32Array[]} following the start of the next track, at least 0.1 s, which is more than the look-ahead of a window
     *     and the resampler; do not push it again
     * @returns {{output: Float32Array[], beyond: number}}
     *   the output up to the end, and the distance in input samples from the end to the first output sample after it
     */
    goOn(input, following) {
        const before = this.#through(input);
        const end = this.taken;
        const all = appended(before, this.#through(following));
        const count = Math.ceil((end * this.to) / (this.from * this.speed)) - this.given;
        this.pending = all.map((samples) => samples.slice(count));
        const output = this.#give(all.map((samples) => samples.slice(0, count)));
        return { output, beyond: (this.given * this.from * this.speed) / this.to - end };
    }

    #through(input) {
        this.taken += input[0].length;
        let sound = this.#stretch ? this.#stretch.push(input) : input;
        if (this.#resampler) sound = this.#resampler.push(sound);
        if (this.pending) sound = appended(this.pending, sound);
        this.pending = null;
        this.#settle();
        return sound;
    }

    /** Leaves out the stretching when a mix has the track's own speed again. */
    #settle() {
        const stretch = this.#stretch;
        if (!(stretch instanceof MixStretch) || !stretch.settled) return;
        const { output, input } = stretch.settled;
        this.settled = { when: (output * this.to) / this.from, input };
        // As if the input up to here had been as long as the output.
        this.taken += output - input;
        this.#stretch = null;
    }

    #give(output) {
        this.given += output[0].length;
        return output;
    }
}
