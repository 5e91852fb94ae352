/** Number of songs whose similar songs are requested. */
const SEEDS = 3;
/** Number of similar songs requested for each. */
const COUNT = 50;

/**
 * Returns the ids of artists whose songs sound most like some songs, the most similar first. Songs that are not analysed are ignored.
 * @param {import('../host/host-client.js').Client} client
 * @param {any[]} tracks of one artist, the most typical ones first
 * @param {AbortSignal} signal
 * @returns {Promise<number[]>}
 */
export async function similarArtists(client, tracks, signal) {
    const answers = await Promise.allSettled(
        tracks.slice(0, SEEDS).map((track) =>
            client.json(`/tracks/${track.id}/similar`, { query: { count: COUNT, other_artists: 'true' }, signal })
        ),
    );
    /** @type {Map<number, number>} */
    const scores = new Map();
    for (const answer of answers) {
        if (answer.status !== 'fulfilled') continue;
        for (const { track, similarity } of answer.value.items) {
            if (track.artist_id) scores.set(track.artist_id, (scores.get(track.artist_id) ?? 0) + Math.max(0, similarity));
        }
    }
    return [...scores].sort((one, other) => other[1] - one[1]).map(([id]) => id);
}
