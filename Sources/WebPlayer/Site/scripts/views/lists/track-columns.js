import { clock, dayText } from '../parts/texts.js';
import { artistOf, plain, titleOf } from '../../library/track-text.js';
import { t } from '../../texts/text.js';

/** @typedef {Pick<import('../../app.js').App, 'favourites' | 'plays'>} Parts what this module uses of the page */

/**
 * A column of the track table.
 *
 * @typedef {object} Column
 * @property {string} name
 * @property {string} label in the table's head
 * @property {number} width in pixels, until the user chooses another one; the title takes what is left
 * @property {(track: any, app: Parts) => string} text what a row shows
 * @property {(track: any, app: Parts) => string | number | null} order the value to sort by; null sorts last
 * @property {boolean} [isEnd] whether its texts are aligned to the right
 */

const decimals = (number, count) => (Number.isFinite(number) ? number.toFixed(count) : '');
const number = (value) => (Number.isFinite(value) ? value : null);

/** Position of a key on the Camelot wheel: neighbours on the wheel are neighbours in the order. */
function wheel(camelot) {
    return camelot ? Number.parseInt(camelot, 10) * 2 + (camelot.endsWith('B') ? 1 : 0) : null;
}

/** Returns all columns, in the order that tables have until the user moves them. @returns {Column[]} */
export const allColumns = () => [
    {
        name: 'number',
        label: t('No.'),
        width: 52,
        text: (track) => String(track.track_number ?? ''),
        order: (track) => (track.track_number ? (track.disc_number ?? 1) * 10_000 + track.track_number : null),
        isEnd: true,
    },
    { name: 'title', label: t('Title'), width: 0, text: titleOf, order: (track) => plain(titleOf(track)) },
    { name: 'artist', label: t('Artist'), width: 190, text: artistOf, order: (track) => plain(track.artist) || null },
    {
        name: 'album',
        label: t('Album'),
        width: 190,
        text: (track) => track.album ?? '',
        order: (track) => plain(track.album) || null,
    },
    {
        name: 'genre',
        label: t('Genre'),
        width: 110,
        text: (track) => track.genre ?? '',
        order: (track) => plain(track.genre) || null,
    },
    {
        name: 'rating',
        label: t('Rating'),
        width: 84,
        text: (track, { favourites }) => '★'.repeat(favourites.rating('tracks', track.id) ?? 0),
        order: (track, { favourites }) => favourites.rating('tracks', track.id) || null,
    },
    {
        name: 'plays',
        label: t('Plays'),
        width: 66,
        text: (track, { plays }) => String(plays.of(track.id) || ''),
        order: (track, { plays }) => plays.of(track.id) || null,
        isEnd: true,
    },
    {
        name: 'year',
        label: t('Year'),
        width: 58,
        text: (track) => String(track.year ?? ''),
        order: (track) => number(track.year),
        isEnd: true,
    },
    {
        name: 'bpm',
        label: t('Tempo'),
        width: 68,
        text: (track) => decimals(track.bpm, 0),
        order: (track) => number(track.bpm),
        isEnd: true,
    },
    {
        name: 'key',
        label: t('Key', { as: 'music' }),
        width: 60,
        text: (track) => track.key_camelot ?? '',
        order: (track) => wheel(track.key_camelot),
    },
    {
        name: 'loudness',
        label: t('LUFS'),
        width: 66,
        text: (track) => decimals(track.integrated_lufs, 1).replace('-', '−'),
        order: (track) => number(track.integrated_lufs),
        isEnd: true,
    },
    {
        name: 'format',
        label: t('Format'),
        width: 76,
        text: (track) => track.format?.toUpperCase() ?? '',
        order: (track) => track.format ?? null,
    },
    {
        name: 'damaged',
        label: t('Damaged frames'),
        width: 120,
        text: (track) => String(track.damaged_frame_count || ''),
        order: (track) => track.damaged_frame_count || null,
        isEnd: true,
    },
    {
        name: 'added',
        label: t('Added'),
        width: 108,
        text: (track) => dayText(track.added_at),
        order: (track) => number(track.added_at),
        isEnd: true,
    },
    {
        name: 'duration',
        label: t('Length'),
        width: 66,
        text: (track) => clock(track.duration_seconds),
        order: (track) => number(track.duration_seconds),
        isEnd: true,
    },
];

/** Returns a column. @param {string} name @returns {Column | undefined} */
export const columnNamed = (name) => allColumns().find((each) => each.name === name);

/**
 * Returns the indexes of tracks in the order of a column; tracks without a value come last, equal ones keep their order.
 * @param {any[]} tracks @param {Column} column @param {boolean} isDescending @param {Parts} app
 */
export function sortedIndexes(tracks, column, isDescending, app) {
    const values = tracks.map((track) => column.order(track, app));
    const sign = isDescending ? -1 : 1;
    return values.map((_, index) => index).sort((one, other) => {
        const [first, second] = [values[one], values[other]];
        if (first === second) return one - other;
        if (first === null || second === null) return first === null ? 1 : -1;
        return first < second ? -sign : sign;
    });
}
