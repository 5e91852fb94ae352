/** Combining marks, which are left away where texts are compared. */
const MARKS = /[\u0300-\u036f]/g;

/** A text as it is searched and sorted by: small letters without marks. @param {string | undefined} text */
export function plain(text) {
    return text ? text.normalize('NFD').replace(MARKS, '').toLowerCase() : '';
}

/** A title to show; a file's name where the tags have none. */
export function titleOf(track) {
    return track.title || track.relative_path?.split('/').pop()?.replace(/\.mp3$/i, '') || 'Untitled';
}

/** The artist to show. */
export function artistOf(track) {
    return track.artist || track.album_artist || 'Unknown artist';
}
