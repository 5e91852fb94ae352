import { h } from '../parts/dom.js';
import { empty } from '../parts/empty.js';
import { cover } from '../parts/cover.js';
import { textButton } from '../parts/buttons.js';
import { drawChildren } from '../parts/redraw.js';
import { play } from '../lists/track-menu.js';
import { startRadio } from '../lists/radio-items.js';
import { trackList } from '../lists/track-list.js';
import { UNKNOWN, waiting } from '../parts/placeholder.js';
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
        wait(!catalogue.isLoaded);
        const genres = catalogue.genres();
        lead.textContent = catalogue.isLoaded ? t('{count} genres', { count: genres.length }) : UNKNOWN;
        drawChildren(
            tiles,
            genres.length
                ? genres.map((genre, index) => {
                    const album = catalogue.albumById.get([...genre.albums][0]);
                    return {
                        key: genre.name,
                        state: [index % 12, genre.count, album],
                        make: () =>
                            h(
                                'a.tile.is-genre',
                                { href: `#/genres/${encodeURIComponent(genre.name)}`, 'data-hue': index % 12 },
                                h('span.tile-title', null, genre.name),
                                h('span.tile-text', null, t('{count} songs', { count: genre.count })),
                                h('span.tile-covers', { 'aria-hidden': 'true' }, album && cover(app.covers, album, 128)),
                            ),
                    };
                })
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
    let tracks = [];
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
        wait(!catalogue.isLoaded);
        tracks = catalogue.tracks.filter((track) => track.genre === name);
        lead.textContent = catalogue.isLoaded ? t('{count} songs', { count: tracks.length }) : UNKNOWN;
        list.refresh();
    };
    catalogue.addEventListener('change', draw, { signal: listeners.signal });
    draw();
    return {
        element,
        title: name,
        close: () => {
            listeners.abort();
            list.close();
        },
    };
}
