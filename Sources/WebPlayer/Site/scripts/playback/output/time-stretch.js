import { appended, concatenated } from './samples.js';

/** Length of a window in seconds; the hop is half of it. */
const WINDOW_SECONDS = 0.04;
/** How far a window may be shifted to match the waveform, in seconds. */
const TOLERANCE_SECONDS = 0.01;

/**
 * Changes the speed without changing the pitch: WSOLA (Verhelst and Roelands, ICASSP 1993).
 *
 * Windows of the input are overlapped and added at a fixed hop. The input position advances by hop · speed, shifted within a
 * tolerance to where the input best matches the natural continuation of the previous window.
 */
export class TimeStretch {
    /** Input samples dropped before the first one kept. */
    #dropped;
    /** Input position of the natural continuation of the last window. */
    #natural;
    #tolerance;
    #windows;

    /** @param {{channels: number, rate: number, speed: number}} options */
    constructor({ channels, rate, speed }) {
        this.speed = speed;
        this.hop = Math.round((WINDOW_SECONDS * rate) / 2);
        this.#tolerance = Math.round(TOLERANCE_SECONDS * rate);
        this.window = Float32Array.from({ length: 2 * this.hop }, (_, i) => 0.5 - 0.5 * Math.cos((Math.PI * (i + 0.5)) / this.hop));
        this.kept = Array.from({ length: channels }, () => new Float32Array(0));
        this.#dropped = 0;
        /** Second half of the last window, to be overlapped with the next one. */
        this.tail = null;
        this.#natural = 0;
        this.#windows = 0;
        this.taken = 0;
        this.given = 0;
    }

    /**
     * @param {Float32Array[]} input
     * @returns {Float32Array[]} all available output
     */
    push(input) {
        this.taken += input[0].length;
        this.kept = appended(this.kept, input);
        return this.#deliver(this.work());
    }

    /** @returns {Float32Array[]} the remaining output: in total, the input's length divided by the speed */
    finish() {
        const rest = Math.max(0, Math.round(this.taken / this.speed) - this.given);
        const silence = Math.ceil(rest * this.speed) + 4 * this.hop + 2 * this.#tolerance;
        this.kept = appended(this.kept, this.kept.map(() => new Float32Array(silence)));
        return this.#deliver(this.work().map((samples) => samples.subarray(0, rest)));
    }

    #deliver(output) {
        this.given += output[0].length;
        return output;
    }

    work() {
        const { hop, window } = this;
        const pieces = [];
        for (;;) {
            const ideal = Math.round(this.#windows * hop * this.speed);
            const last = Math.max(ideal + this.#tolerance, this.#natural) + 2 * hop;
            if (last > this.#dropped + this.kept[0].length) break;
            const from = this.#windows === 0 ? 0 : this.#bestNear(ideal);
            pieces.push(this.kept.map((kept, channel) => {
                const piece = new Float32Array(hop);
                const start = from - this.#dropped;
                // Nothing precedes the first window: its first half is used unchanged.
                if (this.tail === null) piece.set(kept.subarray(start, start + hop));
                else for (let i = 0; i < hop; i++) piece[i] = this.tail[channel][i] + window[i] * kept[start + i];
                return piece;
            }));
            this.tail = this.kept.map((kept) => {
                const tail = new Float32Array(hop);
                for (let i = 0; i < hop; i++) tail[i] = window[hop + i] * kept[from - this.#dropped + hop + i];
                return tail;
            });
            this.#natural = from + hop;
            this.#windows += 1;
            this.drop();
        }
        return this.kept.map((_, channel) => concatenated(pieces.map((piece) => piece[channel])));
    }

    /** Returns the position near `ideal` where the input best matches the natural continuation. */
    #bestNear(ideal) {
        const low = Math.max(this.#dropped, ideal - this.#tolerance);
        const high = Math.min(this.#dropped + this.kept[0].length - 2 * this.hop, ideal + this.#tolerance);
        let best = this.search(low, high, 8, 4);
        best = this.search(Math.max(low, best - 8), Math.min(high, best + 8), 1, 2);
        return best;
    }

    search(low, high, step, stride) {
        let best = low;
        let most = -Infinity;
        const target = this.#natural - this.#dropped;
        for (let place = low; place <= high; place += step) {
            let product = 0;
            let power = 1e-9;
            for (const kept of this.kept) {
                const start = place - this.#dropped;
                for (let i = 0; i < this.hop; i += stride) {
                    product += kept[target + i] * kept[start + i];
                    power += kept[start + i] * kept[start + i];
                }
            }
            const likeness = product / Math.sqrt(power);
            if (likeness > most) {
                most = likeness;
                best = place;
            }
        }
        return best;
    }

    /** Drops input that no window needs any more. */
    drop() {
        const needed = Math.min(this.#natural, Math.round(this.#windows * this.hop * this.speed) - this.#tolerance);
        const count = Math.min(needed - this.#dropped, this.kept[0].length);
        if (count < this.hop * 8) return;
        this.kept = this.kept.map((kept) => kept.slice(count));
        this.#dropped += count;
    }
}
