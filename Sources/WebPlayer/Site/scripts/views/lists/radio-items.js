import { Radio } from '../../library/radio.js';
import { orToast } from '../parts/toast.js';
import { t } from '../../texts/text.js';

/** @typedef {Pick<import('../../app.js').App, 'client' | 'player'>} Parts what this module uses of the page */

/** The radio of each player: there is one per page. @type {WeakMap<object, Radio>} */
const radios = new WeakMap();

/**
 * Replaces the queue by a radio and plays it.
 * @param {Parts} app
 * @param {import('../../library/radio.js').RadioSeed} seed
 */
export async function startRadio(app, seed) {
    const { client, player } = app;
    const radio = radios.get(player) ?? new Radio(client, player.queue);
    radios.set(player, radio);
    await orToast(async () => {
        await radio.start(seed);
        player.play();
    });
}

/**
 * Returns the menu item that starts a radio.
 * @param {Parts} app
 * @param {import('../../library/radio.js').RadioSeed} seed
 */
export function radioItem(app, seed) {
    return { label: t('Start radio'), icon: 'radio', action: () => startRadio(app, seed) };
}
