import { fromBase64 } from '../loading/bytes.js';

/**
 * Two short streams of bare frames, each silence with a single click. `peak` is the position of the largest sample in the output
 * of mpg123 (`--no-gapless`) and ffmpeg (`-flags2 +skip_manual`), counted from the first sample of the first frame.
 */
const CLICKS = [
    {
        // MPEG-1, 44.1 kHz, mono, 32 kbit/s.
        rate: 44100,
        samplesPerFrame: 1152,
        frames: 7,
        peak: 4638,
        data: '//sQxAADwAABpAAAACAAADSAAAAETEFNRTMuMTAwAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' +
            'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAD/+xLEAAPAAAGkAAAAIAAANIAAAARMQU1FMy4xMDAAAAAAAAAAAAAAAAAAAAAA' +
            'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAD/+xDEAAPAAAGkAAAAIAAA' +
            'NIKAAARMQU1FMy4xMDAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' +
            'AAAAAAAAAAAAAAAAAP/7EsQAAAUkm1IY1oAAqpAsgw6gAPJhI+MGG/4nhQ8lR5fhzAdgm/+JWIseA9//DnkQYATgv//qMETcpnP0' +
            'A6AavA4LeBcClMCiErwNiDDWb4KgFgxAkXTxoDUIkLkVEp/FsmHpEDf4BP/7EMQAA8AAAaQcAAAgAAA0gAAABExBTUUzLjEwMAAA' +
            'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA//sS' +
            'xAADwAABpAAAACAAADSAAAAETEFNRTMuMTAwAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' +
            'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA//sQxAADwAABpAAAACAAADSAAAAETEFNRTMuMTAwAAAAAAAAAAAAAAAAAAAAAAAA' +
            'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=',
    },
    {
        // MPEG-2, 22.05 kHz, mono, 16 kbit/s.
        rate: 22050,
        samplesPerFrame: 576,
        frames: 8,
        peak: 2910,
        data: '//MgxAAAAANIAAAAAExBTUUzLjEwMAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAP/zIsQAAAADSAAAAABMQU1FMy4xMDAA' +
            'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA//MgxAAAAANIAUAAAExBTUUzLjEwMAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' +
            'AAAAAAAAAP/zIMQACaFGqAGKaAHyAVfBrAj8LgafkqSwwH4TgY4y/8W48CXEz/8qHgMgvq//0ETc3kD/8yDEAAlJCtABhzgBEoHv' +
            'hYVeJYSUwGgSAn+KwYGlrwBgVBYW0TwmEkRRwb/+SInBaiYA//MixAAAAANIAcAAAExBTUUzLjEwMAAAAAAAAAAAAAAAAAAAAAAA' +
            'AAAAAAAAAAAAAAAAAAD/8yDEAAAAA0gAAAAATEFNRTMuMTAwAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA//MgxAAAAANI' +
            'AAAAAExBTUUzLjEwMAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA==',
    },
];

/**
 * How many samples a browser's decoder removes from bare frames.
 *
 * @typedef {object} Trimming
 * @property {number} head samples at the beginning
 * @property {number} tail samples at the end
 */

/**
 * Measures how many samples this browser's decoder removes, using frames with known content.
 *
 * No specification says whether a browser removes the decoder delay (529 samples), an assumed encoder delay, or nothing from
 * frames without a LAME tag; a wrong assumption would shift every join. So a click at a known position is decoded.
 *
 * @param {(bytes: ArrayBuffer, rate: number, channels: number) => Promise<AudioBuffer>} decode
 * @param {number} samplesPerFrame 1152 for MPEG-1, 576 for MPEG-2 and 2.5
 * @returns {Promise<Trimming>}
 */
export async function measureTrimming(decode, samplesPerFrame) {
    const click = CLICKS.find((each) => each.samplesPerFrame === samplesPerFrame) ?? CLICKS[0];
    const bytes = fromBase64(click.data);
    const samples = (await decode(bytes.buffer, click.rate, 1)).getChannelData(0);
    let peak = 0;
    for (let i = 1; i < samples.length; i++) if (samples[i] > samples[peak]) peak = i;
    const head = click.peak - peak;
    return { head, tail: click.frames * click.samplesPerFrame - samples.length - head };
}
