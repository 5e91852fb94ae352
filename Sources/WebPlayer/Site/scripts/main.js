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
import { WaitingActions } from './offline/waiting-actions.js';
import { MediaSessionControls } from './playback/media-session.js';
import { PlayReporter } from './playback/play-reporter.js';
import { Player } from './playback/player.js';
import { RemoteState } from './playback/remote-state.js';
import { ResumeStore } from './playback/resume-store.js';
import { CoverColours } from './visualizer/colours/cover-colours.js';
import { FrameStore } from './visualizer/frames/frame-store.js';
import { TimelineData } from './visualizer/seek-bar/timeline-data.js';
import { albumPage } from './views/pages/album-page.js';
import { albumsPage } from './views/pages/albums-page.js';
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
import { searchPage } from './views/pages/search-page.js';
import { settingsPage } from './views/pages/settings-page.js';
import { songsPage } from './views/pages/songs-page.js';
import { NowPlaying } from './views/playing/now-playing.js';
import { playerBar } from './views/playing/player-bar.js';
import { toast } from './views/parts/toast.js';
import { titleOf } from './library/track-text.js';
import { Router } from './views/router.js';
import { shell } from './views/shell.js';
import { listenToKeys } from './views/shortcuts.js';
import { followTheme } from './views/theme.js';

/** Seconds between tries while the host is away. */
const AGAIN = 5;

const settings = new Settings();
followTheme(settings);
const host = new HostClient();
const kept = new DownloadStore();
/** The host, and what is downloaded in its place. */
const client = new OfflineClient(host, kept);
const connection = new Connection(host);
const events = new HostEvents(host);
const waiting = new WaitingActions(host);
const catalogue = new Catalogue(host);
const player = new Player({ client, settings });

