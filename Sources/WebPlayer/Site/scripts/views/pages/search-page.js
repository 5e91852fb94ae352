import { h } from '../parts/dom.js';
import { counted } from '../parts/texts.js';
import { empty } from '../parts/empty.js';
import { keepingPlace } from '../parts/redraw.js';
import { albumCard, artistCard, drawShelves } from '../lists/card-grid.js';
import { trackList } from '../lists/track-list.js';

/** @typedef {Pick<import('../../app.js').App, 'catalogue' | 'client' | 'covers' | 'downloads' | 'favourites' | 'go' | 'player' | 'playlists' | 'scroller' | 'search' | 'searchText' | 'settings' | 'trackActions'>} Parts what this module uses of the page */

/**
 * The search page, with results as you type.
 * @param {Parts} app
 */
export function searchPage(app) {
    const listeners = new AbortController();
    let tracks = [];
    const shelves = h('div');
    const heading = h('h2.section', { role: 'status' });
    const list = trackList(app, { tracks: () => tracks, label: 'Matching songs' });
    const input = /** @type {HTMLInputElement} */ (h('input.field.search-field', {
        type: 'search',
        placeholder: 'Songs, albums, artists',
        'aria-label': 'Search the library',
        autocomplete: 'off',
        autocapitalize: 'off',
        spellcheck: 'false',
        enterkeyhint: 'search',
        value: app.searchText,
    }));
    const element = h(
        'section.page.search',
        { 'aria-label': 'Search' },
        h('h1.is-hidden', null, 'Search'),
        h('div.search-bar', null, input),
        shelves,
        heading,
        list.element,
    );
    let request = 0;
    const draw = (options) => {
        request = 0;
        app.searchText = input.value;
        const found = app.search.find(input.value);
        tracks = found.tracks;
        const isAsked = input.value.trim() !== '';
        const isNothing = !tracks.length && !found.albums.length && !found.artists.length;
        const typed = input.value.trim();
        const others = !isAsked
            ? [{
                key: 'hint',
                make: () => empty('search', 'What would you like to hear?', 'Type any part of a title, an artist or an album.'),
            }]
            : isNothing
            ? [{
                key: 'nothing',
                state: [typed],
                make: () => empty('search', `No results for “${typed}”`, 'Try fewer or shorter words.'),
            }]
            : [];
        drawShelves(shelves, [{ title: 'Artists', items: found.artists, make: (artist) => artistCard(app, artist) }, {
            title: 'Albums',
            items: found.albums,
            make: (album) => albumCard(app, album),
        }], others);
        heading.textContent = tracks.length ? counted(tracks.length, 'song') : '';
        list.refresh(options);
    };
    input.addEventListener('input', () => {
        request ||= requestAnimationFrame(() => draw({ isAnchored: false }));
    });
    input.addEventListener('keydown', (event) => {
        if (event.key === 'ArrowDown' || event.key === 'Enter') {
            event.preventDefault();
            /** @type {HTMLElement | null} */ (element.querySelector('.track-row[tabindex="0"]') ??
                element.querySelector('.card a'))?.focus();
        }
    });
    app.catalogue.addEventListener('change', () => keepingPlace(app.scroller, element, draw), { signal: listeners.signal });
    draw();
    requestAnimationFrame(() => input.focus({ preventScroll: true }));
    return {
        element,
        title: 'Search',
        close: () => {
            cancelAnimationFrame(request);
            listeners.abort();
            list.close();
        },
    };
}
