const BIT_RATES = {
    3: [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
    2: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
};
const RATES = [44100, 48000, 32000];

/**
 * Returns the length of the frame whose header is at an offset (ISO/IEC 11172-3, 2.4.1.3); 0 if there is no valid header.
 * @param {Uint8Array} bytes
 * @param {number} at
 */
export function frameLength(bytes, at) {
    if (at + 4 > bytes.length || bytes[at] !== 0xff || (bytes[at + 1] & 0xe6) !== 0xe2) return 0;
    const version = (bytes[at + 1] >> 3) & 3;
    const rate = RATES[(bytes[at + 2] >> 2) & 3];
    const kilobits = BIT_RATES[version === 3 ? 3 : 2][bytes[at + 2] >> 4];
    if (version === 1 || !rate || !kilobits) return 0;
    const divisor = version === 3 ? 1 : version === 2 ? 2 : 4;
    const padding = (bytes[at + 2] >> 1) & 1;
    return Math.floor(((version === 3 ? 144 : 72) * kilobits * 1000 * divisor) / rate) + padding;
}

/**
 * Returns the frames of a run without any bytes between them, which decoders handle differently.
 * @param {Uint8Array} bytes starts and ends with a frame
 * @param {number} count number of frames
 * @returns {Uint8Array[]} views into `bytes`
 */
export function framesOf(bytes, count) {
    const frames = [];
    let at = 0;
    let isAfterFrame = true;
    while (frames.length < count && at < bytes.length) {
        const length = frameLength(bytes, at);
        const end = at + length;
        // After junk, a header counts only if another one or the end follows the frame.
        if (length > 0 && end <= bytes.length && (isAfterFrame || end === bytes.length || frameLength(bytes, end) > 0)) {
            frames.push(bytes.subarray(at, end));
            at = end;
            isAfterFrame = true;
        } else {
            at += 1;
            isAfterFrame = false;
        }
    }
    return frames;
}
