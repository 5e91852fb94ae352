import { h } from '../parts/dom.js';
import { textButton } from '../parts/buttons.js';
import { cover } from '../parts/cover.js';
import { empty } from '../parts/empty.js';
import { heart } from '../parts/rating.js';
import { drawChildren, keepingPlace } from '../parts/redraw.js';
import { albumCard, drawCards } from '../lists/card-grid.js';
import { play } from '../lists/track-menu.js';
import { startRadio } from '../lists/radio-items.js';
import { trackList } from '../lists/track-list.js';
import { t } from '../../texts/text.js';

/** @typedef {Pick<import('../../app.js').App, 'catalogue' | 'client' | 'covers' | 'downloads' | 'favourites' | 'go' | 'player' | 'playlists' | 'plays' | 'scroller' | 'settings' | 'trackActions'>} Parts what this module uses of the page */

/**
 * The page of an artist: albums and songs.
 * @param {Parts} app
 */
export function artistPage(app, { id: text }) {
    const { catalogue } = app;
    const id = Number(text);
    const listeners = new AbortController();
    const { signal } = listeners;
    const nameOf = () => catalogue.artistById.get(id)?.name ?? t('Artist');
    const element = h('section.page.artist');
    let tracks = [];
    const list = trackList(app, { tracks: () => tracks, label: t('Songs by {name}', { name: nameOf() }), view: 'artist' });
    const starred = heart(app, 'artists', () => id);
    app.favourites.addEventListener('change', starred.show, { signal });
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
    const cards = h('div.card-wrap', { role: 'group', 'aria-label': t('Albums by {name}', { name: nameOf() }) });
    const draw = () => {
        const artist = catalogue.artistById.get(id);
        if (!artist) {
            const title = catalogue.isLoaded ? t('Artist not found') : t('Loading library…');
            drawChildren(element, [{ key: empty, state: [title], make: () => empty('artists', title, '') }]);
            return;
        }
        const albums = catalogue.artistAlbums(id);
        const order = new Map(albums.map((album, index) => [album.id, index]));
        tracks = catalogue.artistTracks(id).sort((a, b) =>
            (order.get(a.album_id) ?? 1e9) - (order.get(b.album_id) ?? 1e9) ||
            (a.disc_number ?? 1) - (b.disc_number ?? 1) || (a.track_number ?? 0) - (b.track_number ?? 0)
        );
        const picture = albums[0] ? { ...albums[0], title: artist.name, album: artist.name } : { name: artist.name };
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
        drawCards(cards, albums, (album) => albumCard(app, album));
        drawChildren(element, [
            { key: 'hero', make: () => hero },
            ...(albums.length ? [{ key: 'albums', make: () => cards }] : []),
            { key: 'heading', make: () => h('h2.section', null, t('Songs')) },
            { key: 'list', make: () => list.element },
        ]);
        list.refresh();
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
