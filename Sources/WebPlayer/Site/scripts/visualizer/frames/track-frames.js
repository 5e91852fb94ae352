/** A frame file that is not what the host's `/tracks/:id/visualizer` gives. */
export class FrameFormatError extends Error {
    name = 'FrameFormatError';
}

/**
 * The visualizer frames of one track, as the host keeps them: one flat matrix of levels, a row a frame.
 *
 * A level is on a dB scale: 0 is the floor (−90 dBFS) or below, 255 a full-scale sine. Frame k is the music at k / framesPerSecond.
 */
export class TrackFrames {
    /**
     * @param {Uint8Array} levels row by row
     * @param {number} bandCount levels a row, from low to high on a logarithmic scale of frequencies
     * @param {number} framesPerSecond
     */
    constructor(levels, bandCount, framesPerSecond) {
        this.levels = levels;
        this.bandCount = bandCount;
        this.framesPerSecond = framesPerSecond;
        this.frameCount = Math.floor(levels.length / bandCount);
    }

    /**
     * Reads the host's binary form. The matrix stays where it is in the buffer.
     *
     * @param {ArrayBuffer} buffer 32 bytes of header ("AVF1", little-endian) and the matrix
     * @returns {TrackFrames}
     * @throws {FrameFormatError} where it is no such file, or is cut short
     */
    static parse(buffer) {
        if (buffer.byteLength < 32) throw new FrameFormatError('The frames end within their header.');
        const header = new DataView(buffer);
        if (header.getUint32(0, false) !== 0x41564631) throw new FrameFormatError('These are no visualizer frames.');
        const start = header.getUint32(4, true);
        const frameCount = header.getUint32(8, true);
        const bandCount = header.getUint32(12, true);
        const framesPerSecond = header.getFloat32(16, true);
        const isFloat = header.getUint8(20) === 1;
        if (!(framesPerSecond > 0) || !(bandCount > 0 && bandCount <= 1024) || start < 32) {
            throw new FrameFormatError('The frames\' header makes no sense.');
        }
        const count = frameCount * bandCount;
        if (start + count * (isFloat ? 4 : 1) > buffer.byteLength) throw new FrameFormatError('The frames are cut short.');
        if (!isFloat) return new TrackFrames(new Uint8Array(buffer, start, count), bandCount, framesPerSecond);
        const levels = new Uint8Array(count);
        for (let index = 0; index < count; index++) {
            levels[index] = Math.round(255 * header.getFloat32(start + 4 * index, true));
        }
        return new TrackFrames(levels, bandCount, framesPerSecond);
    }

    /** Bytes that the matrix takes. */
    get byteCount() {
        return this.levels.length;
    }

    /**
     * The frame that belongs to a moment, with the fraction of the way to the next one.
     *
     * @param {number} seconds from the beginning of the track
     * @returns {number} from 0 to frameCount − 1
     */
    placeAt(seconds) {
        const place = seconds * this.framesPerSecond;
        return place > 0 ? Math.min(place, this.frameCount - 1) : 0;
    }

    /**
     * Copies the levels of a moment, from 0 to 1, into an array that is there already; between two frames in proportion.
     *
     * @param {number} seconds from the beginning of the track
     * @param {Float32Array} target one element a band
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
     * The mean levels of the whole track, from 0 to 1: what a picture shows that does not move.
     *
     * @param {Float32Array} target one element a band
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
