import { counted, h } from '../parts/dom.js';
import { textButton } from '../parts/buttons.js';
import { cover } from '../parts/cover.js';
import { empty } from '../parts/empty.js';
import { heart } from '../parts/rating.js';
import { albumCard } from '../lists/card-grid.js';
import { play } from '../lists/track-menu.js';
import { trackList } from '../lists/track-list.js';

/** One artist: the albums, and all songs. */
export function artistPage(app, { id: text }) {
    const { catalogue } = app;
    const id = Number(text);
    const listeners = new AbortController();
    const element = h('section.page.artist');
    let list = null;
    const draw = () => {
        const artist = catalogue.artistById.get(id);
        if (!artist) {
            element.replaceChildren(empty('artists', catalogue.isLoaded ? 'There is no such artist' : 'The library is being read…', ''));
            return;
        }
        const albums = catalogue.artistAlbums(id);
        const order = new Map(albums.map((album, index) => [album.id, index]));
        const tracks = catalogue.artistTracks(id).sort((a, b) => (order.get(a.album_id) ?? 1e9) - (order.get(b.album_id) ?? 1e9)
            || (a.disc_number ?? 1) - (b.disc_number ?? 1) || (a.track_number ?? 0) - (b.track_number ?? 0));
        list?.close();
        list = trackList(app, { tracks: () => tracks, label: `Songs by ${artist.name}` });
        const starred = heart(app, 'artists', () => id);
        const picture = albums[0] ? { ...albums[0], title: artist.name, album: artist.name } : { name: artist.name };
        element.setAttribute('aria-label', artist.name);
        element.replaceChildren(
            h('div.hero', null, h('div.hero-glow', { 'aria-hidden': 'true' }, cover(app.covers, picture, 128)), cover(app.covers, picture, 256, 'is-round'),
                h('div.hero-text', null, h('span.hero-kind', null, 'Artist'), h('h1', { tabindex: '-1' }, artist.name),
                    h('p.hero-facts', null, [artist.album_count && counted(artist.album_count, 'album'), counted(artist.track_count, 'song')].filter(Boolean).join(' · ')),
                    h('div.hero-actions', null, textButton('Play', () => play(app, tracks, 0, { shuffle: false }), { name: 'play', kind: 'is-main' }),
                        textButton('Shuffle', () => play(app, tracks, 0, { shuffle: true }), { name: 'shuffle' }), starred.button))),
            albums.length ? h('div.card-wrap', { role: 'group', 'aria-label': `Albums by ${artist.name}` }, albums.map(album => albumCard(app, album))) : '',
            h('h2.section', null, 'Songs'), list.element);
        app.favourites.addEventListener('change', starred.show, { signal: listeners.signal });
    };
    catalogue.addEventListener('change', draw, { signal: listeners.signal });
    draw();
    return { element, title: catalogue.artistById.get(id)?.name ?? 'Artist', close: () => { listeners.abort(); list?.close(); } };
}
