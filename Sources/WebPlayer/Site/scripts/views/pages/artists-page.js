import { empty, noMusic } from '../parts/empty.js';
import { artistCard, cardGrid } from '../lists/card-grid.js';
import { choice } from '../parts/choice.js';
import { UNKNOWN, waiting } from '../parts/placeholder.js';
import { page } from './page.js';
import { t } from '../../texts/text.js';

/** @typedef {Pick<import('../../app.js').App, 'catalogue' | 'client' | 'connection' | 'covers' | 'downloads' | 'favourites' | 'go' | 'player' | 'playlists' | 'scroller' | 'trackActions'>} Parts what this module uses of the page */

/**
 * The page of artists: those with albums, or all.
 * @param {Parts} app
 */
export function artistsPage(app) {
    const { catalogue } = app;
    const listeners = new AbortController();
    let which = 'albums';
    let artists = [];
    const grid = cardGrid(app, {
        items: () => artists,
        make: (artist) => artistCard(app, artist),
        open: (artist) => app.go(`/artists/${artist.id}`),
        label: t('Artists'),
    });
    const { element, lead } = page(t('Artists'), {
        actions: [choice(t('Show'), [['albums', t('With albums')], ['all', t('All')]], which, (name) => {
            which = name;
            draw({ isAnchored: false });
        })],
    }, grid.element);
    const wait = waiting(element, grid.element, 'cards');
    const draw = (options) => {
        wait(!catalogue.hasAlbums);
        artists = which === 'all' ? catalogue.artists : catalogue.artists.filter((artist) => artist.album_count > 0);
        lead.textContent = catalogue.hasAlbums ? t('{count} artists', { count: artists.length }) : UNKNOWN;
        element.querySelector('.empty')?.remove();
        if (!artists.length && catalogue.isLoaded) {
            element.append(
                catalogue.trackCount
                    ? empty('artists', t('No artists'), t('Songs whose tags name an artist appear here.'))
                    : noMusic(app),
            );
        }
        grid.refresh(options);
    };
    catalogue.addEventListener('change', () => draw(), { signal: listeners.signal });
    draw();
    return {
        element,
        title: t('Artists'),
        close: () => {
            listeners.abort();
            grid.close();
        },
    };
}
