/** Frequency range in Hz, as in the host's spectra. */
const LOWEST = 40;
const HIGHEST = 16000;
/** Level of 0 in dBFS, as in the host's spectra. */
const FLOOR = -90;
/**
 * How far a full-scale sine is below 0 dB in an AnalyserNode, in dB: half of it lies at negative frequencies, and the Blackman
 * window (Web Audio API, 1.8.6) passes 0.42 of it.
 */
const SHORTFALL = -20 * Math.log10(0.42 / 2);

/**
 * Computes levels from the audio output if a track has no stored spectra: the spectrum of an AnalyserNode, in the bands and on the
 * scale of the host's spectra.
 */
export class LiveSpectra {
    #analyser;
    #spectrum;
    #edges;

    /**
     * @param {AnalyserNode} analyser its smoothing is turned off: levels are smoothed elsewhere
     * @param {number} bandCount
     */
    constructor(analyser, bandCount = 64) {
        this.#analyser = analyser;
        this.bandCount = bandCount;
        analyser.fftSize = 2048;
        analyser.smoothingTimeConstant = 0;
        this.#spectrum = new Float32Array(analyser.frequencyBinCount);
        // Band edges in bins.
        this.#edges = new Float64Array(bandCount + 1);
        const bins = analyser.fftSize / analyser.context.sampleRate;
        for (let band = 0; band <= bandCount; band++) {
            this.#edges[band] = bins * LOWEST * (HIGHEST / LOWEST) ** (band / bandCount);
        }
    }

    /** The analyser node. */
    get analyser() {
        return this.#analyser;
    }

    /**
     * Copies the current levels, from 0 to 1, into an existing array.
     *
     * @param {Float32Array} target one element per band
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
                // Low bands are narrower than one bin.
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
