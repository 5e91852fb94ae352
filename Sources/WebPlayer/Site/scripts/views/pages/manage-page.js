import { h } from '../parts/dom.js';
import { page } from './page.js';
import { t } from '../../texts/text.js';

/** @typedef {Pick<import('../../app.js').App, 'manage'>} Parts what this module uses of the page */

/**
 * The page for managing the host. Its view is kept when the page is left, so that uploads continue. The address has the shown tab.
 * @param {Parts} app
 * @param {{tab?: string}} address
 */
export function managePage(app, { tab }) {
    const { element: content, view } = app.manage();
    const { element } = page(t('Manage'), {}, h('div', null, content));
    const listeners = new AbortController();
    const address = () => `#/manage/${view.shown}`;
    view.open(tab);
    if (tab !== view.shown) history.replaceState(history.state, '', address());
    view.addEventListener('show', () => {
        if (location.hash !== address()) history.pushState(null, '', address());
    }, { signal: listeners.signal });
    return {
        element,
        title: t('Manage'),
        close: () => {
            listeners.abort();
            view.close();
        },
    };
}