/** What all views are made with. */
const app = {
    client, connection, settings, events, catalogue, player,
    playlists: new Playlists(client),
    favourites: new Favourites(client, waiting),
    search: new Search(catalogue),
    covers: new Covers(client),
    downloads: new Downloads(host, kept),
    frames: new FrameStore(client),
    colours: new CoverColours(client),
    timelines: new TimelineData(client),
    /** Ways that the library does not need. */
    places: [['/manage', 'Manage', 'host']],
    /** What scrolls the views. @type {HTMLElement} */
    scroller: document.body,
    go: path => {
        // A view that is shown already is made anew.
        if (location.hash === `#${path}`) router?.show();
        else location.assign(`#${path}`);
    },
    get isPlayerOpen() { return nowPlaying.isOpen; },
    openPlayer(panel) {
        if (!nowPlaying.isOpen) history.pushState({ player: true }, '');
        nowPlaying.open(panel);
    },
    /** @param {string} [path] where to go instead */
    closePlayer(path) {
        const isOurs = history.state?.player;
        nowPlaying.close();
        if (path !== undefined) {
            if (isOurs) history.replaceState(null, '', `#${path}`);
            router?.show();
        } else if (isOurs) history.back();
    },
    /** What the owner can do with tracks. */
    trackActions: tracks => [{ label: 'Edit tags…', icon: 'edit', action: () => {
        app.closePlayer('/manage');
        app.go('/manage');
        manage().editTags(tracks);
    } }],
    async forget() {
        player.stop();
        player.queue.playNow([]);
        events.stop();
        remote.stop();
        await catalogue.forget();
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

/** The page as it is once we are let in. */
function showLibrary() {
    if (frame) return;
    frame = shell(app);
    app.scroller = frame.scroller;
    document.body.replaceChildren(frame.element, bar.element, frame.tabs);
    developerConsole.attach(bar.element);
    router = new Router(frame.content, frame.scroller);
    const pages = {
        '/': homePage, '/albums': albumsPage, '/albums/:id': albumPage, '/artists': artistsPage, '/artists/:id': artistPage, '/songs': songsPage,
        '/playlists': playlistsPage, '/playlists/:id': playlistPage, '/genres': genresPage, '/genres/:name': genrePage, '/favourites': favouritesPage, '/downloads': downloadsPage,
        '/search': searchPage, '/queue': queuePage, '/settings': settingsPage, '/manage': managePage,
    };
    for (const [pattern, page] of Object.entries(pages)) router.add(pattern, parameters => page(app, parameters));
    router.addEventListener('show', ({ detail }) => {
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

/** Brings everything up to date, and stays so. */
async function goOnline() {
    events.start();
    waiting.flush();
    if (!remote.isWanted) remote.start();
    await Promise.allSettled([catalogue.sync(), app.favourites.refresh(), app.playlists.refresh()]);
    if (player.queue.items.length === 0) await resumeQueue();
}

let timer = 0;
let isOnline = false;
connection.addEventListener('change', () => {
    clearTimeout(timer);
    const wasOnline = isOnline;
    isOnline = connection.state === 'open';
    switch (connection.state) {
    case 'open':
        showLibrary();
        frame.say('');
        // Asked only to make sure, it has nothing new to tell.
        if (!wasOnline) goOnline();
        break;
    case 'down':
        // Whoever knows the library can still look at it, and hear what is downloaded.
        if (catalogue.isLoaded && catalogue.tracks.length) {
            showLibrary();
            frame.say('The host cannot be reached. What is shown is from last time.');
            timer = setTimeout(() => connection.connect(), AGAIN * 1000);
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
events.addEventListener('message', ({ detail }) => {
    if (detail.type === 'listening_changed') app.favourites.refresh().catch(() => {});
    // Among what this tells of are playlists that another client has made.
    if (detail.type === 'library_changed') app.playlists.refresh().catch(() => {});
});
events.addEventListener('resync', () => {
    for (const each of [app.favourites, app.playlists]) each.refresh().catch(() => {});
});
events.addEventListener('closed', () => {
    // Whether it is the network or the host, and when it is over, an answer tells.
    if (connection.state === 'open') setTimeout(() => { if (!events.isOpen && connection.state === 'open') connection.connect(); }, 1500);
});

// What was chosen holds for the player, and what the player is told is kept.
player.volume = settings.get('playback.volume');
player.speed = settings.get('playback.speed');
player.addEventListener('volume', () => settings.set('playback.volume', player.volume));
player.addEventListener('speed', () => settings.set('playback.speed', player.speed));
settings.addEventListener('change', event => {
    if (event.key === 'playback.speed') player.speed = settings.get('playback.speed');
    if (event.key === 'playback.volume' && player.volume !== settings.get('playback.volume')) player.volume = settings.get('playback.volume');
});
listenToKeys(app);
new PlayReporter(player, { actions: waiting, settings });
new MediaSessionControls(player, { artwork: track => (track.cover_url ? app.covers.get(track.cover_url, 512) : null) });
const remote = new RemoteState(player, { client });
const resume = new ResumeStore(player);

/** Gives back the queue of the last visit, once the tracks are known. */
async function resumeQueue() {
    if (!settings.get('playback.resume')) return;
    await resume.restore(async ids => ids.map(id => catalogue.trackById.get(id)));
}

app.downloads.addEventListener('failed', ({ detail }) => toast(`“${titleOf(detail.track)}” is not downloaded: ${detail.message}`));

// Files that are dropped anywhere are uploads, and never take the place of the page.
addEventListener('dragover', event => {
    if (event.dataTransfer?.types.includes('Files')) event.preventDefault();
});
addEventListener('drop', event => {
    if (event.defaultPrevented || !event.dataTransfer?.files.length || !frame) return;
    event.preventDefault();
    const files = [...event.dataTransfer.files];
    app.go('/manage');
    manage().upload(files);
});

// A bonus where the page is served by HTTPS or on this machine: it opens without the host.
if ('serviceWorker' in navigator) {
    let isTold = false;
    navigator.serviceWorker.addEventListener('message', ({ data }) => {
        if (data?.isNew && !isTold) toast('There is a new version of this page. Reload to use it.');
        isTold = true;
    });
    navigator.serviceWorker.register('/player/service-worker.js', { scope: '/' }).then(async () => {
        const { active } = await navigator.serviceWorker.ready;
        active.postMessage({ keep: [new URL('/', location.href).href, ...performance.getEntriesByType('resource').map(entry => entry.name)] });
    }).catch(() => {});
}

await kept.open();
const isKnown = await catalogue.load().catch(() => false);
if (isKnown && connection.isKnown) {
    showLibrary();
    await resumeQueue();
}
await connection.connect();
document.documentElement.dataset.ready = 'true';
