/**
 * The parts of a download other than the audio file, with their paths on the host.
 *
 * `name` is the key in the store; parts without `isNeeded` are optional.
 */
export const TRACK_PARTS = [
    { name: 'segments.json', path: (id) => `/tracks/${id}/segments.json`, isNeeded: true },
    { name: 'analysis', path: (id) => `/tracks/${id}/analysis` },
    { name: 'waveform', path: (id) => `/tracks/${id}/waveform?format=dat&missing=empty` },
    { name: 'visualizer', path: (id) => `/tracks/${id}/visualizer?format=binary&missing=empty` },
    { name: 'lyrics', path: (id) => `/tracks/${id}/lyrics?missing=empty` },
    { name: 'cover', path: (id) => `/tracks/${id}/cover?size=512&missing=empty` },
];

/**
 * Returns the part that a path refers to; null for any other path.
 * @param {string} path
 * @returns {{id: number, name: string} | null}
 */
export function partAt(path) {
    const file = /^\/(?:api\/files|tracks)\/(\d+)\/(?:stream|audio\.mp[34])(?:\?|$)/.exec(path);
    if (file) return { id: Number(file[1]), name: 'file' };
    const part = /^\/tracks\/(\d+)\/(segments\.json|analysis|waveform|visualizer|lyrics|cover)(\?|$)/.exec(path);
    return part ? { id: Number(part[1]), name: part[2] } : null;
}
