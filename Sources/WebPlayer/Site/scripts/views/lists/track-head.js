import { closest, h } from '../parts/dom.js';
import { iconButton } from '../parts/buttons.js';
import { icon } from '../parts/icons.js';
import { onMenu, showMenu } from '../parts/menu.js';
import { allColumns } from './track-columns.js';
import { t } from '../../texts/text.js';

/** Pixels by which a key changes the width of a column. */
const STEP = 16;

/**
 * The head of a track table: sorts by a column, changes widths with the pointer or Alt and an arrow key, and chooses columns.
 * @param {import('./track-layout.js').TrackLayout} layout
 */
export function trackHead(layout) {
    const element = h('div.track-head', { role: 'group', 'aria-label': t('Columns') });
    const choose = (at) =>
        showMenu(
            [
                ...allColumns().filter(({ name }) => name !== 'title').map(({ name, label }) => ({
                    label,
                    isChecked: layout.isChosen(name),
                    action: () => layout.toggle(name),
                })),
                null,
                { label: t('Reset columns'), icon: 'repeat', action: () => layout.reset() },
            ],
            at,
            t('Columns'),
        );
    /** @param {import('./track-columns.js').Column} column */
    const cell = ({ name, label, isEnd }) => {
        const { order } = layout;
        const direction = order?.column.name !== name ? '' : order.isDescending ? 'descending' : 'ascending';
        return h(
            'div.track-head-cell',
            { 'data-column': name },
            h(
                `button.track-sort${isEnd ? '.is-end' : ''}`,
                {
                    type: 'button',
                    'aria-label': sortText(label, direction),
                    title: t('Sort by {label}', { label }),
                    onclick: () => layout.sortBy(name),
                    onkeydown: (event) => {
                        const step = event.altKey && name !== 'title' ? { ArrowLeft: -STEP, ArrowRight: STEP }[event.key] : 0;
                        if (!step) return;
                        event.preventDefault();
                        event.stopPropagation();
                        const cell = closest(event, '.track-head-cell');
                        if (cell) layout.resize(name, cell.getBoundingClientRect().width + step);
                    },
                },
                h('span', null, label),
                direction && icon('down', direction === 'descending' ? 'sort-mark' : 'sort-mark is-up'),
            ),
            // The title takes what is left, so the columns behind it grow to the left.
            name !== 'title' && name !== 'number' && h('span.track-resizer', { 'aria-hidden': 'true', 'data-resizes': name }),
        );
    };
    const draw = () => {
        const focused = closest(/** @type {any} */ ({ target: document.activeElement }), '[data-column]');
        const name = element.contains(focused) ? focused?.dataset.column : undefined;
        element.replaceChildren(
            h('span'),
            ...layout.columns.map(cell),
            h('span'),
            iconButton('columns', t('Choose columns'), (event) => choose(event.currentTarget)),
        );
        if (name) /** @type {HTMLElement | null} */ (element.querySelector(`[data-column="${name}"] button`))?.focus();
    };
    element.addEventListener('pointerdown', (event) => {
        const resizer = closest(event, '.track-resizer');
        if (!resizer || event.button) return;
        event.preventDefault();
        const cell = /** @type {HTMLElement} */ (resizer.parentElement);
        const from = { x: event.clientX, width: cell.getBoundingClientRect().width };
        const name = /** @type {string} */ (resizer.dataset.resizes);
        resizer.setPointerCapture(event.pointerId);
        const move = (moved) => layout.resize(name, from.width + from.x - moved.clientX);
        const end = () => resizer.removeEventListener('pointermove', move);
        resizer.addEventListener('pointermove', move);
        resizer.addEventListener('pointerup', end, { once: true });
        resizer.addEventListener('pointercancel', end, { once: true });
    });
    onMenu(element, (at) => choose(at));
    layout.addEventListener('change', draw);
    draw();
    return element;
}

/** Describes the button of a column. @param {string} label @param {'' | 'ascending' | 'descending'} direction */
function sortText(label, direction) {
    if (!direction) return t('Sort by {label}', { label });
    return direction === 'ascending' ? t('Sort by {label}, ascending', { label }) : t('Sort by {label}, descending', { label });
}
