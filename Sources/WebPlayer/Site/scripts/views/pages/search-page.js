import { h } from '../parts/dom.js';
import { empty } from '../parts/empty.js';
import { keepingPlace } from '../parts/redraw.js';
import { albumCard, artistCard } from '../lists/card-grid.js';
import { drawShelves } from '../lists/shelf.js';
import { trackList } from '../lists/track-list.js';
import { WindowedSongs } from '../lists/windowed-songs.js';
import { t } from '../../texts/text.js';

/** @typedef {Pick<import('../../app.js').App, 'catalogue' | 'client' | 'covers' | 'downloads' | 'favourites' | 'go' | 'player' | 'playlists' | 'plays' | 'scroller' | 'search' | 'searchText' | 'settings' | 'trackActions'>} Parts what this module uses of the page */

/**
 * The search page, with results as you type.
 * @param {Parts} app
 */
export function searchPage(app) {
    const { catalogue } = app;
    const listeners = new AbortController();
    /** @type {any[] | import('../../library/host-tracks.js').HostTracks} */
    let tracks = [];
    const windowed = new WindowedSongs(catalogue, () => {});
    const shelves = h('div');
    const heading = h('h2.section', { role: 'status' });
    const list = trackList(app, { tracks: () => tracks, label: t('Matching songs') });
    const input = /** @type {HTMLInputElement} */ (h('input.field.search-field', {
        type: 'search',
        placeholder: t('Songs, albums, artists'),
        'aria-label': t('Search the library'),
        autocomplete: 'off',
        autocapitalize: 'off',
        spellcheck: 'false',
        enterkeyhint: 'search',
        value: app.searchText,
    }));
    const element = h(
        'section.page.search',
        { 'aria-label': t('Search') },
        h('h1.is-hidden', null, t('Search')),
        h('div.search-bar', null, input),
        shelves,
        heading,
        list.element,
    );
    let request = 0;
    const draw = (options) => {
        request = 0;
        app.searchText = input.value;
        if (catalogue.isLarge && input.value.trim()) ask(options);
        else show(app.search.find(input.value), options);
    };
    let isAsking = false;
    /** Asks the host. What has been typed meanwhile is asked next. */
    const ask = async (options) => {
        if (isAsking) return;
        isAsking = true;
        const typed = input.value.trim();
        const found = await Promise.all([
            app.search.namesFrom(app.client, typed, listeners.signal),
            windowed.show({ text: typed }).ready(),
        ]).then(([names, tracks]) => ({ ...names, tracks }), () => app.search.find(typed));
        isAsking = false;
        if (listeners.signal.aborted) return;
        const next = input.value.trim();
        if (next === typed) show(found, options);
        else if (next) ask(options);
        else show(app.search.find(''), options);
    };
    const show = (found, options) => {
        tracks = found.tracks;
        const isAsked = input.value.trim() !== '';
        const isNothing = !tracks.length && !found.albums.length && !found.artists.length;
        const typed = input.value.trim();
        const others = !isAsked
            ? [{
                key: 'hint',
                make: () =>
                    empty('search', t('What would you like to hear?'), t('Type any part of a title, an artist or an album.')),
            }]
            : isNothing
            ? [{
                key: 'nothing',
                state: [typed],
                make: () => empty('search', t('No results for “{typed}”', { typed }), t('Try fewer or shorter words.')),
            }]
            : [];
        drawShelves(shelves, [{ title: t('Artists'), items: found.artists, make: (artist) => artistCard(app, artist) }, {
            title: t('Albums'),
            items: found.albums,
            make: (album) => albumCard(app, album),
        }], others);
        heading.textContent = tracks.length ? t('{count} songs', { count: tracks.length }) : '';
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
    catalogue.addEventListener('change', () => keepingPlace(app.scroller, element, draw), { signal: listeners.signal });
    draw();
    requestAnimationFrame(() => input.focus({ preventScroll: true }));
    return {
        element,
        title: t('Search'),
        close: () => {
            cancelAnimationFrame(request);
            listeners.abort();
            windowed.close();
            list.close();
        },
    };
}
