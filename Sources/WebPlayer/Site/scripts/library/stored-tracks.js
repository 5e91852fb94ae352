/** @typedef {import('./catalogue.js').Catalogue} Catalogue */

/**
 * Finds tracks that were stored by id and audio hash.
 * @param {Catalogue} catalogue
 * @param {number[]} ids
 * @param {string[]} hashes in the same order; empty or absent in data of earlier releases
 * @returns {Promise<any[]>} in the same order; null for tracks that the library no longer has
 */
export async function storedTracks(catalogue, ids, hashes) {
    if (!catalogue.isLarge) return ids.map((id, index) => catalogue.noted(id, hashes[index]));
    const byId = new Map((await catalogue.tracksAmong({ ids })).map((track) => [track.id, track]));
    const isSame = (id, hash) => byId.get(id)?.audio_hash === hash;
    const moved = hashes.filter((hash, index) => hash && !isSame(ids[index], hash));
    const byHash = new Map((await catalogue.tracksAmong({ hashes: moved })).map((track) => [track.audio_hash, track]));
    return ids.map((id, index) => {
        const hash = hashes[index];
        if (!hash) return (catalogue.hasLibraryOfIDs && byId.get(id)) || null;
        return (isSame(id, hash) ? byId.get(id) : byHash.get(hash)) ?? null;
    });
}
