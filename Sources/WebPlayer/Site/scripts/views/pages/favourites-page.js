import { h } from '../parts/dom.js';
import { empty } from '../parts/empty.js';
import { textButton } from '../parts/buttons.js';
import { keepingPlace } from '../parts/redraw.js';
import { albumCard, artistCard } from '../lists/card-grid.js';
import { drawShelves } from '../lists/shelf.js';
import { play } from '../lists/track-menu.js';
import { trackList } from '../lists/track-list.js';
import { markBusy, placeholder, UNKNOWN } from '../parts/placeholder.js';
import { page } from './page.js';
import { t } from '../../texts/text.js';

/** @typedef {Pick<import('../../app.js').App, 'catalogue' | 'client' | 'connection' | 'covers' | 'downloads' | 'favourites' | 'go' | 'player' | 'playlists' | 'plays' | 'scroller' | 'settings' | 'trackActions'>} Parts what this module uses of the page */

/**
 * The page of favourite songs, albums and artists.
 * @param {Parts} app
 */
export function favouritesPage(app) {
    const { catalogue, connection, favourites } = app;
    const listeners = new AbortController();
    let tracks = [];
    const list = trackList(app, { tracks: () => tracks, label: t('Favourite songs'), view: 'favourites' });
    const shelves = h('div');
    const { element, lead } = page(
        t('Favourites'),
        {
            actions: [
                textButton(t('Play'), () => play(app, tracks, 0, { shuffle: false }), { name: 'play', kind: 'is-main' }),
                textButton(t('Shuffle'), () => play(app, tracks, 0, { shuffle: true }), { name: 'shuffle' }),
            ],
        },
        shelves,
        list.element,
    );
    const isWaiting = () => !catalogue.isLoaded || (connection.mayAnswer && !favourites.isSettled) || catalogue.isReading;
    const of = (kind, map) => favourites.starred(kind).map((id) => map.get(id)).filter(Boolean);
    const draw = () => {
        tracks = of('tracks', catalogue.trackById);
        markBusy(element, isWaiting());
        list.element.hidden = isWaiting();
        if (isWaiting()) {
            lead.textContent = UNKNOWN;
            drawShelves(shelves, [], [{ key: placeholder, make: () => placeholder('shelves') }]);
            return;
        }
        const albums = of('albums', catalogue.albumById);
        const artists = of('artists', catalogue.artistById);
        lead.textContent = t('{count} songs', { count: tracks.length });
        const isNothing = !tracks.length && !albums.length && !artists.length;
        drawShelves(
            shelves,
            [{ title: t('Albums'), items: albums, make: (album) => albumCard(app, album) }, {
                title: t('Artists'),
                items: artists,
                make: (artist) => artistCard(app, artist),
            }],
            isNothing
                ? [{
                    key: empty,
                    make: () =>
                        empty(
                            'star',
                            t('No favourites yet'),
                            t('Tap the heart of a song, an album or an artist to add it here, on all your devices.'),
                        ),
                }]
                : [],
        );
        list.refresh();
    };
    for (const source of [catalogue, connection, favourites]) {
        source.addEventListener('change', () => keepingPlace(app.scroller, element, draw), { signal: listeners.signal });
    }
    draw();
    return {
        element,
        title: t('Favourites'),
        close: () => {
            listeners.abort();
            list.close();
        },
    };
}
