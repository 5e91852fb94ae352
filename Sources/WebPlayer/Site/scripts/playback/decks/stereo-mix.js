const HALF = Math.SQRT1_2;

/**
 * The share of each channel in the left of a stereo mix, by number of channels in the order of FLAC (RFC 9639, 9.1.3), and in the
 * right: BS.775-3, table 2, with 1/√2 for centre and surrounds and without low-frequency effects.
 * @type {Record<number, [number[], number[]]>}
 */
const SHARES = {
    3: [[1, 0, HALF], [0, 1, HALF]],
    4: [[1, 0, HALF, 0], [0, 1, 0, HALF]],
    5: [[1, 0, HALF, HALF, 0], [0, 1, HALF, 0, HALF]],
    6: [[1, 0, HALF, 0, HALF, 0], [0, 1, HALF, 0, 0, HALF]],
    7: [[1, 0, HALF, 0, 0.5, HALF, 0], [0, 1, HALF, 0, 0.5, 0, HALF]],
    8: [[1, 0, HALF, 0, HALF, 0, HALF, 0], [0, 1, HALF, 0, 0, HALF, 0, HALF]],
};

/**
 * Mixes more than two channels to stereo as the host does, so that measured levels hold: scaled so that full scale in all channels
 * does not exceed full scale.
 * @param {Float32Array[]} channels
 * @returns {Float32Array[]} one or two channels
 */
export function stereoOf(channels) {
    const shares = SHARES[channels.length];
    if (!shares) return channels.slice(0, 2);
    const scale = 1 / shares[0].reduce((sum, share) => sum + share, 0);
    return shares.map((side) => {
        const mix = new Float32Array(channels[0].length);
        side.forEach((share, channel) => {
            if (share === 0) return;
            const samples = channels[channel];
            for (let i = 0; i < mix.length; i++) mix[i] += samples[i] * share * scale;
        });
        return mix;
    });
}
