import { ConsolePanel } from './console/console-panel.js';
import { Log } from './console/log.js';
import { listen } from './console/log-sources.js';
import { Connection } from './host/connection.js';
import { HostClient } from './host/host-client.js';
import { HostEvents } from './host/host-events.js';
import { Settings } from './host/settings.js';
import { Catalogue } from './library/catalogue.js';
import { Covers } from './library/covers.js';
import { Favourites } from './library/favourites.js';
import { Playlists } from './library/playlists.js';
import { Search } from './library/search.js';
import { ManageView } from './manage/manage-view.js';
import { DownloadStore } from './offline/download-store.js';
import { Downloads } from './offline/downloads.js';
import { OfflineClient } from './offline/offline-client.js';
import { storePage } from './offline/stored-page.js';
import { WaitingActions } from './offline/waiting-actions.js';
import { MediaSessionControls } from './playback/control/media-session.js';
import { OnePlayer } from './playback/control/one-player.js';
import { PlayReporter } from './playback/control/play-reporter.js';
import { Player } from './playback/control/player.js';
import { RemoteState } from './playback/control/remote-state.js';
import { ResumeStore } from './playback/control/resume-store.js';
import { CoverColours } from './visualizer/colours/cover-colours.js';
import { SpectrumStore } from './visualizer/spectra/spectrum-store.js';
import { TimelineData } from './visualizer/seek-bar/timeline-data.js';
import { accountsPage } from './views/pages/accounts-page.js';
import { albumPage } from './views/pages/album-page.js';
import { albumsPage } from './views/pages/albums-page.js';
import { appsPage } from './views/pages/apps-page.js';
import { artistPage } from './views/pages/artist-page.js';
import { artistsPage } from './views/pages/artists-page.js';
import { connectPage } from './views/pages/connect-page.js';
import { downloadsPage } from './views/pages/downloads-page.js';
import { favouritesPage } from './views/pages/favourites-page.js';
import { genrePage, genresPage } from './views/pages/genres-page.js';
import { homePage } from './views/pages/home-page.js';
import { managePage } from './views/pages/manage-page.js';
import { playlistPage } from './views/pages/playlist-page.js';
import { playlistsPage } from './views/pages/playlists-page.js';
import { queuePage } from './views/pages/queue-page.js';
import { scrobblingPage } from './views/pages/scrobbling-page.js';
import { searchPage } from './views/pages/search-page.js';
import { settingsPage } from './views/pages/settings-page.js';
import { sharesPage } from './views/pages/shares-page.js';
import { songsPage } from './views/pages/songs-page.js';
import { NowPlaying } from './views/playing/now-playing.js';
import { playerBar } from './views/playing/player-bar.js';
import { toast } from './views/parts/toast.js';
import { titleOf } from './library/track-text.js';
import { Router } from './views/router.js';
import { shell } from './views/shell.js';
import { listenToKeys } from './views/shortcuts.js';
import { followTheme } from './views/theme.js';

/** Seconds between reconnection attempts. */
const RETRY_SECONDS = 5;

const settings = new Settings();
followTheme(settings);
const host = new HostClient();
const connection = new Connection(host);
const events = new HostEvents(host);
const catalogue = new Catalogue(host);
const kept = new DownloadStore(() => catalogue.library);
/** The host's API, answered from downloads where possible. */
const client = new OfflineClient(host, kept, catalogue);
const waiting = new WaitingActions(host, catalogue);
const player = new Player({ client, settings });

