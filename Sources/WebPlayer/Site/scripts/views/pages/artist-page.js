import { h } from '../parts/dom.js';
import { textButton } from '../parts/buttons.js';
import { cover } from '../parts/cover.js';
import { empty } from '../parts/empty.js';
import { heart } from '../parts/rating.js';
import { drawChildren, keepingPlace } from '../parts/redraw.js';
import { markBusy, placeholder } from '../parts/placeholder.js';
import { albumCard, artistCard } from '../lists/card-grid.js';
import { cardList, drawCards, drawShelves } from '../lists/shelf.js';
import { play } from '../lists/track-menu.js';
import { startRadio } from '../lists/radio-items.js';
import { trackList } from '../lists/track-list.js';
import { releasesOf } from '../../library/releases.js';
import { similarArtists } from '../../library/similar-artists.js';
import { t } from '../../texts/text.js';

/** @typedef {Pick<import('../../app.js').App, 'catalogue' | 'client' | 'connection' | 'covers' | 'downloads' | 'favourites' | 'go' | 'player' | 'playlists' | 'plays' | 'scroller' | 'settings' | 'trackActions'>} Parts what this module uses of the page */

/** Maximum number of top songs; artists with no more songs than this have none. */
const TOP = 5;
/** Maximum number of similar artists. */
const SIMILAR = 12;

/**
 * The page of an artist: top songs, albums, singles and EPs, albums of others, all songs, and similar artists.
 * @param {Parts} app
 */
