import { h } from '../parts/dom.js';

/**
 * Creates the frame of a page: heading, actions and content.
 * @param {string} title
 * @param {{actions?: any[], text?: string, className?: string}} options
 * @param {...any} content
 */
export function page(title, { actions = [], text, className = '' } = {}, ...content) {
    const lead = h('p.page-text', null, text ?? '');
    const element = h(
        `section.page${className ? `.${className}` : ''}`,
        { 'aria-label': title },
        h('header.page-head', null, h('div', null, h('h1', { tabindex: '-1' }, title), lead), h('div.page-actions', null, actions)),
        content,
    );
    return { element, lead };
}
