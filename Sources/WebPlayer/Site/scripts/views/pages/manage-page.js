import { h } from '../parts/dom.js';
import { page } from './page.js';

/** @typedef {Pick<import('../../app.js').App, 'manage'>} Parts what this module uses of the page */

/**
 * The page for managing the host. Its view is kept when the page is left, so that uploads continue.
 * @param {Parts} app
 */
export function managePage(app) {
    const { element: content, view } = app.manage();
    const { element } = page('Manage', {}, h('div', null, content));
    view.open();
    return { element, title: 'Manage', close: () => view.close() };
}
