import { h } from '../parts/dom.js';
import { icon } from '../parts/icons.js';
import { cardColumns } from '../parts/card-columns.js';
import { cover } from '../parts/cover.js';
import { onMenu } from '../parts/menu.js';
import { play, trackMenu } from './track-menu.js';
import { VirtualList } from './virtual-list.js';
import { titleOf } from '../../library/track-text.js';
import { t } from '../../texts/text.js';

/** @typedef {Pick<import('../../app.js').App, 'catalogue' | 'client' | 'covers' | 'downloads' | 'favourites' | 'go' | 'player' | 'playlists' | 'scroller' | 'trackActions'>} Parts what this module uses of the page */

/** Pixels below the cover, for two lines of text and spacing. */
const TEXT = 66;

/**
 * Creates an album card.
 * @param {Parts} app
 * @param {any} album
 * @param {{hasYear?: boolean, next?: number}} options `hasYear`: whether the year is shown; `next`: index of the song to play from,
 *     which is then shown instead of the artist
 */
export function albumCard(app, album, { hasYear = false, next } = {}) {
    const tracks = () => app.catalogue.readAlbumTracks(album.id);
    const nextTitle = next === undefined ? '' : titleOf(app.catalogue.albumTracks(album.id)[next] ?? {});
    const card = h(
        'div.card',
        { 'aria-label': `${album.title}${album.artist ? `, ${album.artist}` : ''}` },
        h(
            'div.card-picture',
            null,
            h('a', { href: `#/albums/${album.id}`, tabindex: '-1', 'aria-label': album.title }, cover(app.covers, album, 220)),
            h('button.card-play', {
                type: 'button',
                tabindex: '-1',
                'aria-label': nextTitle
                    ? t('Continue {title} with {song}', { title: album.title, song: nextTitle })
                    : t('Play {title}', { title: album.title }),
                onclick: async () => play(app, await tracks(), next, next === undefined ? {} : { shuffle: false }),
            }, icon('play')),
        ),
        h('a.card-title', { href: `#/albums/${album.id}`, tabindex: '-1' }, album.title),
        h(
            'span.card-text',
            null,
            hasYear && album.year && `${album.year} · `,
            nextTitle
                ? t('Next: {title}', { title: nextTitle })
                : album.artist_id
                ? h('a', { href: `#/artists/${album.artist_id}`, tabindex: '-1' }, album.artist)
                : album.artist ?? (album.is_compilation ? t('Various artists') : ''),
        ),
    );
    onMenu(
        card,
        async (at) =>
            trackMenu(app, await tracks(), at, {
                heading: album.title,
                more: albumItems(app, album),
                shared: sharedAlbum(album),
                radio: { album: album.id },
            }),
    );
    return card;
}

/**
 * Returns the menu items for a whole album.
 * @param {Parts} app
 */
export function albumItems(app, album) {
    const isStarred = app.favourites.isStarred('albums', album.id);
    return [{
        label: isStarred ? t('Remove album from favourites') : t('Add album to favourites'),
        icon: isStarred ? 'starred' : 'star',
        action: () => app.favourites.star('albums', album.id, !isStarred),
    }];
}

/** Returns what the menu of a whole album shares. */
export function sharedAlbum(album) {
    return { items: { album_ids: [album.id] }, name: album.title };
}

/**
 * Creates a round artist card with the cover of one of the artist's albums.
 * @param {Parts} app
 */
export function artistCard(app, artist) {
    const album = app.catalogue.artistAlbums(artist.id)[0];
    return h(
        'div.card.is-round',
        { 'aria-label': artist.name },
        h(
            'div.card-picture',
            null,
            h(
                'a',
                { href: `#/artists/${artist.id}`, tabindex: '-1', 'aria-label': artist.name },
                cover(app.covers, album ? { ...album, title: artist.name, album: artist.name } : { name: artist.name }, 220),
            ),
        ),
        h('a.card-title', { href: `#/artists/${artist.id}`, tabindex: '-1' }, artist.name),
        h(
            'span.card-text',
            null,
            artist.album_count
                ? t('{count} albums', { count: artist.album_count })
                : t('{count} songs', { count: artist.track_count }),
        ),
    );
}

/**
 * A grid of cards; only visible cards are in the DOM.
 * @param {Parts} app
 * @param {{items: () => any[], make: (item: any) => HTMLElement, open: (item: any) => void, label: string}} options
 */
export function cardGrid(app, { items, make, open, label }) {
    const columns = () => cardColumns(grid.element.clientWidth);
    const grid = new VirtualList({
        scroller: app.scroller,
        count: () => items().length,
        make: (index) => make(items()[index]),
        key: (index) => items()[index].id,
        state: (index) => [items()[index]],
        label,
        className: 'cards',
        columns,
        rowHeight: () => Math.round(grid.element.clientWidth / columns()) + TEXT - 12,
        onOpen: (index) => open(items()[index]),
        onKey: (index, event) => {
            if (event.key === 'm' || event.key === 'ContextMenu') {
                event.target?.dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, cancelable: true }));
                event.preventDefault();
                event.stopPropagation();
            }
        },
    });
    return grid;
}
