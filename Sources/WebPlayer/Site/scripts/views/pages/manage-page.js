import { h } from '../parts/dom.js';
import { page } from './page.js';

/** The page for managing the host. Its view is kept when the page is left, so that uploads continue. */
export function managePage(app) {
    const view = app.manage();
    const { element } = page('Manage', {}, h('div', null, app.manageElement));
    view.open();
    return { element, title: 'Manage', close: () => view.close() };
}