export function artistPage(app, { id: text }) {
    const { catalogue, connection, favourites, plays } = app;
    const id = Number(text);
    const listeners = new AbortController();
    const { signal } = listeners;
    const nameOf = () => catalogue.artistById.get(id)?.name ?? t('Artist');
    const element = h('section.page.artist');
    let tracks = [];
    const list = trackList(app, { tracks: () => tracks, label: t('Songs by {name}', { name: nameOf() }), view: 'artist' });
    /** @type {any[]} */
    let top = [];
    const topList = trackList(app, {
        tracks: () => top,
        label: t('Top songs by {name}', { name: nameOf() }),
        view: 'artist',
        isRanked: true,
    });
    /** @type {number[]} */
    let similar = [];
    let isSimilarKnown = false;
    const starred = heart(app, 'artists', () => id);
    const actions = h(
        'div.hero-actions',
        null,
        textButton(t('Play'), () => play(app, tracks, 0, { shuffle: false }), { name: 'play', kind: 'is-main' }),
        textButton(t('Shuffle'), () => play(app, tracks, 0, { shuffle: true }), { name: 'shuffle' }),
        textButton(t('Start radio'), () => startRadio(app, { artist: id }), { name: 'radio' }),
        starred.button,
    );
    const hero = h('div.hero');
    const words = h('div.hero-text');
    const cards = cardList('card-wrap', t('Albums by {name}', { name: nameOf() }));
    const shelves = h('div');
    const similarShelf = h('div.similar-artists');
    /** Finds the artists that sound alike, once the songs are known. */
    const findSimilar = async () => {
        if (isSimilarKnown || !tracks.length) return;
        isSimilarKnown = true;
        const ids = await similarArtists(app.client, [...top, ...tracks.filter((track) => !top.includes(track))], signal);
        similar = ids.filter((each) => catalogue.artistById.has(each)).slice(0, SIMILAR);
        if (!signal.aborted) redraw();
    };
    /** Whether top songs would be inserted later: plays and ratings are being read. */
    const isWaiting = () => tracks.length > TOP && connection.mayAnswer && !(plays.isSettled && favourites.isSettled);
    const draw = () => {
        const artist = catalogue.artistById.get(id);
        if (artist) tracks = catalogue.tracksOf('artist_id', id);
        const isKnown = artist ? catalogue.knowsTracksOf('artist_id', id) : catalogue.isLoaded;
        markBusy(element, !isKnown);
        if (!artist || !isKnown) {
            drawChildren(element, [
                isKnown
                    ? { key: empty, make: () => empty('artists', t('Artist not found'), '') }
                    : { key: placeholder, make: () => placeholder('roundHero', 'rows') },
            ]);
            return;
        }
        // Where not all songs are known, those of the artist tell nearly as much.
        const isWhole = catalogue.isLoaded && !catalogue.isLarge;
        const { albums, singles, appearsOn } = releasesOf(catalogue, id, isWhole ? catalogue.tracks : tracks);
        const order = new Map([...albums, ...singles].map((album, index) => [album.id, index]));
        tracks.sort((a, b) =>
            (order.get(a.album_id) ?? 1e9) - (order.get(b.album_id) ?? 1e9) ||
            (a.disc_number ?? 1) - (b.disc_number ?? 1) || (a.track_number ?? 0) - (b.track_number ?? 0)
        );
        top = tracks.length > TOP ? topSongs(app, tracks) : [];
        const [newest] = catalogue.artistAlbums(id);
        const picture = newest ? { ...newest, title: artist.name, album: artist.name } : { name: artist.name };
        const shown = [picture.cover_url, picture.artist, artist.name];
        const facts = [
            artist.album_count && t('{count} albums', { count: artist.album_count }),
            t('{count} songs', { count: artist.track_count }),
        ].filter(
            Boolean,
        ).join(' · ');
        element.setAttribute('aria-label', artist.name);
        drawChildren(words, [
            { key: 'kind', make: () => h('span.hero-kind', null, t('Artist')) },
            { key: 'name', state: [artist.name], make: () => h('h1', { tabindex: '-1' }, artist.name) },
            { key: 'facts', state: [facts], make: () => h('p.hero-facts', null, facts) },
            { key: 'actions', make: () => actions },
        ]);
        drawChildren(hero, [
            {
                key: 'glow',
                state: shown,
                make: () => h('div.hero-glow', { 'aria-hidden': 'true' }, cover(app.covers, picture, 128)),
            },
            { key: 'picture', state: shown, make: () => cover(app.covers, picture, 256, 'is-round') },
            { key: 'text', make: () => words },
        ]);
        drawCards(cards, albums, (album) => albumCard(app, album, { hasYear: true }));
        const heading = (text) => ({ key: text, make: () => h('h2.section', null, text) });
        if (isWaiting()) {
            markBusy(element, true);
            drawChildren(element, [{ key: 'hero', make: () => hero }, { key: placeholder, make: () => placeholder('shelves') }]);
            return;
        }
        drawChildren(element, [
            { key: 'hero', make: () => hero },
            ...(top.length ? [heading(t('Top songs')), { key: 'top', make: () => topList.element }] : []),
            ...(albums.length ? [heading(t('Albums')), { key: 'albums', make: () => cards }] : []),
            { key: 'shelves', make: () => shelves },
            heading(t('Songs')),
            { key: 'list', make: () => list.element },
            // At the end, so that nothing moves when they are found.
            { key: 'similar', make: () => similarShelf },
        ]);
        const released = (album) => albumCard(app, album, { hasYear: true });
        drawShelves(shelves, [
            { title: t('Singles and EPs'), items: singles, make: released },
            { title: t('Appears on'), items: appearsOn, make: released },
        ]);
        drawShelves(similarShelf, [{
            title: t('Similar artists'),
            items: similar.map((each) => catalogue.artistById.get(each)).filter(Boolean),
            make: (each) => artistCard(app, each),
        }]);
        topList.refresh();
        list.refresh();
        findSimilar();
    };
    const redraw = () => keepingPlace(app.scroller, element, draw);
    for (const source of [catalogue, connection, plays]) source.addEventListener('change', redraw, { signal });
    favourites.addEventListener('change', () => {
        starred.show();
        redraw();
    }, { signal });
    plays.need();
    draw();
    return {
        element,
        title: nameOf(),
        close: () => {
            listeners.abort();
            topList.close();
            list.close();
        },
    };
}

/** Returns the songs that the account plays most, then those that it rates best. @param {Parts} app @param {any[]} tracks */
function topSongs({ plays, favourites }, tracks) {
    const marks = (track) => [
        plays.of(track.id),
        favourites.rating('tracks', track.id),
        Number(favourites.isStarred('tracks', track.id)),
    ];
    return tracks.map((track) => ({ track, marks: marks(track) }))
        .filter((each) => each.marks.some((mark) => mark > 0))
        .sort((one, other) => {
            const place = one.marks.findIndex((mark, index) => mark !== other.marks[index]);
            return place < 0 ? 0 : other.marks[place] - one.marks[place];
        })
        .slice(0, TOP).map(({ track }) => track);
}
