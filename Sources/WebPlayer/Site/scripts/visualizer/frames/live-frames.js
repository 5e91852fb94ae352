/** Lowest and highest frequency that is shown, in Hz: those of the host's frames. */
const LOWEST = 40;
const HIGHEST = 16000;
/** What 0 means, in dBFS: as in the host's frames. */
const FLOOR = -90;
/**
 * What a full-scale sine falls short of 0 dB in an AnalyserNode: half of it lies at negative frequencies, and the
 * Blackman window (Web Audio API, 1.8.6) lets 0.42 of it through.
 */
const SHORTFALL = -20 * Math.log10(0.42 / 2);

/**
 * Levels from the sound itself, where a track has no frames: an AnalyserNode's spectrum, in the bands and on the scale of
 * the host's frames.
 */
export class LiveFrames {
    #analyser;
    #spectrum;
    #edges;

    /**
     * @param {AnalyserNode} analyser is set to follow the sound at once: smoothing is done where all levels are smoothed
     * @param {number} bandCount
     */
    constructor(analyser, bandCount = 64) {
        this.#analyser = analyser;
        this.bandCount = bandCount;
        analyser.fftSize = 2048;
        analyser.smoothingTimeConstant = 0;
        this.#spectrum = new Float32Array(analyser.frequencyBinCount);
        // Where bands begin and end, in bins.
        this.#edges = new Float64Array(bandCount + 1);
        const bins = analyser.fftSize / analyser.context.sampleRate;
        for (let band = 0; band <= bandCount; band++) {
            this.#edges[band] = bins * LOWEST * (HIGHEST / LOWEST) ** (band / bandCount);
        }
    }

    /** The node that is listened to. */
    get analyser() {
        return this.#analyser;
    }

    /**
     * Copies the levels of this moment, from 0 to 1, into an array that is there already.
     *
     * @param {Float32Array} target one element a band
     */
    copyInto(target) {
        const spectrum = this.#spectrum;
        const edges = this.#edges;
        this.#analyser.getFloatFrequencyData(spectrum);
        const last = spectrum.length - 1;
        for (let band = 0; band < this.bandCount; band++) {
            const from = edges[band];
            const to = edges[band + 1];
            let level = -Infinity;
            const first = Math.ceil(from);
            if (first < to) {
                for (let bin = first; bin < to && bin <= last; bin++) if (spectrum[bin] > level) level = spectrum[bin];
            } else {
                // Low bands are narrower than a bin.
                const middle = Math.min((from + to) / 2, last - 1);
                const bin = Math.floor(middle);
                const below = Math.max(spectrum[bin], FLOOR - 30);
                level = below + (Math.max(spectrum[bin + 1], FLOOR - 30) - below) * (middle - bin);
            }
            const value = 1 - (level + SHORTFALL) / FLOOR;
            target[band] = value > 0 ? Math.min(value, 1) : 0;
        }
    }
}
