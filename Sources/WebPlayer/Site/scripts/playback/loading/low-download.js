import { joinedBytes, withoutTag } from './bytes.js';
import { frameLength, framesOf } from './mp3-frames.js';
import { PlaybackError } from './playback-error.js';
import { receive } from './receive.js';
import { t } from '../../texts/text.js';

/**
 * @typedef {{trackId: number, bytes: import('./track-bytes.js').TrackBytes, number: number, quality: 'high' | 'low', onSegment: (number: number) => void} & Omit<import('./receive.js').Receiving, 'path'>} LowJob
 *     as for `downloadSegments`, with the number of the segment and its quality
 */

/**
 * Downloads a segment in a lower quality.
 *
 * None of its frames needs bytes of other frames, so the previous frame is all the pre-roll that its decoder needs.
 *
 * @param {LowJob} job
 */
export async function downloadLowSegment(job) {
    await (job.bytes.index.converted ? downloadConverted(job) : downloadAligned(job));
}

/** Downloads the MP3 frames that contain a segment of another format. @param {LowJob} job */
async function downloadConverted({ trackId, bytes, number, quality, onSegment, ...connection }) {
    const { index } = bytes;
    const { rate, samplesPerFrame, segmentFrames } = /** @type {NonNullable<typeof index.converted>} */ (index.converted);
    const { first, end, skip } = index.convertedFrames(number);
    const query = `quality=${quality}&frames=${first}-${end}&v=${index.audioHash}`;
    const parts = [];
    // Usually one: only very long frames of the original need more.
    for (let each = 0; each * segmentFrames < end - first; each++) {
        parts.push(withoutTag(await whole({ ...connection, path: `/tracks/${trackId}/segments/${each}.mp3?${query}` })));
    }
    bytes.putLow(number, joinedBytes(parts), {
        quality,
        prerollFrames: 1,
        frames: end - first - 1,
        skip: skip - samplesPerFrame,
        coded: { rate, samplesPerFrame },
    });
    onSegment(number);
}

/** Downloads a segment whose frames are at the same positions as those of the index. @param {LowJob} job */
async function downloadAligned({ trackId, bytes, number, quality, onSegment, ...connection }) {
    const path = (each) => `/tracks/${trackId}/segments/${each}.mp3?quality=${quality}&v=${bytes.index.audioHash}`;
    let own;
    try {
        own = withoutTag(await whole({ ...connection, path: path(number) }));
    } catch (error) {
        // The track is already small and has no low quality. The original is requested next.
        if (error?.status !== 422 || bytes.index.isConverted) throw error;
        bytes.hasLow = false;
        return;
    }
    let frame = null;
    if (number > 0) {
        const length = frameLength(own, 0);
        frame = bytes.qualityOf(number - 1) === quality
            ? lastFrame(bytes.get(number - 1), length)
            : lastFrame(await whole({ ...connection, path: path(number - 1), headers: { Range: `bytes=-${length + 1}` } }), length);
    }
    bytes.putLow(number, frame ? joinedBytes([frame, own]) : own, { quality, prerollFrames: frame ? 1 : 0 });
    onSegment(number);
}

/** Downloads a complete response body. */
async function whole(request) {
    const pieces = [];
    let expected = null;
    await receive(request, (response) => {
        expected = response.headers.get('Content-Length');
        return (piece) => {
            pieces.push(piece);
            return true;
        };
    });
    const bytes = joinedBytes(pieces);
    if (expected !== null && Number(expected) !== bytes.length) throw new PlaybackError('offline', t('No Connection'));
    return bytes;
}

/** Returns the last frame of a run of frames with a constant bit rate, which differ by at most one byte of padding. */
function lastFrame(bytes, length) {
    for (const each of [length, length + 1, length - 1]) {
        const at = bytes.length - each;
        if (at >= 0 && frameLength(bytes, at) === each) return framesOf(bytes.subarray(at), 1)[0];
    }
    return null;
}
