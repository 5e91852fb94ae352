import { h } from '../parts/dom.js';
import { decimalText, lengthText } from '../parts/texts.js';
import { iconButton, textButton } from '../parts/buttons.js';
import { cover } from '../parts/cover.js';
import { downloadButton } from '../parts/download-mark.js';
import { empty } from '../parts/empty.js';
import { heart, stars } from '../parts/rating.js';
import { drawChildren, keepingPlace } from '../parts/redraw.js';
import { markBusy, placeholder } from '../parts/placeholder.js';
import { albumCard, albumItems, sharedAlbum } from '../lists/card-grid.js';
import { drawShelves } from '../lists/shelf.js';
import { play, trackMenu } from '../lists/track-menu.js';
import { startRadio } from '../lists/radio-items.js';
import { trackList } from '../lists/track-list.js';
import { t } from '../../texts/text.js';

/** @typedef {Pick<import('../../app.js').App, 'catalogue' | 'client' | 'covers' | 'downloads' | 'favourites' | 'go' | 'player' | 'playlists' | 'plays' | 'scroller' | 'settings' | 'trackActions'>} Parts what this module uses of the page */

/** Maximum number of other albums shown. */
const OTHERS = 12;

/**
 * The page of an album.
 * @param {Parts} app
 */
export function albumPage(app, { id: text }) {
    const { catalogue } = app;
    const id = Number(text);
    const listeners = new AbortController();
    const { signal } = listeners;
    const nameOf = () => catalogue.albumById.get(id)?.title ?? t('Album');
    let tracks = catalogue.albumTracks(id);
    const element = h('section.page.album');
    const list = trackList(app, { tracks: () => tracks, label: nameOf(), view: 'album', lead: 'number', hasAlbum: false });
    const starred = heart(app, 'albums', () => id);
    const rated = stars(app, 'albums', () => id);
    app.favourites.addEventListener('change', () => {
        starred.show();
        rated.show();
    }, { signal });
    const download = app.downloads && downloadButton(app, () => tracks, nameOf(), signal);
    const actions = h(
        'div.hero-actions',
        null,
        textButton(t('Play'), () => play(app, tracks, 0, { shuffle: false }), { name: 'play', kind: 'is-main' }),
        textButton(t('Shuffle'), () => play(app, tracks, 0, { shuffle: true }), { name: 'shuffle' }),
        textButton(t('Start radio'), () => startRadio(app, { album: id }), { name: 'radio' }),
        download?.element,
        starred.button,
        rated.element,
        iconButton('more', t('More'), (event) =>
            trackMenu(app, tracks, event.currentTarget, {
                heading: nameOf(),
                more: albumItems(app, catalogue.albumById.get(id)),
                shared: sharedAlbum({ id, title: nameOf() }),
                radio: { album: id },
            })),
    );
    const hero = h('div.hero');
    const words = h('div.hero-text');
    const shelves = h('div');
    const draw = () => {
        const album = catalogue.albumById.get(id);
        if (album) tracks = catalogue.albumTracks(id);
        const isKnown = album ? catalogue.knowsTracksOf('album_id', id) : catalogue.isLoaded;
        markBusy(element, !isKnown);
        if (!album || !isKnown) {
            drawChildren(element, [
                isKnown
                    ? { key: empty, make: () => empty('albums', t('Album not found'), '') }
                    : { key: placeholder, make: () => placeholder('hero', 'rows') },
            ]);
            return;
        }
        element.setAttribute('aria-label', album.title);
        const facts = [
            album.year,
            tracks[0]?.genre,
            t('{count} songs', { count: album.track_count }),
            lengthText(album.duration_seconds),
        ].filter(
            Boolean,
        ).join(' · ');
        const loudness = album.integrated_lufs === undefined ? '' : [
            t('Loudness {level} LUFS', { level: decimalText(album.integrated_lufs, 1) }),
            album.true_peak_dbtp !== undefined && t('peak {level} dBTP', { level: decimalText(album.true_peak_dbtp, 1) }),
        ].filter(Boolean).join(' · ');
        const others = album.artist
            ? catalogue.artistAlbums(album.artist_id).filter((other) => other.id !== id).slice(0, OTHERS)
            : [];
        const picture = [album.cover_url, album.title, album.artist];
        drawChildren(words, [
            {
                key: 'kind',
                state: [album.is_compilation],
                make: () => h('span.hero-kind', null, album.is_compilation ? t('Compilation') : t('Album')),
            },
            { key: 'title', state: [album.title], make: () => h('h1', { tabindex: '-1' }, album.title) },
            {
                key: 'artist',
                state: [album.artist_id, album.artist],
                make: () => (album.artist_id
                    ? h('a.hero-artist', { href: `#/artists/${album.artist_id}` }, album.artist)
                    : h('span.hero-artist', null, album.artist ?? t('Various artists'))),
            },
            {
                key: 'facts',
                state: [facts],
                make: () =>
                    h('p.hero-facts', null, facts),
            },
            { key: 'actions', make: () => actions },
        ]);
        drawChildren(hero, [
            {
                key: 'glow',
                state: picture,
                make: () => h('div.hero-glow', { 'aria-hidden': 'true' }, cover(app.covers, album, 128)),
            },
            { key: 'picture', state: picture, make: () => cover(app.covers, album, 320, 'is-large') },
            { key: 'text', make: () => words },
        ]);
        drawChildren(element, [
            { key: 'hero', make: () => hero },
            { key: 'list', make: () => list.element },
            ...(loudness ? [{ key: 'loudness', state: [loudness], make: () => h('p.page-note', null, loudness) }] : []),
            { key: 'shelves', make: () => shelves },
        ]);
        drawShelves(shelves, [{
            title: t('More by {artist}', { artist: album.artist }),
            items: others,
            make: (other) => albumCard(app, other),
        }]);
        list.refresh();
        download?.draw();
    };
    catalogue.addEventListener('change', () => keepingPlace(app.scroller, element, draw), { signal });
    draw();
    return {
        element,
        title: nameOf(),
        close: () => {
            listeners.abort();
            list.close();
        },
    };
}
