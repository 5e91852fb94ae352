/** Seconds after which an album is no longer continued. */
const LATEST = 30 * 86_400;
/** Seconds that may pass between two songs of an album, in addition to their lengths. */
const PAUSE = 10 * 60;
/** Least number of songs of an album that can be continued. */
const LEAST = 3;

/**
 * Returns the albums whose playback stopped before their last song: the songs played last are two in the album's order.
 * @param {any[]} played songs with their listening data, the latest play first
 * @param {import('./catalogue.js').Catalogue} catalogue
 * @param {number} [now] in seconds since 1970
 * @returns {{album: any, next: number}[]} the latest first; `next` is the index of the song to continue with
 */
export function interruptedAlbums(played, catalogue, now = Date.now() / 1000) {
    const times = new Map(played.map((track) => [track.id, track.listening?.last_played_at ?? 0]));
    const seen = new Set();
    const found = [];
    for (const { id, album_id: albumID } of played) {
        const album = catalogue.albumById.get(albumID);
        // The first song of an album in the list is the one played last.
        if (!album || seen.has(albumID)) continue;
        seen.add(albumID);
        const tracks = catalogue.albumTracks(albumID);
        const last = tracks.findIndex((track) => track.id === id);
        if (tracks.length < LEAST || last < 1 || last === tracks.length - 1) continue;
        const [end, start] = [times.get(id) ?? 0, times.get(tracks[last - 1].id) ?? 0];
        const longest = (tracks[last].duration_seconds ?? 0) + (tracks[last - 1].duration_seconds ?? 0) + PAUSE;
        if (end < now - LATEST || end < start || end - start > longest) continue;
        found.push({ album, next: last + 1 });
    }
    return found;
}
