import { PlaybackError } from './playback-error.js';
import { receive } from './receive.js';
import { t } from '../../texts/text.js';

/**
 * Downloads a run of segments with one range request for the file, and stores each segment as soon as it is complete.
 *
 * @param {object} job
 * @param {import('./receive.js').Receiving['client']} job.client
 * @param {number} job.trackId
 * @param {import('./track-bytes.js').TrackBytes} job.bytes
 * @param {number} job.from number of the first segment
 * @param {number} job.to number of the last segment
 * @param {AbortSignal} job.signal
 * @param {import('./bandwidth.js').Bandwidth} job.bandwidth
 * @param {number} job.silenceSeconds timeout without data
 * @param {(number: number) => void} job.onSegment
 * @param {() => boolean} [job.isWanted] called for each chunk: whether the rest is still wanted
 */
export async function downloadSegments({ trackId, bytes, from, to, onSegment, isWanted = () => true, ...connection }) {
    const [first, end] = bytes.range(from, to);
    const isWhole = await receive({
        ...connection,
        path: bytes.index.fileAddress(trackId),
        headers: { Range: `bytes=${first}-${end - 1}` },
    }, (response) => {
        const skip = response.status === 206 ? startOf(response, first) : first;
        const cutter = new SegmentCutter(bytes, from, to, first, skip, onSegment);
        return (piece) => {
            cutter.take(piece);
            return !cutter.isDone && isWanted();
        };
    });
    if (!isWhole) {
        connection.client.doubt?.();
        throw new PlaybackError('offline', t('No Connection'));
    }
}

/** Splits a stream of bytes into segments. */
class SegmentCutter {
    constructor(bytes, from, to, first, skip, onSegment) {
        this.bytes = bytes;
        this.number = from;
        this.to = to;
        this.skip = skip;
        this.onSegment = onSegment;
        this.begin = first;
        this.buffer = null;
        this.previous = undefined;
        this.filled = 0;
    }

    get isDone() {
        return this.number > this.to;
    }

    /** @param {Uint8Array} piece */
    take(piece) {
        let rest = piece.subarray(Math.min(this.skip, piece.length));
        this.skip -= piece.length - rest.length;
        while (rest.length > 0 && !this.isDone) {
            const end = this.bytes.index.segments[this.number].endByte;
            this.buffer ??= new Uint8Array(end - this.begin);
            const count = Math.min(rest.length, this.buffer.length - this.filled);
            this.buffer.set(rest.subarray(0, count), this.filled);
            this.filled += count;
            this.bytes.arriving = { number: this.number, share: this.filled / this.buffer.length };
            rest = rest.subarray(count);
            if (this.filled < this.buffer.length) continue;
            this.bytes.put(this.number, this.buffer, this.previous);
            this.previous = this.buffer;
            this.onSegment(this.number);
            this.number += 1;
            this.begin = end;
            this.buffer = null;
            this.filled = 0;
        }
    }
}

function startOf(response, first) {
    const range = /^bytes (\d+)-/.exec(response.headers.get('Content-Range') ?? '');
    if (range && Number(range[1]) !== first) throw PlaybackError.badAnswer(t('the file'));
    return 0;
}
