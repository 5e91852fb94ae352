import { appended } from './samples.js';

/** Zero crossings of the sinc on either side, at the lower of the two rates. */
const HALF_WIDTH = 40;
/** Kaiser's β: side lobes below −90 dB. */
const BETA = 9;

/**
 * Converts audio from one sample rate to another, in chunks, by convolution with a windowed sinc.
 *
 * Output sample n is the input at the exact fraction (first + n · down) / up; each fraction has its own kernel row, so no phase
 * is rounded and chunks join without a seam.
 */
export class Resampler {
    /**
     * @param {{channels: number, from: number, to: number, history?: Float32Array[]}} options `history`: audio before the input
     */
    constructor({ channels, from, to, history }) {
        const divisor = gcd(from, to);
        this.up = to / divisor;
        this.down = from / divisor;
        const kernel = kernelFor(this.up, this.down);
        this.half = kernel.half;
        this.rows = kernel.rows;
        /** Input still needed. Its first sample lies `half` samples before the input position. */
        this.kept = Array.from({ length: channels }, (_, channel) => {
            const before = new Float32Array(this.half);
            const given = history?.[Math.min(channel, history.length - 1)];
            if (given) before.set(given.subarray(Math.max(0, given.length - this.half)), Math.max(0, this.half - given.length));
            return before;
        });
        /** Position of the next output sample, in input samples times `up`. */
        this.position = 0;
    }

    /**
     * @param {Float32Array[]} input one array per channel
     * @returns {Float32Array[]} all output determined by the input so far
     */
    push(input) {
        this.kept = appended(this.kept, input);
        // An output sample needs `half` input samples after its position.
        return this.take(this.kept[0].length - 2 * this.half);
    }

    /** Ends the input. @returns {Float32Array[]} the remaining output */
    finish() {
        const end = this.kept[0].length - this.half;
        this.kept = appended(this.kept, this.kept.map(() => new Float32Array(this.half)));
        return this.take(end);
    }

    /** Returns the output at positions before `end` input samples after `half`. */
    take(end) {
        const { up, down, rows } = this;
        const count = Math.max(0, Math.ceil((end * up - this.position) / down));
        const output = this.kept.map((kept) => {
            const samples = new Float32Array(count);
            let position = this.position;
            for (let n = 0; n < count; n++, position += down) {
                const whole = Math.floor(position / up);
                const row = rows[position - whole * up];
                let sum = 0;
                // The middle of a row is at `half`: input sample `whole` is at index `whole + half`.
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

/** Returns the kernel rows, one per fraction of an input sample: row[k] is the weight of input sample `whole + k + 1 − half`. */
function kernelFor(up, down) {
    const name = `${up}/${down}`;
    if (kernels.has(name)) return kernels.get(name);
    // Slightly below half of the lower rate, so that aliasing is inaudible.
    const cutoff = Math.min(1, up / down) * 0.97;
    const half = Math.ceil(HALF_WIDTH / Math.min(1, up / down));
    const rows = Array.from({ length: up }, (_, phase) => {
        const row = new Float32Array(2 * half);
        let sum = 0;
        for (let k = 0; k < row.length; k++) {
            const distance = k + 1 - half - phase / up;
            const share = distance / half;
            const weight = Math.abs(share) >= 1
                ? 0
                : cutoff * sinc(cutoff * distance) * bessel(BETA * Math.sqrt(1 - share * share)) / bessel(BETA);
            row[k] = weight;
            sum += weight;
        }
        // Normalise, so that all phases have the same gain at DC.
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

/** Returns the modified Bessel function of the first kind of order 0, by its series. */
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