/** Shared state that all views are created with. */
const app = {
    client,
    connection,
    settings,
    events,
    catalogue,
    player,
    playlists: new Playlists(client),
    favourites: new Favourites(client, waiting),
    search: new Search(catalogue),
    covers: new Covers(client),
    downloads: new Downloads(host, kept),
    frames: new SpectrumStore(client),
    colours: new CoverColours(client),
    timelines: new TimelineData(client),
    /** Navigation entries in addition to the library's. */
    places: [['/manage', 'Manage', 'host']],
    /** The element that scrolls the views. @type {HTMLElement} */
    scroller: document.body,
    go: (path) => {
        // A view that is already shown is reloaded.
        if (location.hash === `#${path}`) router?.show();
        else location.assign(`#${path}`);
    },
    get isPlayerOpen() {
        return nowPlaying.isOpen;
    },
    openPlayer(panel) {
        if (!nowPlaying.isOpen) history.pushState({ player: true }, '');
        nowPlaying.open(panel);
    },
    /** @param {string} [path] page to open instead */
    closePlayer(path) {
        // If the player is already closing, its history entry is gone too.
        if (!nowPlaying.isOpen) return;
        const isOurs = history.state?.player;
        nowPlaying.close();
        if (path !== undefined) {
            if (isOurs) history.replaceState(null, '', `#${path}`);
            router?.show();
        } else if (isOurs) history.back();
    },
    /** Additional menu items for tracks. */
    trackActions: (tracks) => (connection.hasRole('editor')
        ? [{
            label: 'Edit tags…',
            icon: 'edit',
            action: () => {
                app.closePlayer('/manage');
                app.go('/manage');
                manage().editTags(tracks);
            },
        }]
        : []),
    async forget() {
        player.stop();
        player.queue.playNow([]);
        events.stop();
        remote.stop();
        resume.forget();
        waiting.forget();
        await app.downloads.forget();
        await catalogue.forget();
        for (const each of [app.covers, app.frames, app.colours, app.timelines]) each.clear();
        for (const each of [app.favourites, app.playlists]) each.forget();
        connection.forget();
    },
};
const nowPlaying = new NowPlaying(app);
const bar = playerBar(app);
const log = new Log();
listen(log, { host, events, connection, player, catalogue, downloads: app.downloads, waiting });
const developerConsole = new ConsolePanel(log, settings);
let router = null;
let frame = null;
let manageView = null;

function manage() {
    if (!manageView) {
        const element = document.createElement('div');
        manageView = { element, view: new ManageView(element, { client: host, events }) };
    }
    app.manageElement = manageView.element;
    return manageView.view;
}
app.manage = manage;

addEventListener('popstate', () => {
    if (nowPlaying.isOpen && !history.state?.player) nowPlaying.close();
});

/** Shows the library instead of the connection page. */
function showLibrary() {
    if (frame) return;
    frame = shell(app);
    app.scroller = frame.scroller;
    document.body.replaceChildren(frame.element, bar.element, frame.tabs);
    developerConsole.attach(bar.element);
    router = new Router(frame.content, frame.scroller);
    const pages = {
        '/': homePage,
        '/albums': albumsPage,
        '/albums/:id': albumPage,
        '/artists': artistsPage,
        '/artists/:id': artistPage,
        '/songs': songsPage,
        '/playlists': playlistsPage,
        '/playlists/:id': playlistPage,
        '/genres': genresPage,
        '/genres/:name': genrePage,
        '/favourites': favouritesPage,
        '/downloads': downloadsPage,
        '/search': searchPage,
        '/queue': queuePage,
        '/settings': settingsPage,
        '/manage': managePage,
        '/accounts': accountsPage,
        '/apps': appsPage,
        '/scrobbling': scrobblingPage,
        '/shares': sharesPage,
    };
    for (const [pattern, page] of Object.entries(pages)) {
        router.add(pattern, (parameters) => /** @type {any} */ (page)(app, parameters));
    }
    router.addEventListener('show', (/** @type {any} */ { detail }) => {
        if (nowPlaying.isOpen) nowPlaying.close();
        frame.mark(detail.path);
    });
    router.show();
}

function showConnect() {
    if (!frame && document.querySelector('.connect')) return;
    nowPlaying.close();
    frame = null;
    const page = connectPage(app);
    document.body.classList.remove('has-track');
    document.body.replaceChildren(page.element);
    const done = () => {
        if (connection.state !== 'open') return;
        connection.removeEventListener('change', done);
        page.close();
    };
    connection.addEventListener('change', done);
}

/** Loads everything from the host and subscribes to changes. */
async function goOnline() {
    events.start();
    if (!remote.isWanted) remote.start();
    await Promise.allSettled([catalogue.sync().then(adopt), app.favourites.refresh(), app.playlists.refresh()]);
    if (player.queue.items.length === 0) await resumeQueue();
}

