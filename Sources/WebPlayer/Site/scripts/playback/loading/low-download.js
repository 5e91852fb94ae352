import { frameLength, framesOf } from './mp3-frames.js';
import { PlaybackError } from './playback-error.js';
import { receive } from './receive.js';

/**
 * Downloads a segment in low quality. Its frames are at the same positions as the original's.
 *
 * None of its frames needs bytes of other frames, so the previous frame is all the pre-roll that its decoder needs.
 *
 * @param {{trackId: number, bytes: import('./track-bytes.js').TrackBytes, number: number, onSegment: (number: number) => void} & Omit<import('./receive.js').Receiving, 'path'>} job
 *     as for `downloadSegments`, with the number of the segment
 */
export async function downloadLowSegment({ trackId, bytes, number, onSegment, ...connection }) {
    const path = (each) => `/tracks/${trackId}/segments/${each}.mp3?quality=low&v=${bytes.index.audioHash}`;
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
        frame = bytes.isLow(number - 1)
            ? lastFrame(bytes.get(number - 1), length)
            : lastFrame(await whole({ ...connection, path: path(number - 1), headers: { Range: `bytes=-${length + 1}` } }), length);
    }
    bytes.putLow(number, frame ? joined(frame, own) : own, frame ? 1 : 0);
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
    const bytes = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
    let offset = 0;
    for (const piece of pieces) {
        bytes.set(piece, offset);
        offset += piece.length;
    }
    if (expected !== null && Number(expected) !== bytes.length) throw new PlaybackError('offline', 'No Connection');
    return bytes;
}

/** Removes the timestamp before a segment's frames (ID3v2.4, 3.1: the size has 7 bits per byte). */
function withoutTag(bytes) {
    if (String.fromCharCode(...bytes.subarray(0, 3)) !== 'ID3') return bytes;
    const size = bytes.subarray(6, 10).reduce((sum, byte) => sum * 128 + byte, 0);
    return bytes.subarray(10 + size);
}

/** Returns the last frame of a run of frames with a constant bit rate, which differ by at most one byte of padding. */
function lastFrame(bytes, length) {
    for (const each of [length, length + 1, length - 1]) {
        const at = bytes.length - each;
        if (at >= 0 && frameLength(bytes, at) === each) return framesOf(bytes.subarray(at), 1)[0];
    }
    return null;
}

function joined(frame, own) {
    const bytes = new Uint8Array(frame.length + own.length);
    bytes.set(frame);
    bytes.set(own, frame.length);
    return bytes;
}
