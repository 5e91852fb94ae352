import { counted } from '../parts/dom.js';
import { empty } from '../parts/empty.js';
import { textButton } from '../parts/buttons.js';
import { albumCard, artistCard, cardShelf } from '../lists/card-grid.js';
import { play } from '../lists/track-menu.js';
import { trackList } from '../lists/track-list.js';
import { page } from './page.js';

/** What has a heart. */
export function favouritesPage(app) {
    const { catalogue, favourites } = app;
    const listeners = new AbortController();
    let tracks = [];
    const list = trackList(app, { tracks: () => tracks, label: 'Favourite songs' });
    const shelves = document.createElement('div');
    const { element, lead } = page('Favourites', { actions: [textButton('Play', () => play(app, tracks, 0, { shuffle: false }), { name: 'play', kind: 'is-main' }),
        textButton('Shuffle', () => play(app, tracks, 0, { shuffle: true }), { name: 'shuffle' })] }, shelves, list.element);
    const draw = () => {
        const of = (kind, map) => favourites.starred(kind).map(id => map.get(id)).filter(Boolean);
        tracks = of('tracks', catalogue.trackById);
        const albums = of('albums', catalogue.albumById);
        const artists = of('artists', catalogue.artistById);
        lead.textContent = counted(tracks.length, 'song');
        shelves.replaceChildren(...[cardShelf('Albums', albums.map(album => albumCard(app, album))), cardShelf('Artists', artists.map(artist => artistCard(app, artist)))].filter(Boolean));
        if (!tracks.length && !albums.length && !artists.length) shelves.append(empty('star', 'Nothing here yet', 'A heart at a song, an album or an artist brings it here, on all your devices.'));
        list.refresh();
    };
    for (const source of [catalogue, favourites]) source.addEventListener('change', draw, { signal: listeners.signal });
    draw();
    return { element, title: 'Favourites', close: () => { listeners.abort(); list.close(); } };
}
