import { counted, h, lengthText } from '../parts/dom.js';
import { iconButton, textButton } from '../parts/buttons.js';
import { cover } from '../parts/cover.js';
import { downloadButton } from '../parts/download-mark.js';
import { empty } from '../parts/empty.js';
import { heart, stars } from '../parts/rating.js';
import { albumCard, albumItems, cardShelf } from '../lists/card-grid.js';
import { play, trackMenu } from '../lists/track-menu.js';
import { trackList } from '../lists/track-list.js';

/** One album. */
export function albumPage(app, { id: text }) {
    const { catalogue } = app;
    const id = Number(text);
    const listeners = new AbortController();
    const element = h('section.page.album');
    let list = null;
    const draw = () => {
        const album = catalogue.albumById.get(id);
        if (!album) {
            element.replaceChildren(empty('albums', catalogue.isLoaded ? 'There is no such album' : 'The library is being read…', ''));
            return;
        }
        const tracks = catalogue.albumTracks(id);
        list?.close();
        list = trackList(app, { tracks: () => tracks, label: album.title, lead: 'number', hasAlbum: false });
        const starred = heart(app, 'albums', () => id);
        const rated = stars(app, 'albums', () => id);
        const facts = [album.year, tracks[0]?.genre, counted(album.track_count, 'song'), lengthText(album.duration_seconds)].filter(Boolean);
        const picture = cover(app.covers, album, 320, 'is-large');
        element.setAttribute('aria-label', album.title);
        const others = catalogue.artistAlbums(album.artist_id).filter(other => other.id !== id);
        element.replaceChildren(...[
            h('div.hero', null, h('div.hero-glow', { 'aria-hidden': 'true' }, cover(app.covers, album, 128)), picture,
                h('div.hero-text', null, h('span.hero-kind', null, album.is_compilation ? 'Compilation' : 'Album'), h('h1', { tabindex: '-1' }, album.title),
                    album.artist_id ? h('a.hero-artist', { href: `#/artists/${album.artist_id}` }, album.artist) : h('span.hero-artist', null, album.artist ?? 'Various artists'),
                    h('p.hero-facts', null, facts.join(' · ')),
                    h('div.hero-actions', null, textButton('Play', () => play(app, tracks, 0, { shuffle: false }), { name: 'play', kind: 'is-main' }),
                        textButton('Shuffle', () => play(app, tracks, 0, { shuffle: true }), { name: 'shuffle' }),
                        app.downloads && downloadButton(app, () => tracks, album.title, listeners.signal).element, starred.button, rated.element,
                        iconButton('more', 'More', event => trackMenu(app, tracks, event.currentTarget, { heading: album.title, more: albumItems(app, album) }))))),
            list.element,
            album.integrated_lufs !== undefined && h('p.page-note', null, `Loudness ${album.integrated_lufs.toFixed(1)} LUFS${album.true_peak_dbtp === undefined ? '' : ` · peak ${album.true_peak_dbtp.toFixed(1)} dBTP`}`.replaceAll('-', '−')),
            album.artist && others.length ? cardShelf(`More by ${album.artist}`, others.slice(0, 12).map(other => albumCard(app, other))) : null,
        ].filter(Boolean));
        app.favourites.addEventListener('change', () => { starred.show(); rated.show(); }, { signal: listeners.signal });
    };
    catalogue.addEventListener('change', draw, { signal: listeners.signal });
    draw();
    return { element, title: catalogue.albumById.get(id)?.title ?? 'Album', close: () => { listeners.abort(); list?.close(); } };
}
