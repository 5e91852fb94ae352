import { h } from '../parts/dom.js';
import { lengthText } from '../parts/texts.js';
import { noMusic } from '../parts/empty.js';
import { textButton } from '../parts/buttons.js';
import { keepingPlace } from '../parts/redraw.js';
import { albumCard, artistCard } from '../lists/card-grid.js';
import { markBusy, placeholder, UNKNOWN } from '../parts/placeholder.js';
import { drawShelves } from '../lists/shelf.js';
import { play } from '../lists/track-menu.js';
import { interruptedAlbums } from '../../library/interrupted-albums.js';
import { t } from '../../texts/text.js';

/** @typedef {Pick<import('../../app.js').App, 'catalogue' | 'client' | 'connection' | 'covers' | 'downloads' | 'favourites' | 'go' | 'homeLists' | 'player' | 'playlists' | 'scroller' | 'trackActions'>} Parts what this module uses of the page */

/** Maximum number of cards on a shelf. */
const SHELF = 14;
/** Seconds without a play after which a favourite is forgotten. */
const FORGOTTEN = 60 * 86_400;

/**
 * The home page: interrupted, recently played, new, favourite, most played and forgotten albums, and artists.
 * @param {Parts} app
 */
export function homePage(app) {
    const { catalogue, connection, favourites, homeLists } = app;
    const listeners = new AbortController();
    const allSongs = () => (catalogue.isLarge ? catalogue.songs({}) : catalogue.tracks);
    const shelves = h('div.shelves');
    const greeting = h('h1', { tabindex: '-1' });
    const lead = h('p.page-text');
    const element = h(
        'section.page.home',
        { 'aria-label': t('Home') },
        h(
            'header.page-head',
            null,
            h('div', null, greeting, lead),
            h(
                'div.page-actions',
                null,
                textButton(t('Shuffle all'), () => play(app, allSongs(), 0, { shuffle: true }), {
                    name: 'shuffle',
                    kind: 'is-main',
                }),
            ),
        ),
        shelves,
    );
    const albumsOf = (tracks) => {
        const seen = new Set();
        const albums = [];
        for (const track of tracks) {
            const album = catalogue.albumById.get(track.album_id);
            if (!album || seen.has(album.id)) continue;
            seen.add(album.id);
            albums.push(album);
            if (albums.length === SHELF) break;
        }
        return albums;
    };
    const latest = forList((albums) => [...albums].sort((a, b) => b.id - a.id).slice(0, SHELF));
    const newest = forList((tracks) => [...tracks].sort((a, b) => b.added_at - a.added_at));
    const largest = forList((artists) => [...artists].sort((a, b) => b.track_count - a.track_count).slice(0, SHELF));
    const duration = forList((items) => items.reduce((sum, each) => sum + (each.duration_seconds ?? 0), 0));
    homeLists.restore();
    /** Whether rows would be inserted later. */
    const isWaiting = () =>
        !catalogue.isLoaded ||
        (connection.mayAnswer && !homeLists.isLoaded && !(homeLists.isSettled && favourites.isSettled));
    let interrupted = /** @type {{id: number, album: any, next: number}[]} */ ([]);
    /** The interrupted albums; unchanged ones are the same objects as before, so that their cards are kept. */
    const continued = () => {
        interrupted = interruptedAlbums(homeLists.lately, catalogue).slice(0, SHELF).map(({ album, next }) =>
            interrupted.find((each) => each.album === album && each.next === next) ?? { id: album.id, album, next }
        );
        return interrupted;
    };
    const draw = () => {
        const hour = new Date().getHours();
        greeting.textContent = hour < 5
            ? t('Good night')
            : hour < 12
            ? t('Good morning')
            : hour < 18
            ? t('Good afternoon')
            : t('Good evening');
        lead.textContent = catalogue.trackCount
            ? [
                t('{count} songs', { count: catalogue.trackCount }),
                t('{count} albums', { count: catalogue.albums.length }),
                // The albums of a large library tell nearly as much as its songs.
                lengthText(duration(catalogue.isLarge ? catalogue.albums : catalogue.tracks)),
            ].join(' · ')
            : UNKNOWN;
        markBusy(element, isWaiting());
        if (isWaiting()) {
            drawShelves(shelves, [], [{ key: placeholder, make: () => placeholder('shelves') }]);
            return;
        }
        if (!catalogue.trackCount) {
            drawShelves(shelves, [], [{ key: 'nothing', state: [connection.hasRole('editor')], make: () => noMusic(app) }]);
            return;
        }
        const recent = catalogue.isLarge ? latest(catalogue.albums) : albumsOf(newest(catalogue.tracks));
        const loved = homeLists.albums.map((id) => catalogue.albumById.get(id)).filter(Boolean).slice(0, SHELF);
        const artists = largest(catalogue.artists);
        const album = (each) => albumCard(app, each);
        drawShelves(shelves, [
            {
                title: t('Continue listening'),
                items: continued(),
                make: ({ album, next }) => albumCard(app, album, { next }),
            },
            { title: t('Recently played'), items: albumsOf(homeLists.lately), make: album },
            { title: t('Recently added'), href: '#/albums', items: recent, make: album },
            { title: t('Favourite albums'), href: '#/favourites', items: loved, make: album },
            { title: t('Most played'), items: albumsOf(homeLists.often), make: album },
            { title: t('Forgotten favourites'), items: albumsOf(longAgo(homeLists.starred)), make: album },
            { title: t('Artists'), href: '#/artists', items: artists, make: (each) => artistCard(app, each) },
        ]);
    };
    const { signal } = listeners;
    const redraw = () => keepingPlace(app.scroller, element, draw);
    for (const source of [catalogue, connection, favourites, homeLists]) source.addEventListener('change', redraw, { signal });
    draw();
    let isAsked = false;
    const ask = () => {
        if (isAsked || connection.state !== 'open') return;
        isAsked = true;
        homeLists.refresh(signal).catch(() => {});
    };
    connection.addEventListener('change', ask, { signal });
    ask();
    return { element, title: t('Home'), close: () => listeners.abort() };
}

/** Returns a function of a list that computes its value again only for another list. @param {(list: any[]) => any} compute */
function forList(compute) {
    let last = { list: /** @type {any[] | null} */ (null), value: /** @type {any} */ (null) };
    return (/** @type {any[]} */ list) => {
        if (last.list !== list) last = { list, value: compute(list) };
        return last.value;
    };
}

/** Returns the tracks that were neither starred nor played for a long time, the longest ago first. @param {any[]} tracks */
function longAgo(tracks) {
    const last = ({ listening }) => Math.max(listening?.last_played_at ?? 0, listening?.starred_at ?? 0);
    const end = Date.now() / 1000 - FORGOTTEN;
    return tracks.filter((track) => last(track) < end).sort((one, other) => last(one) - last(other));
}
