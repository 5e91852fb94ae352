import { closest, h } from './dom.js';
import { icon } from './icons.js';
import { t } from '../../texts/text.js';

let open = null;

/**
 * Shows a menu.
 *
 * @typedef {{label?: string, icon?: string, action?: () => void, isChecked?: boolean, isDanger?: boolean, items?: () => any[], element?: HTMLElement} | null} MenuItem
 *     null is a separator; `items` returns the entries of a submenu
 *
 * @param {MenuItem[]} items
 * @param {{x: number, y: number} | Element} at
 * @param {string} [heading]
 */
export function showMenu(items, at, heading = '') {
    closeMenu();
    const before = document.activeElement;
    const list = h('div.menu', { role: 'menu', 'aria-label': heading || t('Actions'), tabindex: '-1' });
    const fill = (entries, isWithin) => {
        const nodes = [];
        if (heading && !isWithin) nodes.push(h('div.menu-heading', { role: 'presentation' }, heading));
        if (isWithin) nodes.push(entry({ label: t('Back'), icon: 'back', stays: true, action: () => fill(items, false) }));
        // No separator at the end.
        const end = entries.findLastIndex((item) => item !== null) + 1;
        for (const item of entries.slice(0, end)) {
            if (!item) nodes.push(h('div.menu-line', { role: 'separator' }));
            else if (item.element) nodes.push(item.element);
            else if (item.items) {
                nodes.push(entry({ ...item, isParent: true, stays: true, action: () => fill(item.items(), true) }));
            } else nodes.push(entry(item));
        }
        list.replaceChildren(...nodes);
        list.querySelector('button')?.focus();
        place();
    };
    const entry = (item) =>
        h(
            `button.menu-item${item.isDanger ? '.is-danger' : ''}`,
            {
                type: 'button',
                role: item.isChecked === undefined ? 'menuitem' : 'menuitemcheckbox',
                tabindex: '-1',
                'aria-checked': item.isChecked === undefined ? undefined : String(item.isChecked),
                'aria-haspopup': item.isParent ? 'menu' : undefined,
                onclick: () => {
                    if (!item.stays) close();
                    item.action?.();
                },
            },
            icon(item.icon ?? 'link', item.icon ? '' : 'is-blank'),
            h('span', null, item.label),
            item.isChecked && icon('check', 'menu-mark'),
            item.isParent && icon('back', 'menu-mark is-turned'),
        );
    const place = () => {
        const box = at instanceof Element ? at.getBoundingClientRect() : { left: at.x, right: at.x, top: at.y, bottom: at.y };
        const { offsetWidth: width, offsetHeight: height } = list;
        const left = Math.max(8, Math.min(at instanceof Element ? box.right - width : box.left, innerWidth - width - 8));
        const below = box.bottom + 6 + height <= innerHeight - 8;
        list.style.left = `${left}px`;
        list.style.top = `${Math.max(8, below ? box.bottom + 6 : Math.min(box.top - height - 6, innerHeight - height - 8))}px`;
    };
    const shade = h('div.menu-shade', {
        onpointerdown: (event) => {
            event.preventDefault();
            close();
        },
        oncontextmenu: (event) => event.preventDefault(),
    });
    const close = () => {
        if (open !== close) return;
        open = null;
        shade.remove();
        list.remove();
        if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
    };
    list.addEventListener('keydown', (event) => {
        const entries = [...list.querySelectorAll('button')];
        const place = entries.indexOf(/** @type {HTMLButtonElement} */ (document.activeElement));
        const moves = { ArrowDown: place + 1, ArrowUp: place - 1, Home: 0, End: entries.length - 1 };
        if (event.key in moves) entries.at(moves[event.key] % entries.length)?.focus();
        else if (event.key === 'Escape' || event.key === 'Tab' || event.key === 'ArrowLeft') close();
        else if (event.key.length === 1 && /\S/.test(event.key) && event.key !== ' ') {
            entries.find((each, index) => index > place && each.textContent?.toLowerCase().startsWith(event.key.toLowerCase()))
                ?.focus();
        } else return;
        event.stopPropagation();
        if (event.key !== ' ' && event.key !== 'Enter') event.preventDefault();
    });
    // In a modal dialog, the menu must be inside it to be visible.
    const home = [...document.querySelectorAll('dialog[open]')].at(-1) ?? document.body;
    home.append(shade, list);
    open = close;
    fill(items, false);
}

/** Closes the open menu. @returns {boolean} whether there was one */
export function closeMenu() {
    const was = open;
    was?.();
    return Boolean(was);
}

/**
 * Calls `show` for a right click, a long press or the menu key.
 * @param {HTMLElement} element
 * @param {(at: any, event: Event) => void} show
 */
export function onMenu(element, show) {
    element.addEventListener('contextmenu', (/** @type {MouseEvent} */ event) => {
        if (closest(event, 'input, textarea')) return;
        event.preventDefault();
        const isKey = event.clientX === 0 && event.clientY === 0;
        show(isKey ? event.target : { x: event.clientX, y: event.clientY }, event);
    });
}
