import { Resampler } from './resampler.js';
import { appended } from './samples.js';
import { TimeStretch } from './time-stretch.js';

/** A stream of sound on its way to another speed and to another rate. It may go on from one track into the next. */
export class SoundChain {
    /**
     * @param {{channels: number, from: number, to: number, speed: number, history?: Float32Array[]}} options
     *   `history`: what was before the input
     */
    constructor({ channels, from, to, speed, history }) {
        Object.assign(this, { from, to, speed });
        this.stretch = speed === 1 ? null : new TimeStretch({ channels, rate: from, speed });
        this.resampler = from === to ? null : new Resampler({ channels, from, to, history });
        this.taken = 0;
        this.given = 0;
        /** Output beyond the last track's end: the beginning of the next. @type {Float32Array[] | null} */
        this.pending = null;
    }

    /** @param {Float32Array[]} input a channel each @returns {Float32Array[]} what is ready */
    push(input) {
        return this.give(this.through(input));
    }

    /** The end of a track after which nothing follows. @param {Float32Array[]} input the last of it */
    finish(input) {
        let output = this.through(input);
        if (this.stretch) {
            const rest = this.stretch.finish();
            output = appended(output, this.resampler ? this.resampler.push(rest) : rest);
        }
        return this.give(this.resampler ? appended(output, this.resampler.finish()) : output);
    }

    /**
     * The end of a track after which the next is heard without a gap.
     * @param {Float32Array[]} input the last of it
     * @param {Float32Array[]} following the beginning of the next one, at least 0.1 s, which is more than
     *   a window and the resampler look ahead; it is not to be pushed again
     * @returns {{output: Float32Array[], beyond: number}}
     *   the rest up to the end, and by how many input samples the first output after it lies beyond the end
     */
    goOn(input, following) {
        const before = this.through(input);
        const end = this.taken;
        const all = appended(before, this.through(following));
        const count = Math.ceil((end * this.to) / (this.from * this.speed)) - this.given;
        this.pending = all.map((samples) => samples.slice(count));
        const output = this.give(all.map((samples) => samples.slice(0, count)));
        return { output, beyond: (this.given * this.from * this.speed) / this.to - end };
    }

    through(input) {
        this.taken += input[0].length;
        let sound = this.stretch ? this.stretch.push(input) : input;
        if (this.resampler) sound = this.resampler.push(sound);
        if (this.pending) sound = appended(this.pending, sound);
        this.pending = null;
        return sound;
    }

    give(output) {
        this.given += output[0].length;
        return output;
    }
}
