import { fileStem } from './audio-files.js';
import { t } from '../texts/text.js';

/** Combining marks, which comparisons ignore. */
const MARKS = /[\u0300-\u036f]/g;

/** Returns a text as it is searched: lower case, without diacritics. @param {string | undefined} text */
export function plain(text) {
    return text ? text.normalize('NFD').replace(MARKS, '').toLowerCase() : '';
}

/** Returns the title to show: the tag, or else the file name without its extension. */
export function titleOf(track) {
    return track.title || fileStem(track.relative_path ?? '') || t('Untitled');
}

/** Returns the artist to show. */
export function artistOf(track) {
    return track.artist || track.album_artist || t('Unknown artist');
}
