import { h } from '../parts/dom.js';
import { iconButton } from '../parts/buttons.js';
import { drawChildren } from '../parts/redraw.js';
import { t } from '../../texts/text.js';

/**
 * Creates a list of cards, which are drawn by `drawCards`. One card is in the tab order, and arrow keys move the focus between cards.
 * @param {string} className @param {string} label
 */
export function cardList(className, label) {
    const element = h(`div.${className}`, {
        role: 'list',
        'aria-label': label,
        onkeydown: (event) => moveFocus(element, event),
        onfocusin: (event) => {
            const card = [...element.children].find((each) => each.contains(event.target));
            if (card) enter(element, card);
        },
    });
    return element;
}

/** Draws cards of items; cards of unchanged items are kept. @param {HTMLElement} element @param {any[]} items @param {(item: any) => HTMLElement} make */
export function drawCards(element, items, make) {
    drawChildren(
        element,
        items.map((item) => ({
            key: item.id,
            state: [item],
            make: () => {
                const card = make(item);
                card.setAttribute('role', 'listitem');
                return card;
            },
        })),
    );
    enter(element, element.querySelector(':scope > [tabindex="0"]') ?? element.firstElementChild);
}

/** Puts one card into the tab order. @param {HTMLElement} list @param {Element | null} card */
function enter(list, card) {
    for (const each of list.children) each.setAttribute('tabindex', each === card ? '0' : '-1');
}

/** @param {HTMLElement} list @param {KeyboardEvent} event */
function moveFocus(list, event) {
    const cards = /** @type {HTMLElement[]} */ ([...list.children]);
    const place = cards.findIndex((each) => each === event.target);
    if (place < 0 || event.altKey || event.ctrlKey || event.metaKey) return;
    const goals = { ArrowRight: place + 1, ArrowLeft: place - 1, Home: 0, End: cards.length - 1 };
    if (event.key in goals) cards[goals[event.key]]?.focus();
    else if (event.key === 'Enter') cards[place].querySelector('a')?.click();
    else if (event.key === 'm' || event.key === 'ContextMenu') {
        cards[place].dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, cancelable: true }));
    } else return;
    event.preventDefault();
    event.stopPropagation();
}

/**
 * Creates a row of cards that scrolls sideways, under a heading. Where there is a mouse, it has buttons that scroll by nearly a page.
 * @param {string} title @param {string} [href] address of the page of all items
 */
export function shelf(title, href) {
    const cards = cardList('shelf-cards', title);
    const still = matchMedia('(prefers-reduced-motion: reduce)');
    const scroll = (/** @type {number} */ direction) => {
        const card = cards.firstElementChild?.getBoundingClientRect().width ?? 0;
        // One card stays, so that the place is not lost.
        const left = direction * Math.max(card, cards.clientWidth - card);
        cards.scrollBy({ left, behavior: still.matches ? 'auto' : 'smooth' });
    };
    const button = (/** @type {string} */ name, /** @type {string} */ label, /** @type {number} */ direction) => {
        const made = iconButton(name, label, () => made.getAttribute('aria-disabled') === 'true' || scroll(direction));
        return made;
    };
    const previous = button('left', t('Previous in {title}', { title }), -1);
    const next = button('right', t('Next in {title}', { title }), 1);
    const arrows = h('div.shelf-arrows', { hidden: true }, previous, next);
    const show = () => {
        const rest = cards.scrollWidth - cards.clientWidth;
        arrows.hidden = rest <= 1;
        // A button with the attribute `disabled` would lose the focus at the end.
        previous.setAttribute('aria-disabled', String(cards.scrollLeft <= 1));
        next.setAttribute('aria-disabled', String(cards.scrollLeft >= rest - 1));
    };
    let request = 0;
    const showSoon = () => {
        if (request) return;
        request = requestAnimationFrame(() => {
            request = 0;
            show();
        });
    };
    cards.addEventListener('scroll', showSoon, { passive: true });
    new ResizeObserver(show).observe(cards);
    new MutationObserver(showSoon).observe(cards, { childList: true });
    return h(
        'section.shelf',
        { 'aria-label': title },
        h(
            'header',
            null,
            h('h2', null, title),
            h('div.row', null, href && h('a.shelf-more', { href }, t('See all')), arrows),
        ),
        cards,
    );
}

/**
 * Draws horizontally scrolling rows of cards. Empty rows are omitted; cards of unchanged items are kept.
 * @param {HTMLElement} element without other children
 * @param {{title: string, href?: string, items: any[], make: (item: any) => HTMLElement}[]} shelves
 * @param {{key: any, state?: any[], make: () => HTMLElement}[]} [others] elements after the rows, as for `drawChildren`
 */
export function drawShelves(element, shelves, others = []) {
    const filled = shelves.filter(({ items }) => items.length);
    drawChildren(element, [
        ...filled.map(({ title, href }) => ({ key: title, make: () => shelf(title, href) })),
        ...others,
    ]);
    for (const [index, { items, make }] of filled.entries()) {
        drawCards(/** @type {HTMLElement} */ (element.children[index].querySelector('.shelf-cards')), items, make);
    }
}
