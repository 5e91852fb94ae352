import { counted, h } from '../parts/dom.js';
import { empty } from '../parts/empty.js';
import { albumCard, artistCard, cardShelf } from '../lists/card-grid.js';
import { trackList } from '../lists/track-list.js';

/** What is found, as it is typed. */
export function searchPage(app) {
    const listeners = new AbortController();
    let tracks = [];
    const shelves = h('div');
    const heading = h('h2.section', { role: 'status' });
    const list = trackList(app, { tracks: () => tracks, label: 'Songs found' });
    const input = /** @type {HTMLInputElement} */ (h('input.field.search-field', { type: 'search', placeholder: 'Songs, albums, artists', 'aria-label': 'Search the library',
        autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false', enterkeyhint: 'search', value: app.searchText ?? '' }));
    const element = h('section.page.search', { 'aria-label': 'Search' }, h('h1.is-hidden', null, 'Search'), h('div.search-bar', null, input), shelves, heading, list.element);
    let request = 0;
    const draw = () => {
        request = 0;
        app.searchText = input.value;
        const found = app.search.find(input.value);
        tracks = found.tracks;
        const isAsked = input.value.trim() !== '';
        const isNothing = !tracks.length && !found.albums.length && !found.artists.length;
        shelves.replaceChildren(...[cardShelf('Artists', found.artists.map(artist => artistCard(app, artist))), cardShelf('Albums', found.albums.map(album => albumCard(app, album)))].filter(Boolean));
        if (!isAsked) shelves.append(empty('search', 'What would you like to hear?', 'Type a part of a title, an artist or an album, in any order.'));
        else if (isNothing) shelves.append(empty('search', `Nothing for “${input.value.trim()}”`, 'Fewer letters find more.'));
        heading.textContent = tracks.length ? counted(tracks.length, 'song') : '';
        list.refresh();
    };
    input.addEventListener('input', () => { request ||= requestAnimationFrame(draw); });
    input.addEventListener('keydown', event => {
        if (event.key === 'ArrowDown' || event.key === 'Enter') {
            event.preventDefault();
            (element.querySelector('.track-row[tabindex="0"]') ?? element.querySelector('.card a'))?.focus();
        }
    });
    app.catalogue.addEventListener('change', draw, { signal: listeners.signal });
    draw();
    requestAnimationFrame(() => input.focus({ preventScroll: true }));
    return { element, title: 'Search', close: () => { cancelAnimationFrame(request); listeners.abort(); list.close(); } };
}
