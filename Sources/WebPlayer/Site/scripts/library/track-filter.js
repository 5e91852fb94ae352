/**
 * Conditions that all shown tracks meet; empty ones are ignored.
 *
 * @typedef {object} TrackFilter
 * @property {string} genre
 * @property {string} yearFrom
 * @property {string} yearTo
 * @property {string} bpmFrom
 * @property {string} bpmTo
 * @property {string} key in Camelot notation
 * @property {boolean} withNeighbours whether keys that harmonise with `key` match, too
 * @property {string} rating the least rating
 * @property {boolean} damagedFrames whether only files with damaged frames are shown, as the host's rules name them
 */

/** A filter that all tracks pass. @returns {TrackFilter} */
export const noFilter = () => ({
    genre: '',
    yearFrom: '',
    yearTo: '',
    bpmFrom: '',
    bpmTo: '',
    key: '',
    withNeighbours: true,
    rating: '',
    damagedFrames: false,
});

/** All keys in Camelot notation, in the order of the wheel. */
export const KEYS = Object.freeze(Array.from({ length: 24 }, (_, index) => `${(index >> 1) + 1}${index % 2 ? 'B' : 'A'}`));

/**
 * Returns a key and those that harmonise with it on the Camelot wheel: one step around, and the relative key.
 * @param {string} key
 */
export function neighbours(key) {
    const number = Number.parseInt(key, 10);
    const ring = key.slice(-1);
    const around = (step) => `${(number + step + 11) % 12 + 1}${ring}`;
    return [key, around(-1), around(1), `${number}${ring === 'A' ? 'B' : 'A'}`];
}

/**
 * Returns the function that decides whether a track passes; null if all do.
 * @param {TrackFilter} filter
 * @param {(id: number) => number} ratingOf
 * @returns {((track: any) => boolean) | null}
 */
export function passing(filter, ratingOf) {
    /** @type {((track: any) => boolean)[]} */
    const tests = [];
    const range = (from, to, value) => {
        // A track without the value is in no range.
        if (from !== '') tests.push((track) => value(track) >= Number(from));
        if (to !== '') tests.push((track) => value(track) <= Number(to));
    };
    if (filter.genre) tests.push((track) => track.genre === filter.genre);
    range(filter.yearFrom, filter.yearTo, (track) => track.year);
    // As the table shows it: without decimals.
    range(filter.bpmFrom, filter.bpmTo, (track) => Math.round(track.bpm));
    if (filter.key) {
        const keys = new Set(filter.withNeighbours ? neighbours(filter.key) : [filter.key]);
        tests.push((track) => keys.has(track.key_camelot));
    }
    if (filter.rating) tests.push((track) => ratingOf(track.id) >= Number(filter.rating));
    if (filter.damagedFrames) tests.push((track) => track.damaged_frame_count > 0);
    return tests.length ? (track) => tests.every((test) => test(track)) : null;
}

/**
 * Returns the rules of a smart playlist with the tracks that pass a filter.
 * @param {TrackFilter} filter
 * @returns {import('./smart-rules.js').Rules}
 */
export function rulesOfFilter(filter) {
    const all = [];
    const range = (field, from, to, margin) => {
        if (from !== '') all.push({ gt: { [field]: Number(from) - margin } });
        if (to !== '') all.push({ lt: { [field]: Number(to) + margin } });
    };
    if (filter.genre) all.push({ is: { genre: filter.genre } });
    range('year', filter.yearFrom, filter.yearTo, 1);
    range('bpm', filter.bpmFrom, filter.bpmTo, 0.5);
    if (filter.key) all.push({ is: { camelot: filter.withNeighbours ? neighbours(filter.key) : filter.key } });
    if (filter.rating) all.push({ gt: { rating: Number(filter.rating) - 1 } });
    if (filter.damagedFrames) all.push({ gt: { damagedFrames: 0 } });
    return { all };
}
