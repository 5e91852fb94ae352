/**
 * The waveform overview of a track: the lowest and highest sample per pixel, as the host stores them.
 */
export class Overview {
    /**
     * @param {Int8Array} extremes lowest and highest sample of each pixel in turn, −128 to 127
     * @param {number} secondsPerPixel
     */
    constructor(extremes, secondsPerPixel) {
        this.extremes = extremes;
        this.secondsPerPixel = secondsPerPixel;
        this.pixelCount = extremes.length >> 1;
    }

    /**
     * Parses audiowaveform's binary format, version 2, with 8 bits and one channel.
     *
     * @param {ArrayBuffer} buffer
     * @returns {Overview | null} null if the format is different or the data is truncated
     */
    static parse(buffer) {
        if (buffer.byteLength < 24) return null;
        const header = new DataView(buffer);
        const [version, flags] = [header.getInt32(0, true), header.getUint32(4, true)];
        const [rate, samplesPerPixel] = [header.getInt32(8, true), header.getInt32(12, true)];
        const [length, channels] = [header.getUint32(16, true), header.getInt32(20, true)];
        if (version !== 2 || (flags & 1) !== 1 || channels !== 1 || !(rate > 0) || !(samplesPerPixel > 0)) return null;
        if (24 + 2 * length > buffer.byteLength) return null;
        return new Overview(new Int8Array(buffer, 24, 2 * length), samplesPerPixel / rate);
    }

    /** Returns the largest sample between two times in seconds, from 0 to 1. @param {number} from @param {number} to */
    peak(from, to) {
        const last = Math.min(this.pixelCount - 1, Math.floor(to / this.secondsPerPixel));
        let peak = 0;
        for (let pixel = Math.max(0, Math.floor(from / this.secondsPerPixel)); pixel <= last; pixel++) {
            peak = Math.max(peak, -this.extremes[2 * pixel], this.extremes[2 * pixel + 1]);
        }
        return peak / 128;
    }

    /**
     * Returns the heights of a number of bars, from 0 to 1; the highest is 1, unless the track is silent.
     *
     * @param {number} count
     * @param {number} seconds duration covered by all bars
     * @returns {Float32Array}
     */
    bars(count, seconds) {
        const bars = new Float32Array(count);
        let highest = 0;
        for (let bar = 0; bar < count; bar++) {
            const from = Math.floor(seconds * bar / count / this.secondsPerPixel);
            const to = Math.max(from + 1, Math.ceil(seconds * (bar + 1) / count / this.secondsPerPixel));
            let peak = 0;
            let sum = 0;
            let pixels = 0;
            for (let pixel = from; pixel < to && pixel < this.pixelCount; pixel++, pixels++) {
                const height = Math.max(-this.extremes[2 * pixel], this.extremes[2 * pixel + 1]) / 128;
                if (height > peak) peak = height;
                sum += height;
            }
            // Mostly the peak; the mean gives shape to music that is loud throughout.
            bars[bar] = pixels > 0 ? 0.55 * peak + 0.45 * sum / pixels : 0;
            if (bars[bar] > highest) highest = bars[bar];
        }
        if (highest > 0.01) { for (let bar = 0; bar < count; bar++) bars[bar] /= highest; }
        return bars;
    }
}
