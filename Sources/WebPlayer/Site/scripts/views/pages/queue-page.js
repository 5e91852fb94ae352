import { page } from './page.js';
import { queueView } from '../playing/queue-view.js';

/** The queue as a separate page. */
export function queuePage(app) {
    const view = queueView(app, app.scroller);
    const { element } = page('Queue', {}, view.element);
    return { element, title: 'Queue', close: view.close };
}
