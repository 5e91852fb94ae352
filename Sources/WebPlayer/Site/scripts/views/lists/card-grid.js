import { h } from '../parts/dom.js';
import { icon } from '../parts/icons.js';
import { cover } from '../parts/cover.js';
import { onMenu } from '../parts/menu.js';
import { play, trackMenu } from './track-menu.js';
import { VirtualList } from './virtual-list.js';

/** Width that a card has at least, in pixels. */
const CARD = 172;
const CARD_SMALL = 140;
/** Pixels below the cover, for two lines of text and the space. */
const TEXT = 66;

/** An album as a card. */
export function albumCard(app, album) {
    const tracks = () => app.catalogue.albumTracks(album.id);
    const card = h('div.card', { 'aria-label': `${album.title}${album.artist ? `, ${album.artist}` : ''}` },
        h('div.card-picture', null,
            h('a', { href: `#/albums/${album.id}`, tabindex: '-1', 'aria-label': album.title }, cover(app.covers, album, 220)),
            h('button.card-play', { type: 'button', tabindex: '-1', 'aria-label': `Play ${album.title}`, onclick: () => play(app, tracks()) }, icon('play'))),
        h('a.card-title', { href: `#/albums/${album.id}`, tabindex: '-1' }, album.title),
        h('span.card-text', null, album.artist_id ? h('a', { href: `#/artists/${album.artist_id}`, tabindex: '-1' }, album.artist)
            : album.artist ?? (album.is_compilation ? 'Various artists' : '')));
    onMenu(card, at => trackMenu(app, tracks(), at, { heading: album.title, more: albumItems(app, album) }));
    return card;
}

/** What can be done with an album as a whole. */
export function albumItems(app, album) {
    const isStarred = app.favourites.isStarred('albums', album.id);
    return [{ label: isStarred ? 'Remove album from favourites' : 'Album to favourites', icon: isStarred ? 'starred' : 'star',
        action: () => app.favourites.star('albums', album.id, !isStarred) }];
}

/** An artist as a card: round, with the cover of one of the albums. */
export function artistCard(app, artist) {
    const album = app.catalogue.artistAlbums(artist.id)[0];
    return h('div.card.is-round', { 'aria-label': artist.name },
        h('div.card-picture', null, h('a', { href: `#/artists/${artist.id}`, tabindex: '-1', 'aria-label': artist.name },
            cover(app.covers, album ? { ...album, title: artist.name, album: artist.name } : { name: artist.name }, 220))),
        h('a.card-title', { href: `#/artists/${artist.id}`, tabindex: '-1' }, artist.name),
        h('span.card-text', null, artist.album_count ? `${artist.album_count} ${artist.album_count === 1 ? 'album' : 'albums'}`
            : `${artist.track_count} ${artist.track_count === 1 ? 'song' : 'songs'}`));
}

/**
 * Cards in a grid, of which only those that are seen are in the page.
 * @param {any} app
 * @param {{items: () => any[], make: (item: any) => HTMLElement, open: (item: any) => void, label: string}} options
 */
export function cardGrid(app, { items, make, open, label }) {
    let width = 0;
    const columns = () => {
        width = grid.element.clientWidth;
        return Math.max(2, Math.floor(width / (width < 560 ? CARD_SMALL : CARD)));
    };
    const grid = new VirtualList({
        scroller: app.scroller, count: () => items().length, make: index => make(items()[index]), label, className: 'cards',
        columns, rowHeight: () => Math.round(grid.element.clientWidth / columns()) + TEXT - 12, onOpen: index => open(items()[index]),
        onKey: (index, event) => {
            if (event.key === 'm' || event.key === 'ContextMenu') {
                event.target.dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, cancelable: true }));
                event.preventDefault();
                event.stopPropagation();
            }
        },
    });
    return grid;
}

/** A row of cards to be scrolled sideways. */
export function cardShelf(title, cards, href) {
    if (!cards.length) return null;
    return h('section.shelf', { 'aria-label': title },
        h('header', null, h('h2', null, title), href && h('a.shelf-more', { href }, 'See all')),
        h('div.shelf-cards', { tabindex: '0', role: 'group', 'aria-label': title }, cards));
}
