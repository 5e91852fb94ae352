import { plain } from './track-text.js';

/** Fields of tracks that the page does not use. They are left out to save memory: a library may have a hundred thousand tracks. */
const UNUSED = new Set([
    'loudness_range_lu',
    'sample_peak_dbfs',
    'fade_in_end_seconds',
    'fade_out_start_seconds',
    'is_available',
    'average_bit_rate_bps',
    'stream_url',
]);

/** Returns a track without unused fields: a copy, since an object from which fields are deleted takes three times the memory. */
export function slim(track) {
    return Object.fromEntries(Object.entries(track).filter(([name]) => !UNUSED.has(name)));
}

/** Sorts tracks of an album by disc and number. @param {any[]} tracks */
export function inAlbumOrder(tracks) {
    return tracks.sort((a, b) =>
        (a.disc_number ?? 1) - (b.disc_number ?? 1) || (a.track_number ?? 0) - (b.track_number ?? 0) ||
        (a.relative_path < b.relative_path ? -1 : 1)
    );
}

/**
 * Returns the genres of tracks sorted by name, each with its number of tracks and an album.
 * @param {any[]} tracks @param {Map<number, any>} albumById
 * @returns {{name: string, count: number, album: any}[]}
 */
export function genresOf(tracks, albumById) {
    const counts = new Map();
    for (const { genre, album_id: album } of tracks) {
        if (!genre) continue;
        const found = counts.get(genre) ?? { name: genre, count: 0, album: undefined };
        found.count++;
        found.album ??= albumById.get(album);
        counts.set(genre, found);
    }
    return [...counts.values()].sort((a, b) => (plain(a.name) < plain(b.name) ? -1 : 1));
}

/** Returns the number of tracks of each year. @param {any[]} tracks @returns {Map<number, number>} */
export function yearsOf(tracks) {
    const counts = new Map();
    for (const { year } of tracks) if (year) counts.set(year, (counts.get(year) ?? 0) + 1);
    return counts;
}

/** Returns albums by their artist, newest first. @param {any[]} albums @returns {Map<number, any[]>} */
export function albumsByArtist(albums) {
    const found = new Map();
    for (const album of albums) {
        const known = found.get(album.artist_id);
        if (known) known.push(album);
        else found.set(album.artist_id, [album]);
    }
    for (const each of found.values()) each.sort((a, b) => (b.year ?? 0) - (a.year ?? 0));
    return found;
}
