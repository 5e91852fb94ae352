import { compareKeys, sortKey, trackKey } from './sort-key.js';

/** The lists of a catalogue, each with what it is sorted by; then by number. */
export const KEYS = { tracks: trackKey, albums: album => sortKey(album.title), artists: artist => sortKey(artist.name) };

/**
 * What has become of the catalogue since a state.
 *
 * @typedef {object} Changes
 * @property {string} revision name of the state that they lead to
 * @property {boolean} isReset nothing can be told of the state that was asked for: the lists are to be read
 * @property {Record<string, Map<number, any>>} changed for each list the items that are new or other, null for those that are gone
 * @property {Record<string, number> | null} totals what the lists hold in the end
 */

/**
 * Asks the host until there is no more. Whoever is interrupted knows nothing of it.
 *
 * @param {import('../host/host-client.js').HostClient} client
 * @param {string} since the revision that is known; empty for none
 * @returns {Promise<Changes>}
 */
export async function readChanges(client, since) {
    const changed = Object.fromEntries(Object.keys(KEYS).map(list => [list, new Map()]));
    for (let revision = since; ;) {
        const answer = await client.json('/api/changes', { query: { since: revision } });
        revision = answer.revision;
        if (answer.is_reset) return { revision, isReset: true, changed, totals: null };
        for (const list of Object.keys(KEYS)) {
            for (const item of answer[list]) changed[list].set(item.id, item);
            for (const id of answer.removed[list]) changed[list].set(id, null);
        }
        if (!answer.has_more) return { revision, isReset: false, changed, totals: answer.totals };
    }
}

/**
 * A sorted list with changes put into it; the list itself stays as it is.
 *
 * @param {any[]} items
 * @param {Map<number, any>} changed items by number, null for those that are gone
 * @param {(item: any) => string} keyOf what the list is sorted by
 */
export function withChanges(items, changed, keyOf) {
    if (!changed.size) return items;
    const kept = items.filter(item => !changed.has(item.id));
    const keys = new Map();
    const key = item => {
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
