import { compareKeys, sortKey, trackKey } from './sort-key.js';
import { slim } from './tracks.js';

/** The lists of the catalogue with their sort keys. Ties are ordered by id. */
export const KEYS = { tracks: trackKey, albums: (album) => sortKey(album.title), artists: (artist) => sortKey(artist.name) };

/**
 * Changes to the catalogue since a revision.
 *
 * @typedef {object} Changes
 * @property {string} revision the revision that they lead to
 * @property {boolean} isReset the host does not know the given revision: the lists have to be read again
 * @property {Record<string, Map<number, any>>} changed added and changed items of each list by id; null for removed ones
 * @property {Record<string, number> | null} totals length of each list after the changes
 */

/**
 * Requests changes until there are no more. If a request fails, none are returned.
 *
 * @param {import('../host/host-client.js').Client} client
 * @param {string} since the known revision; empty if unknown
 * @param {number} [most] the most pages that are read: after more changes, reading the lists again is faster
 * @returns {Promise<Changes>}
 */
export async function readChanges(client, since, most = Infinity) {
    const changed = Object.fromEntries(Object.keys(KEYS).map((list) => [list, new Map()]));
    for (let [revision, page] = [since, 1];; page++) {
        const answer = await client.json('/api/changes', { query: { since: revision } });
        revision = answer.revision;
        if (answer.is_reset) return { revision, isReset: true, changed, totals: null };
        for (const list of Object.keys(KEYS)) {
            for (const item of answer[list]) changed[list].set(item.id, item);
            for (const id of answer.removed[list]) changed[list].set(id, null);
        }
        if (!answer.has_more) return { revision, isReset: false, changed, totals: answer.totals };
        if (page >= most) return readChanges(client, '');
    }
}

/**
 * Returns a sorted list with changes merged in; the original list is not modified.
 *
 * @param {any[]} items
 * @param {Map<number, any>} changed items by id; null for removed ones
 * @param {(item: any) => string} keyOf sort key
 */
export function withChanges(items, changed, keyOf) {
    if (!changed.size) return items;
    const kept = items.filter((item) => !changed.has(item.id));
    const keys = new Map();
    const key = (item) => {
        if (!keys.has(item)) keys.set(item, keyOf(item));
        return keys.get(item);
    };
    const compare = (a, b) => compareKeys(key(a), key(b)) || a.id - b.id;
    const added = [...changed.values()].filter(Boolean).sort(compare);
    const merged = [];
    let done = 0;
    for (const item of added) {
        let low = done;
        let high = kept.length;
        while (low < high) {
            const middle = (low + high) >> 1;
            if (compare(kept[middle], item) < 0) low = middle + 1;
            else high = middle;
        }
        while (done < low) merged.push(kept[done++]);
        merged.push(item);
    }
    while (done < kept.length) merged.push(kept[done++]);
    return merged;
}

/** Returns lists with changes applied. @param {boolean} isLarge whether tracks are not kept */
export function withAllChanges(lists, changed, isLarge) {
    changed.tracks.forEach((track, id) => changed.tracks.set(id, track && slim(track)));
    return Object.fromEntries(
        Object.entries(KEYS).map(([list, keyOf]) => [
            list,
            list === 'tracks' && isLarge ? [] : withChanges(lists[list], changed[list], keyOf),
        ]),
    );
}

/** Whether lists with all changes applied are complete. Their items are the host's, so comparing lengths is enough. */
export function isWhole(lists, totals, isLarge) {
    return Object.keys(KEYS).every((list) => (list === 'tracks' && isLarge) || lists[list].length === totals?.[list]);
}
