import { closest, h } from '../parts/dom.js';
import { iconButton } from '../parts/buttons.js';
import { icon } from '../parts/icons.js';
import { onMenu, showMenu } from '../parts/menu.js';
import { allColumns } from './track-columns.js';
import { t } from '../../texts/text.js';

/** Pixels by which a key changes the width of a column. */
const STEP = 16;
/** Pixels after which a press on a head drags its column. */
const DRAG = 6;

/**
 * The head of a track table: sorts by a column, moves columns by dragging them, changes widths with the pointer, and chooses
 * columns. With the keyboard, Alt and an arrow key changes the width of a column; with Shift too, it moves the column.
 * @param {import('./track-layout.js').TrackLayout} layout
 * @param {(name: string) => boolean} canSort whether the list can be sorted by a column
 */
export function trackHead(layout, canSort) {
    const element = h('div.track-head', { role: 'group', 'aria-label': t('Columns') });
    const said = h('p.is-hidden', { role: 'status' });
    const place = (name) => layout.columns.findIndex((column) => column.name === name);
    const move = (name, to) => {
        const { columns } = layout;
        if (to < 0 || to >= columns.length || to === place(name)) return;
        layout.move(name, to);
        said.textContent = t('{name} moved to position {position} of {number}', {
            name: columns.find((column) => column.name === name)?.label,
            position: to + 1,
            number: columns.length,
        });
    };
    /** Menu items that move a column. @param {string} name @returns {import('../parts/menu.js').MenuItem[]} */
    const moves = (name) => [
        ...(place(name) > 0 ? [{ label: t('Move left'), icon: 'back', action: () => move(name, place(name) - 1) }] : []),
        ...(place(name) < layout.columns.length - 1
            ? [{ label: t('Move right'), icon: 'forward', action: () => move(name, place(name) + 1) }]
            : []),
    ];
    /** @param {any} at @param {string} [name] of the column that the menu is for */
    const choose = (at, name) =>
        showMenu(
            [
                ...(name ? [...moves(name), null] : []),
                ...allColumns().filter(({ name }) => name !== 'title').map(({ name, label }) => ({
                    label,
                    isChecked: layout.isChosen(name),
                    action: () => layout.toggle(name),
                })),
                null,
                {
                    label: t('Move a column'),
                    icon: 'columns',
                    items: () => layout.columns.map(({ name, label }) => ({ label, items: () => moves(name) })),
                },
                { label: t('Reset columns'), icon: 'repeat', action: () => layout.reset() },
            ],
            at,
            t('Columns'),
        );
    const chooser = iconButton('columns', t('Choose columns'), () => choose(chooser));
    /** @param {KeyboardEvent} event @param {string} name */
    const onKey = (event, name) => {
        const side = event.altKey ? { ArrowLeft: -1, ArrowRight: 1 }[event.key] : 0;
        if (!side || (name === 'title' && !event.shiftKey)) return;
        event.preventDefault();
        event.stopPropagation();
        const cell = closest(event, '.track-head-cell');
        if (event.shiftKey) move(name, place(name) + side);
        else if (cell) layout.resize(name, cell.getBoundingClientRect().width + side * STEP);
    };
    /** @param {import('./track-columns.js').Column} column @param {number} index */
    const cell = ({ name, label, isEnd }, index) => {
        const { order } = layout;
        const direction = order?.column.name !== name ? '' : order.isDescending ? 'descending' : 'ascending';
        // The title takes what is left: columns behind it grow to the left, those before it to the right.
        const isBefore = index < place('title');
        return h(
            'div.track-head-cell',
            { 'data-column': name },
            h(
                `button.track-sort${isEnd ? '.is-end' : ''}`,
                {
                    type: 'button',
                    'aria-label': sortText(label, direction),
                    title: canSort(name) ? t('Sort by {label}', { label }) : t('This list cannot be sorted by {label}', { label }),
                    onclick: () => canSort(name) && layout.sortBy(name),
                    onkeydown: (event) => onKey(event, name),
                },
                h('span', null, label),
                direction && icon('down', direction === 'descending' ? 'sort-mark' : 'sort-mark is-up'),
            ),
            name !== 'title' &&
                h(`span.track-resizer${isBefore ? '.is-before' : ''}`, { 'aria-hidden': 'true', 'data-resizes': name }),
        );
    };
    const draw = () => {
        const focused = closest(/** @type {any} */ ({ target: document.activeElement }), '[data-column]');
        const name = element.contains(focused) ? focused?.dataset.column : undefined;
        const isChooser = document.activeElement === chooser;
        element.replaceChildren(h('span'), ...layout.columns.map(cell), h('span'), chooser, said);
        if (name) /** @type {HTMLElement | null} */ (element.querySelector(`[data-column="${name}"] button`))?.focus();
        if (isChooser) chooser.focus();
    };
    element.addEventListener('pointerdown', (event) => {
        const cell = closest(event, '.track-head-cell');
        if (!cell || event.button) return;
        if (closest(event, '.track-resizer')) resizeColumn(event, cell, layout);
        else dragColumn(event, cell, move);
    });
    onMenu(element, (at, event) => choose(at, closest(event, '.track-head-cell')?.dataset.column));
    layout.addEventListener('change', draw);
    draw();
    return element;
}

