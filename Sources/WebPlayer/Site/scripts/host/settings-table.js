import { LANGUAGES } from '../texts/text.js';

/**
 * A setting: the value that it has until the user chooses one, and the rule for values from outside, such as an imported file.
 *
 * @typedef {object} Setting
 * @property {string | number | boolean} initial
 * @property {(value: unknown) => boolean} allows
 * @property {string} text describes the allowed values
 * @property {number} [least] of a number
 * @property {number} [most] of a number
 */

/** @param {...string} values the first one is the initial one @returns {Setting} */
const oneOf = (...values) => ({
    initial: values[0],
    allows: (value) => values.includes(/** @type {string} */ (value)),
    text: `one of ${values.join(', ')}`,
});

/** @param {number} initial @param {number} least @param {number} most @returns {Setting} */
const number = (initial, least, most) => ({
    initial,
    least,
    most,
    allows: (value) => typeof value === 'number' && value >= least && value <= most,
    text: `a number from ${least} to ${most}`,
});

/** @param {boolean} initial @returns {Setting} */
const flag = (initial) => ({ initial, allows: (value) => typeof value === 'boolean', text: 'true or false' });

/** @param {string} initial names of columns, some with a width in pixels @returns {Setting} */
const columns = (initial) => ({
    initial,
    allows: (value) => typeof value === 'string' && /^([a-z]+(:\d{1,4})?( |$))*$/.test(value) && value.length < 400,
    text: `names of columns such as ${initial}`,
});

/** @returns {Setting} */
const order = () => ({
    initial: '',
    allows: (value) => typeof value === 'string' && /^(-?[a-z]+)?$/.test(value) && value.length < 40,
    text: 'the name of a column, with a minus for the descending order, or nothing',
});

/** The views with a track table, and their columns until the user chooses others. */
const TABLES = {
    songs: 'title artist album year bpm key duration',
    album: 'title artist bpm key duration',
    playlist: 'title artist album bpm key duration',
    artist: 'title album year bpm key duration',
    genre: 'title artist album year bpm key duration',
    favourites: 'title artist album rating bpm key duration',
    other: 'title artist album bpm key duration',
};

/** @param {string} initial `#rrggbb` @returns {Setting} */
const colour = (initial) => ({
    initial,
    allows: (value) => typeof value === 'string' && /^#[0-9a-f]{6}$/i.test(value),
    text: `a colour such as ${initial}`,
});

/** Range of the playback speed; the pitch is preserved. */
export const SPEED = Object.freeze({ least: 0.5, most: 3 });

/** @param {string} scope @param {number} points @param {number} viscosity @returns {Record<string, Setting>} */
const look = (scope, points, viscosity) =>
    Object.fromEntries(
        Object.entries({
            enabled: flag(true),
            style: oneOf('wave', 'siri', 'bar', 'line'),
            points: number(points, 8, 64),
            sensitivity: number(0.5, 0, 1),
            viscosity: number(viscosity, 0, 1),
            colour: oneOf('cover', 'cycle', 'custom'),
            hueSeconds: number(30, 2, 600),
            customColour: colour('#8a5cff'),
        }).map(([name, setting]) => [`visualizer.${scope}.${name}`, setting]),
    );

/** All settings of the page. @type {Readonly<Record<string, Setting>>} */
export const SETTINGS = Object.freeze({
    'appearance.language': oneOf('auto', ...Object.keys(LANGUAGES)),
    'appearance.theme': oneOf('system', 'light', 'dark'),
    'appearance.density': oneOf('comfortable', 'compact'),
    'playback.quality': oneOf('auto', 'original', 'low'),
    'playback.gapless': flag(true),
    'playback.crossfade': flag(false),
    'playback.crossfadeSeconds': number(6, 1, 12),
    'playback.crossfadeStyle': oneOf('plan', 'always', 'mix'),
    'playback.crossfadeOnlyWhenItFits': flag(false),
    'playback.normalization': oneOf('auto', 'track', 'album', 'off'),
    'playback.targetLUFS': number(-16, -40, 0),
    'playback.skipSilence': flag(false),
    'playback.speed': number(1, SPEED.least, SPEED.most),
    'playback.volume': number(1, 0, 1),
    'playback.resume': flag(true),
    'playback.reportPlays': flag(true),
    'library.sort.songs': oneOf('title', 'artist', 'album', 'added', 'bpm'),
    ...Object.fromEntries(
        Object.entries(TABLES).flatMap(([view, names]) => [
            [`library.columns.${view}`, columns(names)],
            [`library.order.${view}`, order()],
        ]),
    ),
    'library.sort.albums': oneOf('title', 'artist', 'year', 'added'),
    'console.enabled': flag(false),
    ...look('full', 32, 0.45),
    ...look('mini', 16, 0.55),
});
