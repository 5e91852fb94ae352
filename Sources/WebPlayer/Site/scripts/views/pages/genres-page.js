import { h } from '../parts/dom.js';
import { empty } from '../parts/empty.js';
import { cover } from '../parts/cover.js';
import { textButton } from '../parts/buttons.js';
import { drawChildren } from '../parts/redraw.js';
import { play } from '../lists/track-menu.js';
import { startRadio } from '../lists/radio-items.js';
import { trackList } from '../lists/track-list.js';
import { UNKNOWN, waiting } from '../parts/placeholder.js';
import { WindowedSongs } from '../lists/windowed-songs.js';
import { page } from './page.js';
import { t } from '../../texts/text.js';

/** @typedef {Pick<import('../../app.js').App, 'catalogue' | 'client' | 'covers' | 'downloads' | 'favourites' | 'go' | 'player' | 'playlists' | 'plays' | 'scroller' | 'settings' | 'trackActions'>} Parts what this module uses of the page */

/**
 * The page of all genres.
 * @param {Parts} app
 */
export function genresPage(app) {
    const { catalogue } = app;
    const listeners = new AbortController();
    const tiles = h('div.tiles');
    const { element, lead } = page(t('Genres'), {}, tiles);
    const wait = waiting(element, tiles, 'tiles');
    const draw = () => {
        const known = catalogue.isLoaded ? catalogue.genres() : null;
        const genres = known ?? [];
        wait(!known);
        lead.textContent = known ? t('{count} genres', { count: genres.length }) : UNKNOWN;
        drawChildren(
            tiles,
            genres.length
                ? genres.map(({ name, count, album }, index) => ({
                    key: name,
                    state: [index % 12, count, album],
                    make: () =>
                        h(
                            'a.tile.is-genre',
                            { href: `#/genres/${encodeURIComponent(name)}`, 'data-hue': index % 12 },
                            h('span.tile-title', null, name),
                            h('span.tile-text', null, t('{count} songs', { count })),
                            h('span.tile-covers', { 'aria-hidden': 'true' }, album && cover(app.covers, album, 128)),
                        ),
                }))
                : [{ key: empty, make: () => empty('genres', t('No genres'), t('Songs whose tags name a genre appear here.')) }],
        );
    };
    catalogue.addEventListener('change', draw, { signal: listeners.signal });
    draw();
    return { element, title: t('Genres'), close: () => listeners.abort() };
}

/**
 * The page of a genre's songs.
 * @param {Parts} app
 */
export function genrePage(app, { name }) {
    const { catalogue } = app;
    const listeners = new AbortController();
    /** @type {any[] | import('../../library/host-tracks.js').HostTracks} */
    let tracks = [];
    const windowed = new WindowedSongs(catalogue, () => draw());
    const list = trackList(app, { tracks: () => tracks, label: name, view: 'genre' });
    const { element, lead } = page(name, {
        actions: [
            textButton(t('Play'), () => play(app, tracks, 0, { shuffle: false }), { name: 'play', kind: 'is-main' }),
            textButton(t('Shuffle'), () => play(app, tracks, 0, { shuffle: true }), { name: 'shuffle' }),
            textButton(t('Start radio'), () => startRadio(app, { genre: name }), { name: 'radio' }),
        ],
    }, list.element);
    const wait = waiting(element, list.element, 'rows');
    const draw = () => {
        tracks = catalogue.isLarge ? windowed.show({ genre: name }) : catalogue.tracks.filter((track) => track.genre === name);
        const isKnown = Array.isArray(tracks) ? catalogue.isLoaded : tracks.isKnown;
        wait(!isKnown);
        lead.textContent = isKnown ? t('{count} songs', { count: tracks.length }) : UNKNOWN;
        list.refresh();
    };
    catalogue.addEventListener('change', draw, { signal: listeners.signal });
    draw();
    return {
        element,
        title: name,
        close: () => {
            listeners.abort();
            windowed.close();
            list.close();
        },
    };
}
