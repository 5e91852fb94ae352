import { page } from './page.js';
import { queueView } from '../playing/queue-view.js';
import { t } from '../../texts/text.js';

/** @typedef {Pick<import('../../app.js').App, 'client' | 'covers' | 'downloads' | 'favourites' | 'go' | 'player' | 'playlists' | 'scroller' | 'settings' | 'trackActions'>} Parts what this module uses of the page */

/**
 * The queue as a separate page.
 * @param {Parts} app
 */
export function queuePage(app) {
    const view = queueView(app, app.scroller);
    const { element } = page(t('Queue'), {}, view.element);
    return { element, title: t('Queue'), close: view.close };
}
