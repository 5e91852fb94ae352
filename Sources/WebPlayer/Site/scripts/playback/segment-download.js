import { PlaybackError } from './playback-error.js';

/**
 * Fetches a run of segments by one range of the original file, and puts each into its place as soon as it is whole.
 *
 * @param {object} job
 * @param {{fetch: (path: string, init: RequestInit) => Promise<Response>}} job.client
 * @param {number} job.trackId
 * @param {import('./track-bytes.js').TrackBytes} job.bytes
 * @param {number} job.from number of the first segment
 * @param {number} job.to number of the last one
 * @param {AbortSignal} job.signal
 * @param {import('./bandwidth.js').Bandwidth} job.bandwidth
 * @param {number} job.silenceSeconds how long no data may come before the connection counts as lost
 * @param {(number: number) => void} job.onSegment
 */
export async function downloadSegments({ client, trackId, bytes, from, to, signal, bandwidth, silenceSeconds, onSegment }) {
    const [first, end] = bytes.range(from, to);
    const silence = new AbortController();
    const stop = () => silence.abort(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    let timer;
    const heard = () => {
        clearTimeout(timer);
        timer = setTimeout(() => silence.abort(new PlaybackError('timeout', 'Connection timed out - Retrying…')), silenceSeconds * 1000);
    };
    bandwidth.begin();
    try {
        heard();
        const response = await client.fetch(`/api/files/${trackId}/stream`, {
            headers: { Range: `bytes=${first}-${end - 1}` }, signal: silence.signal, cache: 'no-store',
        });
        if (!response.ok) throw Object.assign(new Error(`The host answered ${response.status}.`), { kind: kindOf(response.status), status: response.status });
        const skip = response.status === 206 ? startOf(response, first) : first;
        await read(response, silence.signal, heard, bandwidth, new SegmentCutter(bytes, from, to, first, skip, onSegment));
    } catch (error) {
        // A fetch that is given up tells why in the signal; some browsers throw a bare AbortError.
        throw silence.signal.aborted && !signal.aborted ? silence.signal.reason : error;
    } finally {
        clearTimeout(timer);
        bandwidth.end();
        signal.removeEventListener('abort', stop);
    }
}

/** Takes a stream of bytes apart into segments. */
class SegmentCutter {
    constructor(bytes, from, to, first, skip, onSegment) {
        Object.assign(this, { bytes, number: from, to, skip, onSegment });
        this.begin = first;
        this.buffer = null;
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
            rest = rest.subarray(count);
            if (this.filled < this.buffer.length) continue;
            this.bytes.put(this.number, this.buffer);
            this.onSegment(this.number);
            this.number += 1;
            this.begin = end;
            this.buffer = null;
            this.filled = 0;
        }
    }
}

/** Reads an answer's body to its end, or until it is given up. */
async function read(response, signal, heard, bandwidth, cutter) {
    const reader = response.body.getReader();
    const leave = () => reader.cancel(signal.reason).catch(() => {});
    signal.addEventListener('abort', leave, { once: true });
    try {
        while (!cutter.isDone) {
            const { done, value } = await reader.read();
            signal.throwIfAborted();
            if (done) break;
            heard();
            bandwidth.add(value.length);
            cutter.take(value);
        }
    } finally {
        signal.removeEventListener('abort', leave);
        leave();
    }
    if (!cutter.isDone) throw new PlaybackError('offline', 'No Connection');
}

function startOf(response, first) {
    const range = /^bytes (\d+)-/.exec(response.headers.get('Content-Range') ?? '');
    if (range && Number(range[1]) !== first) throw PlaybackError.badAnswer('the file');
    return 0;
}

function kindOf(status) {
    if (status === 401) return 'unauthorized';
    if (status === 403) return 'forbidden';
    if (status === 404 || status === 410) return 'not-found';
    if (status === 409) return 'conflict';
    if (status === 408) return 'timeout';
    return status >= 500 ? 'server' : 'bad-answer';
}