/** Adopts data of earlier releases, sends queued actions and continues downloads, once the library is identified. */
async function adopt() {
    waiting.adopt(!catalogue.isReplaced);
    waiting.flush();
    await kept.adopt(catalogue.trackById);
    app.downloads.dispatchEvent(new Event('done'));
    app.downloads.resume((id, hash) => catalogue.noted(id, hash));
}

let timer = 0;
let isOnline = false;
connection.addEventListener('change', () => {
    document.body.dataset.role = connection.account?.role ?? '';
    clearTimeout(timer);
    const wasOnline = isOnline;
    isOnline = connection.state === 'open';
    switch (connection.state) {
        case 'open':
            // A different library at the same address: neither the page nor its memory is valid for it.
            if (catalogue.library && host.library && catalogue.library !== host.library) {
                player.stop();
                location.reload();
                return;
            }
            showLibrary();
            frame.say('');
            // If the connection was already open, this was only a check.
            if (!wasOnline) goOnline();
            break;
        case 'down':
            // Offline, the cached library can be browsed and downloaded tracks can be played.
            if (catalogue.isLoaded && catalogue.tracks.length) {
                showLibrary();
                frame.say('Offline. Showing the library as of the last connection.');
                timer = setTimeout(() => connection.connect(), RETRY_SECONDS * 1000);
            } else showConnect();
            break;
        default:
            if (connection.state !== 'unknown') showConnect();
    }
});

catalogue.follow(events);
catalogue.addEventListener('change', () => player.renew(catalogue.trackById));
app.frames.follow(events);
app.timelines.follow(events);
events.addEventListener('message', (/** @type {any} */ { detail }) => {
    if (detail.type === 'listening_changed') app.favourites.refresh().catch(() => {});
    // This includes playlists created by another client.
    if (detail.type === 'library_changed') app.playlists.refresh().catch(() => {});
});
events.addEventListener('resync', () => {
    for (const each of [app.favourites, app.playlists]) each.refresh().catch(() => {});
});
events.addEventListener('closed', () => {
    // The connection check shows whether the network or the host failed, and repeats until it succeeds.
    if (connection.state === 'open') {
        setTimeout(() => {
            if (!events.isOpen && connection.state === 'open') connection.connect();
        }, 1500);
    }
});

// The player saves its volume and speed in the settings; this applies changes made elsewhere, such as in another tab.
settings.addEventListener('change', (/** @type {any} */ event) => {
    if (event.key === 'playback.speed') player.speed = settings.get('playback.speed');
    if (event.key === 'playback.volume' && player.volume !== settings.get('playback.volume')) {
        player.volume = settings.get('playback.volume');
    }
});
listenToKeys(app);
new OnePlayer(player, () => toast('Paused: another tab is playing.'));
new PlayReporter(player, { actions: waiting, settings });
new MediaSessionControls(player, { artwork: (track) => (track.cover_url ? app.covers.get(track.cover_url, 512) : null) });
const remote = new RemoteState(player, { client });
const resume = new ResumeStore(player, { library: () => catalogue.library });

/** Restores the last queue once the tracks are known. */
async function resumeQueue() {
    if (!settings.get('playback.resume')) return;
    await resume.restore(async (ids, hashes) => ids.map((id, index) => catalogue.noted(id, hashes[index])));
}

app.downloads.addEventListener(
    'failed',
    (/** @type {any} */ { detail }) => toast(`“${titleOf(detail.track)}” could not be downloaded: ${detail.message}`),
);

// Files dropped anywhere are uploaded, and never open in place of the page.
addEventListener('dragover', (event) => {
    if (event.dataTransfer?.types.includes('Files')) event.preventDefault();
});
addEventListener('drop', (event) => {
    if (event.defaultPrevented || !event.dataTransfer?.files.length || !frame) return;
    event.preventDefault();
    if (!connection.hasRole('editor')) {
        toast('Your account may not upload music.');
        return;
    }
    const files = [...event.dataTransfer.files];
    app.go('/manage');
    manage().upload(files);
});

storePage(() => toast('A new version is available. Reload the page to update.'), connection);

await kept.open();
const isKnown = await catalogue.load().catch(() => false);
if (isKnown && connection.isKnown) {
    showLibrary();
    await resumeQueue();
}
await connection.connect();
document.documentElement.dataset.ready = 'true';
