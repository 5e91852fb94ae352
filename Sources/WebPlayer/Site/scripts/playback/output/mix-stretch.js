import { appended, concatenated } from './samples.js';
import { endOf, positionOn } from './speed-curve.js';

/** Distance of the windows in seconds; they are twice as long. */
const HOP_SECONDS = 0.02;
/** Maximum deviation of a window from its place in seconds. */
const SEARCH_SECONDS = 0.006;
/** Samples between those that are compared in the coarse search. */
const COARSE_STEP = 4;
/**
 * How much the largest deviation counts against the likeness, which is 1 at most: in steady sound, and more the more a note starts in
 * the window.
 */
const DEVIATION_WEIGHT = { steady: 0.3, start: 50 };
/** Difference in samples up to which a window counts as one hop after the last: the track has its own speed. */
const OWN_SPEED = 1e-3;

/** Audio before the first sample that the stretch needs, in seconds. */
export const MIX_HISTORY_SECONDS = 0.03;

/**
 * Plays a track that is mixed in along its speed curve, at its own pitch: WSOLA (Verhelst and Roelands, ICASSP 1993).
 *
 * The same algorithm as the host's `TimeStretcher`, sample for sample: places of the windows depend on the position in the whole
 * track, and sums are in double precision. Once the track has its own speed again, the input is passed through unchanged; `settled`
 * has the number of output samples and the position in the input at which that starts.
 */
export class MixStretch {
    #curve;
    #elapsed;
    /** Position in the track of the first sample pushed. */
    #first;
    /** Kept input and the sum of its channels; their first sample has this position in the track. */
    #kept;
    #mono;
    #start;
    /** Position in the track of the last window. @type {number | null} */
    #last;
    #tail;
    #windows;

