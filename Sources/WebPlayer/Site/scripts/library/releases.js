/** Maximum number of songs of an EP, and its maximum length in seconds: the limits of the music stores. */
const EP_SONGS = 6;
const EP_SECONDS = 30 * 60;

/**
 * Whether an album is a single or an EP: it has few songs and is short. If a song has a higher number, the library has only some
 * songs of a longer album.
 * @param {any} album
 * @param {any[]} tracks its songs
 */
export function isSingleOrEP(album, tracks) {
    return album.track_count <= EP_SONGS && album.duration_seconds < EP_SECONDS && !album.is_compilation &&
        tracks.every((track) => (track.track_number ?? 0) <= EP_SONGS && (track.disc_number ?? 1) === 1);
}

/**
 * Returns an artist's releases, each list with the newest first.
 * @param {import('./catalogue.js').Catalogue} catalogue
 * @param {number} id of the artist
 * @param {any[]} tracks the library's, or the artist's
 */
export function releasesOf(catalogue, id, tracks) {
    const own = catalogue.artistAlbums(id);
    /** @type {Map<number, any[]>} */
    const songs = new Map(own.map((album) => [album.id, []]));
    const others = new Set();
    for (const track of tracks) {
        songs.get(track.album_id)?.push(track);
        if (track.artist_id === id && track.album_id && !songs.has(track.album_id)) others.add(track.album_id);
    }
    const isShort = (album) => isSingleOrEP(album, songs.get(album.id) ?? []);
    return {
        albums: own.filter((album) => !isShort(album)),
        singles: own.filter(isShort),
        appearsOn: catalogue.albums.filter((album) => others.has(album.id)).sort((a, b) => (b.year ?? 0) - (a.year ?? 0)),
    };
}
