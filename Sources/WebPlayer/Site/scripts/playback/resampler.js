import { appended } from './samples.js';

/** Zero crossings of the sinc on either side, at the lower of both rates. */
const HALF_WIDTH = 40;
/** Kaiser's β: side lobes below −90 dB. */
const BETA = 9;

/**
 * Brings sound from one sample rate to another, piece by piece, as one convolution with a windowed sinc.
 *
 * Output sample n is the input at the exact fraction (first + n · down) / up; each of the fractions has its own row of
 * the kernel, so that no phase is ever rounded and the pieces join as if there were none.
 */
export class Resampler {
    /**
     * @param {{channels: number, from: number, to: number, history?: Float32Array[]}} options `history`: what was before the input
     */
    constructor({ channels, from, to, history }) {
        const divisor = gcd(from, to);
        this.up = to / divisor;
        this.down = from / divisor;
        const kernel = kernelFor(this.up, this.down);
        this.half = kernel.half;
        this.rows = kernel.rows;
        /** What is kept of the input: the first of it lies `half` before the input at `origin`. */
        this.kept = Array.from({ length: channels }, (_, channel) => {
            const before = new Float32Array(this.half);
            const given = history?.[Math.min(channel, history.length - 1)];
            if (given) before.set(given.subarray(Math.max(0, given.length - this.half)), Math.max(0, this.half - given.length));
            return before;
        });
        /** Where the next output sample lies, in input samples times `up`. */
        this.position = 0;
    }

    /**
     * @param {Float32Array[]} input a channel each
     * @returns {Float32Array[]} all output that the input so far determines
     */
    push(input) {
        this.kept = appended(this.kept, input);
        // An output sample needs `half` samples beyond its own.
        return this.take(this.kept[0].length - 2 * this.half);
    }

    /** The end of the input. @returns {Float32Array[]} the output up to it */
    finish() {
        const end = this.kept[0].length - this.half;
        this.kept = appended(this.kept, this.kept.map(() => new Float32Array(this.half)));
        return this.take(end);
    }

    /** All output at positions before `end` samples of input after `half`. */
    take(end) {
        const { up, down, half, rows } = this;
        const count = Math.max(0, Math.ceil((end * up - this.position) / down));
        const output = this.kept.map((kept) => {
            const samples = new Float32Array(count);
            let position = this.position;
            for (let n = 0; n < count; n++, position += down) {
                const whole = Math.floor(position / up);
                const row = rows[position - whole * up];
                let sum = 0;
                // The row's middle is at `half`: input sample `whole` stands at `whole + half` of what is kept.
                for (let k = 0, i = whole + 1; k < row.length; k++, i++) sum += row[k] * kept[i];
                samples[n] = sum;
            }
            return samples;
        });
        this.position += count * down;
        const done = Math.floor(this.position / up);
        this.position -= done * up;
        this.kept = this.kept.map((kept) => kept.slice(Math.min(done, kept.length)));
        return output;
    }
}

const kernels = new Map();

/** Rows of the kernel, one for each fraction of an input sample: row[k] weighs input sample `whole + k + 1 − half`. */
function kernelFor(up, down) {
    const name = `${up}/${down}`;
    if (kernels.has(name)) return kernels.get(name);
    // Below the lower rate's half, so that nothing folds back where one hears it.
    const cutoff = Math.min(1, up / down) * 0.97;
    const half = Math.ceil(HALF_WIDTH / Math.min(1, up / down));
    const rows = Array.from({ length: up }, (_, phase) => {
        const row = new Float32Array(2 * half);
        let sum = 0;
        for (let k = 0; k < row.length; k++) {
            const distance = k + 1 - half - phase / up;
            const share = distance / half;
            const weight = Math.abs(share) >= 1 ? 0 : cutoff * sinc(cutoff * distance) * bessel(BETA * Math.sqrt(1 - share * share)) / bessel(BETA);
            row[k] = weight;
            sum += weight;
        }
        // All phases let a constant pass alike.
        for (let k = 0; k < row.length; k++) row[k] /= sum;
        return row;
    });
    const kernel = { half, rows };
    kernels.set(name, kernel);
    return kernel;
}

function sinc(x) {
    return x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x);
}

/** The modified Bessel function of the first kind of order 0, by its series. */
function bessel(x) {
    let sum = 1;
    let term = 1;
    for (let k = 1; term > sum * 1e-12; k++) {
        term *= (x / (2 * k)) ** 2;
        sum += term;
    }
    return sum;
}

/** @returns {number} the greatest common divisor */
export function gcd(a, b) {
    return b === 0 ? a : gcd(b, a % b);
}
