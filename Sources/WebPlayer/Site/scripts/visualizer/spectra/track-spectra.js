/** Visualizer data that is not in the format of the host's `/tracks/:id/visualizer`. */
export class FrameFormatError extends Error {
    /** @override */
    name = 'FrameFormatError';
}

/**
 * The spectra of a track as the host stores them: a matrix of levels, one row per spectrum.
 *
 * Levels are on a dB scale: 0 is −90 dBFS or below, 255 a full-scale sine. Row k is the spectrum at k / framesPerSecond.
 */
export class TrackSpectra {
    /**
     * @param {Uint8Array} levels row by row
     * @param {number} bandCount levels per row, from low to high on a logarithmic frequency scale
     * @param {number} framesPerSecond
     */
    constructor(levels, bandCount, framesPerSecond) {
        this.levels = levels;
        this.bandCount = bandCount;
        this.framesPerSecond = framesPerSecond;
        this.frameCount = Math.floor(levels.length / bandCount);
    }

    /**
     * Parses the host's binary format. A matrix of bytes is not copied; floats are converted to bytes.
     *
     * @param {ArrayBuffer} buffer header of 32 bytes ("AVF1", little-endian) and matrix
     * @returns {TrackSpectra}
     * @throws {FrameFormatError} if the format is wrong or the data is truncated
     */
    static parse(buffer) {
        if (buffer.byteLength < 32) throw new FrameFormatError('The visualizer data is shorter than its header.');
        const header = new DataView(buffer);
        if (header.getUint32(0, false) !== 0x41564631) throw new FrameFormatError('Not visualizer data.');
        const start = header.getUint32(4, true);
        const frameCount = header.getUint32(8, true);
        const bandCount = header.getUint32(12, true);
        const framesPerSecond = header.getFloat32(16, true);
        const isFloat = header.getUint8(20) === 1;
        if (!(framesPerSecond > 0) || !(bandCount > 0 && bandCount <= 1024) || start < 32) {
            throw new FrameFormatError('The visualizer data has an invalid header.');
        }
        const count = frameCount * bandCount;
        if (start + count * (isFloat ? 4 : 1) > buffer.byteLength) throw new FrameFormatError('The visualizer data is truncated.');
        if (!isFloat) return new TrackSpectra(new Uint8Array(buffer, start, count), bandCount, framesPerSecond);
        const levels = new Uint8Array(count);
        for (let index = 0; index < count; index++) {
            levels[index] = Math.round(255 * header.getFloat32(start + 4 * index, true));
        }
        return new TrackSpectra(levels, bandCount, framesPerSecond);
    }

    /** Size of the matrix in bytes. */
    get byteCount() {
        return this.levels.length;
    }

    /**
     * Returns the row for a time, with the fraction of the way to the next one.
     *
     * @param {number} seconds from the start of the track
     * @returns {number} from 0 to frameCount − 1
     */
    placeAt(seconds) {
        const place = seconds * this.framesPerSecond;
        return place > 0 ? Math.min(place, this.frameCount - 1) : 0;
    }

    /**
     * Copies the levels at a time, from 0 to 1, into an existing array; interpolated between rows.
     *
     * @param {number} seconds from the start of the track
     * @param {Float32Array} target one element per band
     */
    copyInto(seconds, target) {
        const { levels, bandCount } = this;
        if (this.frameCount === 0) {
            target.fill(0);
            return;
        }
        const place = this.placeAt(seconds);
        const row = Math.floor(place);
        const next = (place - row) / 255;
        const here = 1 / 255 - next;
        const first = row * bandCount;
        const second = row + 1 < this.frameCount ? first + bandCount : first;
        for (let band = 0; band < bandCount; band++) {
            target[band] = levels[first + band] * here + levels[second + band] * next;
        }
    }

    /**
     * Copies the mean levels of the whole track, from 0 to 1, for a still picture.
     *
     * @param {Float32Array} target one element per band
     */
    copyMeanInto(target) {
        const { levels, bandCount, frameCount } = this;
        target.fill(0);
        for (let frame = 0, index = 0; frame < frameCount; frame++) {
            for (let band = 0; band < bandCount; band++, index++) target[band] += levels[index];
        }
        for (let band = 0; band < bandCount; band++) target[band] /= 255 * Math.max(1, frameCount);
    }
}
