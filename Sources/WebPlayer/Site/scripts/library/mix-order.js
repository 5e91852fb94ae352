import { t } from '../texts/text.js';

/** Maximum number of tracks that the host sorts at a time. */
const MOST = 2000;

/** How the energy of sorted songs may develop, with its label. @type {() => [string, string][]} */
export const energies = () => [
    ['none', t('Any energy')],
    ['rising', t('Rising energy')],
    ['falling', t('Falling energy')],
    ['wave', t('Waves of energy')],
];

/**
 * Sorts tracks so that each one mixes well with the next.
 * @template {{id: number}} Track
 * @param {import('../host/host-client.js').Client} client
 * @param {Track[]} tracks one may occur several times; those beyond the host's limit stay at the end
 * @param {{energy?: string, keepsFirst?: boolean}} options
 * @returns {Promise<number[]>} the places of the tracks in their new order
 */
export async function mixOrder(client, tracks, { energy = 'none', keepsFirst = false } = {}) {
    const ids = tracks.slice(0, MOST).map((track) => track.id);
    const { track_ids: sorted } = await client.json('/mix', {
        method: 'POST',
        body: { track_ids: ids, energy, keep_first: keepsFirst },
    });
    /** @type {Map<number, number[]>} */
    const places = new Map();
    ids.forEach((id, place) => places.set(id, [...(places.get(id) ?? []), place]));
    const order = sorted.map((id) => places.get(id)?.shift() ?? 0);
    for (let place = ids.length; place < tracks.length; place++) order.push(place);
    return order;
}