    /**
     * @param {object} options
     * @param {number} options.channels
     * @param {number} options.rate
     * @param {import('./speed-curve.js').SpeedCurve} options.curve
     * @param {number} options.elapsed time since the start of the mix at the first sample, in seconds
     * @param {number} options.first position of the first sample in the track
     * @param {Float32Array[]} [options.history] the audio before it
     */
    constructor({ channels, rate, curve, elapsed, first, history }) {
        this.rate = rate;
        this.#curve = curve;
        this.#elapsed = elapsed;
        this.#first = first;
        this.hop = Math.max(8, Math.trunc(rate * HOP_SECONDS));
        this.search = Math.max(1, Math.trunc(rate * SEARCH_SECONDS));
        const length = 2 * this.hop;
        this.window = Float32Array.from({ length }, (_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * i) / length));
        const before = this.hop + this.search;
        this.#kept = Array.from({ length: channels }, (_, channel) => {
            const silence = new Float32Array(before);
            const given = history?.[Math.min(channel, history.length - 1)];
            if (given) silence.set(given.subarray(Math.max(0, given.length - before)), Math.max(0, before - given.length));
            return silence;
        });
        this.#mono = sumOf(this.#kept);
        this.#start = first - before;
        this.#last = null;
        this.#tail = this.#kept.map(() => new Float32Array(this.hop));
        this.#windows = 0;
        /** @type {{output: number, input: number} | null} */
        this.settled = null;
    }

    /** @param {Float32Array[]} input @returns {Float32Array[]} all available output */
    push(input) {
        if (this.settled) return input;
        this.#kept = appended(this.#kept, input);
        this.#mono = concatenated([this.#mono, sumOf(input)]);
        return this.#work(Infinity, this.#start + this.#mono.length);
    }

    /** @returns {Float32Array[]} the remaining output, to the end of the input */
    finish() {
        if (this.settled) return this.#kept.map(() => new Float32Array(0));
        const end = this.#start + this.#mono.length;
        const given = Math.max(0, this.#windows - 1) * this.hop;
        const silence = this.#kept.map(() => new Float32Array(4 * this.hop + this.search));
        this.#kept = appended(this.#kept, silence);
        this.#mono = concatenated([this.#mono, silence[0]]);
        const output = this.#work(end, end);
        const taken = end - this.#first;
        // A track that ends before it has its own speed again ends at that of the mix.
        const { output: from, input } = this.settled ?? { output: 0, input: taken - taken / this.#curve.ratio };
        const total = Math.max(0, Math.round(from + taken - input) - given);
        return output.map((samples) => samples.subarray(0, Math.min(samples.length, total)));
    }

    /** Returns the position in the track of the centre of a window, in samples. */
    #place(window) {
        return positionOn(this.#curve, this.#elapsed + (window * this.hop) / this.rate) * this.rate;
    }

    /**
     * Adds all windows that the input suffices for.
     * @param {number} stop position at which no window is needed any more
     * @param {number} end position of the end of the input
     */
    #work(stop, end) {
        const { hop, search, rate } = this;
        const pieces = [this.#kept.map(() => new Float32Array(0))];
        for (;;) {
            const place = this.#place(this.#windows);
            const nominal = Math.round(place) - hop;
            const wanted = this.#last === null ? nominal : this.#last + hop;
            const needed = Math.max(nominal + search, wanted) + 2 * hop;
            if (nominal >= stop || needed > this.#start + this.#mono.length) break;
            const isOwnSpeed = this.#last !== null && Math.abs(place - this.#place(this.#windows - 1) - hop) < OWN_SPEED;
            const chosen = isOwnSpeed ? wanted : this.#bestNear(nominal, wanted, end);
            const piece = this.#add(chosen);
            if (this.#last !== null) pieces.push(piece);
            this.#last = chosen;
            const centre = this.#windows * hop;
            this.#windows += 1;
            if (this.#elapsed + centre / rate >= endOf(this.#curve)) {
                pieces.push(this.#settle(centre, chosen + hop));
                break;
            }
            this.#drop(Math.min(chosen + hop, Math.round(this.#place(this.#windows)) - hop - search));
        }
        return this.#kept.map((_, channel) => concatenated(pieces.map((piece) => piece[channel])));
    }

    /** Passes the input through from a position on. Returns what has been pushed of it. */
    #settle(output, position) {
        this.settled = { output, input: position - this.#first };
        const rest = this.#kept.map((kept) => kept.slice(position - this.#start));
        this.#kept = rest.map(() => new Float32Array(0));
        this.#mono = new Float32Array(0);
        return rest;
    }

    /** Adds a window. Returns the samples before its centre, which are complete. */
    #add(position) {
        const { hop, window } = this;
        const from = position - this.#start;
        return this.#kept.map((kept, channel) => {
            const tail = this.#tail[channel];
            const piece = new Float32Array(hop);
            for (let i = 0; i < hop; i++) piece[i] = tail[i] + window[i] * (kept[from + i] ?? 0);
            for (let i = 0; i < hop; i++) tail[i] = window[hop + i] * (kept[from + hop + i] ?? 0);
            return piece;
        });
    }

    /** Returns the position near a nominal one from which the audio resembles that from `wanted` most. */
    #bestNear(nominal, wanted, end) {
        const { hop, search } = this;
        if (wanted === nominal || nominal < search || wanted < 0) return nominal;
        if (Math.max(nominal + search, wanted) + 2 * hop > end || nominal - search < this.#start) return nominal;
        if (Math.abs(wanted - nominal) <= 1) return wanted;
        const weight = this.#deviationWeight(nominal - this.#start);
        const coarse = this.#best(nominal - search, nominal + search, COARSE_STEP, wanted, nominal, weight);
        const [low, high] = [Math.max(nominal - search, coarse - COARSE_STEP), Math.min(nominal + search, coarse + COARSE_STEP)];
        return this.#best(low, high, 1, wanted, nominal, weight);
    }

    /** Returns how much deviations of a window count: by how much louder its second half is than its first, in high frequencies. */
    #deviationWeight(start) {
        const { hop } = this;
        const mono = this.#mono;
        let before = 1e-9;
        let after = 1e-9;
        for (let i = start; i < start + hop; i += COARSE_STEP) {
            const one = mono[i + 1] - mono[i];
            const next = mono[i + hop + 1] - mono[i + hop];
            before += one * one;
            after += next * next;
        }
        const rise = Math.max(0, (after - before) / (after + before));
        return DEVIATION_WEIGHT.steady + DEVIATION_WEIGHT.start * rise * rise;
    }

    #best(low, high, step, wanted, nominal, weight) {
        const mono = this.#mono;
        const target = wanted - this.#start;
        let best = wanted;
        let most = -Infinity;
        let whole = 1e-9;
        for (let i = target; i < target + 2 * this.hop; i += step) whole += mono[i] * mono[i];
        for (let position = low; position <= high; position += step) {
            const start = position - this.#start;
            let product = 0;
            let energy = 1e-9;
            for (let i = 0; i < 2 * this.hop; i += step) {
                const sample = mono[start + i];
                product += sample * mono[target + i];
                energy += sample * sample;
            }
            const deviation = (position - nominal) / this.search;
            const value = product / Math.sqrt(energy * whole) - weight * deviation * deviation;
            if (value > most) {
                most = value;
                best = position;
            }
        }
        return best;
    }

    /** Drops input before a position, when it is much. */
    #drop(position) {
        const count = Math.min(position - this.#start, this.#mono.length);
        if (count < 8 * this.hop) return;
        this.#kept = this.#kept.map((kept) => kept.slice(count));
        this.#mono = this.#mono.slice(count);
        this.#start += count;
    }
}

/** Returns the sum of all channels. */
function sumOf(channels) {
    if (channels.length === 1) return channels[0].slice();
    const sum = new Float32Array(channels[0].length);
    for (const channel of channels) for (let i = 0; i < sum.length; i++) sum[i] += channel[i];
    return sum;
}
