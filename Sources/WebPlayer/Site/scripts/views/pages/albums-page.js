import { empty, noMusic } from '../parts/empty.js';
import { albumCard, cardGrid } from '../lists/card-grid.js';
import { choice } from '../parts/choice.js';
import { textButton } from '../parts/buttons.js';
import { UNKNOWN, waiting } from '../parts/placeholder.js';
import { page } from './page.js';
import { plain } from '../../library/track-text.js';
import { t } from '../../texts/text.js';

/** @typedef {Pick<import('../../app.js').App, 'catalogue' | 'client' | 'connection' | 'covers' | 'downloads' | 'favourites' | 'go' | 'player' | 'playlists' | 'scroller' | 'settings' | 'trackActions'>} Parts what this module uses of the page */

const sorts = () => [['title', t('Title')], ['artist', t('Artist')], ['year', t('Year')], ['added', t('Added')]];

/**
 * The page of all albums.
 * @param {Parts} app
 */
export function albumsPage(app) {
    const { catalogue, settings } = app;
    const listeners = new AbortController();
    let albums = [];
    const sort = () => {
        const by = settings.get('library.sort.albums');
        albums = [...catalogue.albums];
        const compare = (key, isDown = false) => {
            const keys = new Map(albums.map((album) => [album, key(album)]));
            albums.sort((a, b) => (keys.get(a) < keys.get(b) ? -1 : keys.get(a) > keys.get(b) ? 1 : 0) * (isDown ? -1 : 1));
        };
        if (by === 'artist') compare((album) => `${plain(album.artist ?? '\uffff')}\n${album.year ?? 9999}`);
        if (by === 'year') compare((album) => album.year ?? 0, true);
        // Of a large library, albums are in the order in which the host has first seen them.
        if (by === 'added' && catalogue.isLarge) compare((album) => album.id, true);
        else if (by === 'added') {
            const added = new Map();
            for (const track of catalogue.tracks) {
                if (track.album_id) added.set(track.album_id, Math.max(added.get(track.album_id) ?? 0, track.added_at));
            }
            compare((album) => added.get(album.id) ?? 0, true);
        }
    };
    const grid = cardGrid(app, {
        items: () => albums,
        make: (album) => albumCard(app, album),
        open: (album) => app.go(`/albums/${album.id}`),
        label: t('Albums'),
    });
    const { element, lead } = page(t('Albums'), {
        actions: [
            choice(t('Sort by'), sorts(), settings.get('library.sort.albums'), (name) => {
                settings.set('library.sort.albums', name);
                draw({ isAnchored: false });
            }),
            textButton(t('Decades'), () => app.go('/decades'), { name: 'calendar' }),
        ],
    }, grid.element);
    const wait = waiting(element, grid.element, 'cards');
    const draw = (options) => {
        // The songs say when an album was added.
        const isKnown = settings.get('library.sort.albums') === 'added' ? catalogue.isLoaded : catalogue.hasAlbums;
        wait(!isKnown);
        sort();
        lead.textContent = isKnown ? t('{count} albums', { count: albums.length }) : UNKNOWN;
        element.querySelector('.empty')?.remove();
        if (!albums.length && catalogue.isLoaded) {
            element.append(
                catalogue.trackCount
                    ? empty('albums', t('No albums'), t('Songs whose tags name an album appear here.'))
                    : noMusic(app),
            );
        }
        grid.refresh(options);
    };
    catalogue.addEventListener('change', () => draw(), { signal: listeners.signal });
    draw();
    return {
        element,
        title: t('Albums'),
        close: () => {
            listeners.abort();
            grid.close();
        },
    };
}
