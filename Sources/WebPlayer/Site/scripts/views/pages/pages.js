import { accountsPage } from './accounts-page.js';
import { albumPage } from './album-page.js';
import { albumsPage } from './albums-page.js';
import { appsPage } from './apps-page.js';
import { artistPage } from './artist-page.js';
import { artistsPage } from './artists-page.js';
import { decadePage, decadesPage } from './decades-page.js';
import { downloadsPage } from './downloads-page.js';
import { favouritesPage } from './favourites-page.js';
import { genrePage, genresPage } from './genres-page.js';
import { homePage } from './home-page.js';
import { mapPage } from './map-page.js';
import { jukeboxPage } from './jukebox-page.js';
import { managePage } from './manage-page.js';
import { playlistPage } from './playlist-page.js';
import { playlistsPage } from './playlists-page.js';
import { queuePage } from './queue-page.js';
import { radioPage } from './radio-page.js';
import { scrobblingPage } from './scrobbling-page.js';
import { searchPage } from './search-page.js';
import { settingsPage } from './settings-page.js';
import { sharesPage } from './shares-page.js';
import { similarPage } from './similar-page.js';
import { smartPlaylistPage } from './smart-playlist-page.js';
import { songsPage } from './songs-page.js';

/** The views by their path. */
export const PAGES = {
    '/': homePage,
    '/albums': albumsPage,
    '/albums/:id': albumPage,
    '/artists': artistsPage,
    '/artists/:id': artistPage,
    '/songs': songsPage,
    '/playlists': playlistsPage,
    '/playlists/:id': playlistPage,
    '/smart-playlists/:id': smartPlaylistPage,
    '/genres': genresPage,
    '/genres/:name': genrePage,
    '/decades': decadesPage,
    '/decades/:decade': decadePage,
    '/map': mapPage,
    '/similar/:id': similarPage,
    '/favourites': favouritesPage,
    '/downloads': downloadsPage,
    '/search': searchPage,
    '/queue': queuePage,
    '/radio': radioPage,
    '/jukebox': jukeboxPage,
    '/settings': settingsPage,
    '/manage': managePage,
    '/manage/:tab': managePage,
    '/accounts': accountsPage,
    '/apps': appsPage,
    '/scrobbling': scrobblingPage,
    '/shares': sharesPage,
};