/** Changes the width of a column with the pointer. @param {PointerEvent} event @param {HTMLElement} cell */
function resizeColumn(event, cell, layout) {
    event.preventDefault();
    const resizer = /** @type {HTMLElement} */ (closest(event, '.track-resizer'));
    const from = { x: event.clientX, width: cell.getBoundingClientRect().width };
    const side = resizer.classList.contains('is-before') ? 1 : -1;
    resizer.setPointerCapture(event.pointerId);
    const move = (moved) => layout.resize(cell.dataset.column, from.width + side * (moved.clientX - from.x));
    const end = () => resizer.removeEventListener('pointermove', move);
    resizer.addEventListener('pointermove', move);
    resizer.addEventListener('pointerup', end, { once: true });
    resizer.addEventListener('pointercancel', end, { once: true });
}

/**
 * Drags a column; a line shows where it will be.
 * @param {PointerEvent} event @param {HTMLElement} cell @param {(name: string, to: number) => void} move
 */
function dragColumn(event, cell, move) {
    const head = /** @type {HTMLElement} */ (cell.parentElement);
    const others = [...head.querySelectorAll('.track-head-cell')].filter((each) => each !== cell);
    const line = h('i.track-drop', { 'aria-hidden': 'true' });
    const listeners = new AbortController();
    const { signal } = listeners;
    let to = -1;
    const drag = (/** @type {PointerEvent} */ moved) => {
        if (to < 0 && Math.abs(moved.clientX - event.clientX) < DRAG) return;
        if (to < 0) {
            cell.setPointerCapture(event.pointerId);
            cell.classList.add('is-dragged');
            head.append(line);
        }
        const boxes = others.map((each) => each.getBoundingClientRect());
        to = boxes.filter(({ left, right }) => (left + right) / 2 < moved.clientX).length;
        const x = boxes[to]?.left ?? boxes[to - 1]?.right ?? 0;
        line.style.left = `${x - head.getBoundingClientRect().left - 7}px`;
    };
    const end = (/** @type {PointerEvent} */ last) => {
        listeners.abort();
        line.remove();
        cell.classList.remove('is-dragged');
        if (to < 0 || last.type !== 'pointerup') return;
        // The click that ends the drag does not sort.
        const stop = (/** @type {Event} */ click) => click.stopPropagation();
        head.addEventListener('click', stop, { capture: true });
        setTimeout(() => head.removeEventListener('click', stop, { capture: true }));
        move(/** @type {string} */ (cell.dataset.column), to);
    };
    // The pointer is captured only when the drag begins: a press without one is a click on the button.
    addEventListener('pointermove', drag, { signal });
    addEventListener('pointerup', end, { signal });
    addEventListener('pointercancel', end, { signal });
}

/** Describes the button of a column. @param {string} label @param {'' | 'ascending' | 'descending'} direction */
function sortText(label, direction) {
    if (!direction) return t('Sort by {label}', { label });
    return direction === 'ascending' ? t('Sort by {label}, ascending', { label }) : t('Sort by {label}, descending', { label });
}
