import { h } from '../parts/dom.js';
import { page } from './page.js';

/** What the owner looks after. It is kept while one is elsewhere, so that uploads go on. */
export function managePage(app) {
    const view = app.manage();
    const { element } = page('Manage', {}, h('div', null, app.manageElement));
    view.open();
    return { element, title: 'Manage', close: () => view.close() };
}
