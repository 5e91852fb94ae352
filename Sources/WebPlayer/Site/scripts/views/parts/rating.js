import { h } from './dom.js';
import { icon } from './icons.js';
import { iconButton } from './buttons.js';
import { t } from '../../texts/text.js';

/** @typedef {Pick<import('../../app.js').App, 'favourites'>} Parts what this module uses of the page */

/**
 * Creates a heart button that stars an item.
 * @param {Parts} app
 * @param {'tracks' | 'albums' | 'artists'} kind
 * @param {() => number | undefined} idOf
 */
export function heart(app, kind, idOf) {
    const button = iconButton('star', t('Favourite'), () => {
        const id = idOf();
        if (id !== undefined) app.favourites.star(kind, id, !app.favourites.isStarred(kind, id));
        show();
    }, { class: 'icon-button heart' });
    const show = () => {
        const id = idOf();
        const isOn = id !== undefined && app.favourites.isStarred(kind, id);
        button.setAttribute('aria-pressed', String(isOn));
        button.replaceChildren(icon(isOn ? 'starred' : 'star'));
    };
    show();
    return { button, show };
}

/**
 * Creates five stars for rating an item.
 * @param {Parts} app
 * @param {'tracks' | 'albums' | 'artists'} kind
 * @param {() => number | undefined} idOf
 * @param {{isInMenu?: boolean}} options a menu may contain only items and groups of items
 */
export function stars(app, kind, idOf, { isInMenu = false } = {}) {
    const buttons = [1, 2, 3, 4, 5].map((value) =>
        h('button.rating-star', {
            type: 'button',
            role: isInMenu ? 'menuitemradio' : 'radio',
            'aria-label': t('{count} stars', { count: value }),
            onclick: () => {
                const id = idOf();
                if (id === undefined) return;
                app.favourites.rate(kind, id, app.favourites.rating(kind, id) === value ? 0 : value);
                show();
            },
        })
    );
    const element = h('div.rating', { role: isInMenu ? 'group' : 'radiogroup', 'aria-label': t('Rating') }, buttons);
    element.addEventListener('keydown', (event) => {
        const step = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key];
        if (!step) return;
        event.preventDefault();
        event.stopPropagation();
        buttons.at((buttons.indexOf(/** @type {any} */ (document.activeElement)) + step) % 5)?.focus();
    });
    const show = () => {
        const id = idOf();
        const rating = id === undefined ? 0 : app.favourites.rating(kind, id);
        buttons.forEach((button, index) => {
            const isOn = index < rating;
            button.replaceChildren(icon(isOn ? 'ratedstar' : 'rating'));
            button.classList.toggle('is-on', isOn);
            button.setAttribute('aria-checked', String(index + 1 === rating));
            button.tabIndex = index === Math.max(0, rating - 1) ? 0 : -1;
        });
    };
    show();
    return { element, show };
}
