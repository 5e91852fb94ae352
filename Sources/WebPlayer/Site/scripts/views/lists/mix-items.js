import { energies, mixOrder } from '../../library/mix-order.js';
import { orToast, toast } from '../parts/toast.js';
import { play } from './track-menu.js';
import { t } from '../../texts/text.js';

/** @typedef {Pick<import('../../app.js').App, 'client' | 'downloads' | 'favourites' | 'go' | 'player' | 'playlists' | 'settings' | 'trackActions'>} Parts what this module uses of the page */

/**
 * Returns the menu item that plays songs in an order in which they mix well.
 * @param {Parts} app
 * @param {() => any[]} tracks
 */
export function mixItem(app, tracks) {
    const start = (energy) =>
        orToast(async () => {
            const all = tracks();
            const order = await mixOrder(app.client, all, { energy });
            play(app, order.map((place) => all[place]), 0, { shuffle: false });
            offerMixes(app, t('Playing in mixing order'));
        });
    return {
        label: t('Mix this playlist'),
        icon: 'mix',
        items: () => energies().map(([energy, label]) => ({ label, icon: 'mix', action: () => start(energy) })),
    };
}

/**
 * Returns menu items that sort the songs after the current one.
 * @param {Parts} app
 */
export function queueMixItems(app) {
    const { queue } = app.player;
    const sort = (energy) =>
        orToast(async () => {
            const items = queue.items.slice(Math.max(queue.index, 0));
            const order = await mixOrder(app.client, items.map((item) => item.track), { energy, keepsFirst: true });
            // The queue may have changed in the meantime.
            const rest = order.map((place) => items[place]).filter((item) => queue.items.indexOf(item) > queue.index);
            const putBack = queue.arrange(rest);
            toast(t('Queue sorted for mixing'), { label: t('Undo'), action: putBack });
        });
    return energies().map(([energy, label]) => ({ label, icon: 'mix', action: () => sort(energy) }));
}

/** Notifies of a new order, and offers to turn mixes on if they are off. */
function offerMixes({ settings }, text) {
    const isOn = settings.get('playback.crossfade') && settings.get('playback.crossfadeStyle') === 'mix';
    toast(
        text,
        isOn ? undefined : {
            label: t('Turn on mixes'),
            action: () => {
                settings.set('playback.crossfadeStyle', 'mix');
                settings.set('playback.crossfade', true);
            },
        },
    );
}
