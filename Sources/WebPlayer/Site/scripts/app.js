import { ConsolePanel } from './console/console-panel.js';
import { Log } from './console/log.js';
import { listen } from './console/log-sources.js';
import { Connection } from './host/connection.js';
import { HostBook } from './host/host-book.js';
import { HostClient } from './host/host-client.js';
import { HostEvents } from './host/host-events.js';
import { Settings } from './host/settings.js';
import { Catalogue } from './library/catalogue.js';
import { Covers } from './library/covers.js';
import { Jukebox } from './library/jukebox.js';
import { Favourites } from './library/favourites.js';
import { HomeLists } from './library/home-lists.js';
import { PlayCounts } from './library/play-counts.js';
import { Playlists } from './library/playlists.js';
import { Search } from './library/search.js';
import { Stations } from './library/stations.js';
import { ManageView } from './manage/manage-view.js';
import { EditHistory } from './manage/tags/edit-history.js';
import { tagItems } from './manage/tags/tag-actions.js';
import { DownloadStore } from './offline/download-store.js';
import { Downloads } from './offline/downloads.js';
import { OfflineClient } from './offline/offline-client.js';
import { checkPage, storePage } from './offline/stored-page.js';
import { WaitingActions } from './offline/waiting-actions.js';
import { Cast } from './playback/control/cast.js';
import { MediaSessionControls } from './playback/control/media-session.js';
import { OnePlayer } from './playback/control/one-player.js';
import { PlayReporter } from './playback/control/play-reporter.js';
import { Player } from './playback/control/player.js';
import { RadioPlayer } from './playback/radio/radio-player.js';
import { SegmentIndex } from './playback/loading/segment-index.js';
import { RemoteState } from './playback/control/remote-state.js';
import { ResumeStore } from './playback/control/resume-store.js';
import { CoverColours } from './visualizer/colours/cover-colours.js';
import { SpectrumStore } from './visualizer/spectra/spectrum-store.js';
import { TimelineData } from './visualizer/seek-bar/timeline-data.js';
import { connectPage } from './views/pages/connect-page.js';
import { PAGES } from './views/pages/pages.js';
import { trackList } from './views/lists/track-list.js';
import { NowPlaying } from './views/playing/now-playing.js';
import { playerBars } from './views/playing/bars.js';
import { fitCards } from './views/parts/card-columns.js';
import { h } from './views/parts/dom.js';
import { orToast, toast } from './views/parts/toast.js';
import { titleOf } from './library/track-text.js';
import { Router } from './views/router.js';
import { shell } from './views/shell.js';
import { listenToKeys } from './views/shortcuts.js';
import { followTheme } from './views/theme.js';
import { t, useLanguage } from './texts/text.js';

/** Seconds between reconnection attempts. */
const RETRY_SECONDS = 5;

/**
 * The page: makes its parts, connects them and shows the views. Each view's `app` has the type of what the view uses of it.
 */
export class App {
    settings = new Settings();
    /** The hosts that this browser knows; each has its own stored data. */
    hosts = new HostBook();
    knownHost = this.hosts.current;
    #storage = this.hosts.storage(this.knownHost.id);
    #host = new HostClient({ addresses: this.knownHost.addresses });
    connection = new Connection(this.#host, this.#storage);
    #events = new HostEvents(this.#host);
    #edits = new EditHistory(this.#host);
    catalogue = new Catalogue(this.#host, this.hosts.database(this.knownHost.id, 'library'));
    #kept = new DownloadStore(() => this.catalogue.library, () => this.hosts.librariesExcept(this.knownHost.id));
    /** The host's API, answered from downloads where possible. */
    client = new OfflineClient(this.#host, this.#kept, this.catalogue);
    #waiting = new WaitingActions(this.#host, this.catalogue, this.#storage);
    player = new Player({ client: this.client, settings: this.settings });
    cast = new Cast(this.player, this.#host);
    radio = new RadioPlayer({ client: this.#host, player: this.player });
    stations = new Stations(this.#host);
    jukebox = new Jukebox(this.#host);
    playlists = new Playlists(this.client, this.connection);
    favourites = new Favourites(this.client, this.#waiting, this.#storage);
    plays = new PlayCounts(this.client);
    homeLists = new HomeLists(this.client, this.favourites, () => this.catalogue.library || this.#host.library, this.#storage);
    search = new Search(this.catalogue);
    /** The text of the last search. */
    searchText = '';
    covers = new Covers(this.client);
    downloads = new Downloads(this.#host, this.#kept, (index) => this.player.engine.decoder.canDecode(new SegmentIndex(index)));
    frames = new SpectrumStore(this.client);
    colours = new CoverColours(this.client);
    timelines = new TimelineData(this.client);
    /** Navigation entries for editors, in addition to the library's. */
    get places() {
        return [['/manage', t('Manage'), 'host']];
    }

    /** The element that scrolls the views. @type {HTMLElement} */
    scroller = document.body;

    #remote = new RemoteState(this.player, { client: this.client });
    #resume = new ResumeStore(this.player, { storage: this.#storage, library: () => this.catalogue.library });
    #nowPlaying = new NowPlaying(this);
    #bars = playerBars(this);
    #console;
    /** @type {Router | null} */
    #router = null;
    /** The frame of the library; null while the connection page is shown. */
    #frame = /** @type {ReturnType<typeof shell> | null} */ (null);
    /** @type {{element: HTMLElement, view: ManageView} | null} */
    #manage = null;
    #timer = 0;
    #isOnline = false;

    constructor() {
        const { settings, connection, player, catalogue, downloads } = this;
        followTheme(settings);
        settings.addEventListener('change', (/** @type {any} */ { key }) => {
            if (key === 'appearance.language') this.#changeLanguage();
        });
        const log = new Log();
        listen(log, { host: this.#host, events: this.#events, connection, player, catalogue, downloads, waiting: this.#waiting });
        this.#console = new ConsolePanel(log, settings);
        this.#followHost();
        this.#followPlayer();
        this.#takeDroppedFiles();
        listenToKeys(this);
    }

    /** Shows the library as far as it is known, and connects to the host. */
    async start() {
        storePage(() => toast(t('A new version is available. Reload the page to update.')), this.connection);
        await this.#kept.open();
        const isKnown = await this.catalogue.load().catch(() => false);
        if (isKnown && this.connection.isKnown) {
            this.#showLibrary();
            await this.#resumeQueue();
        }
        await this.connection.connect();
    }

    // ---- What views do with the page

    /** Shows a view; one that is already shown is made again. @param {string} path */
    go(path) {
        if (location.hash === `#${path}`) this.#router?.show();
        else location.assign(`#${path}`);
    }

    get isPlayerOpen() {
        return this.#nowPlaying.isOpen;
    }

    /** Opens the full player. @param {string} [panel] */
    openPlayer(panel) {
        if (!this.#nowPlaying.isOpen) history.pushState({ player: true }, '');
        this.#nowPlaying.open(panel);
    }

    /** @param {string} [path] page to open instead */
    closePlayer(path) {
        // If the player is already closing, its history entry is gone too.
        if (!this.#nowPlaying.isOpen) return;
        const isOurs = history.state?.player;
        this.#nowPlaying.close();
        if (path !== undefined) {
            if (isOurs) history.replaceState(null, '', `#${path}`);
            this.#router?.show();
        } else if (isOurs) history.back();
    }

    /** Returns additional menu items for tracks. @param {any[]} tracks @returns {import('./views/parts/menu.js').MenuItem[]} */
    trackActions(tracks) {
        const { jukebox } = this;
        const onJukebox = (/** @type {() => Promise<void>} */ body, /** @type {string} */ text) => () =>
            orToast(async () => {
                await body();
                toast(text);
            });
        const played = [
            {
                label: t('Play on the jukebox'),
                icon: 'jukebox',
                action: onJukebox(() => jukebox.play(tracks), t('Playing on the jukebox')),
            },
            {
                label: t('Add to the jukebox'),
                icon: 'plus',
                action: onJukebox(() => jukebox.add(tracks), t('Added to the jukebox')),
            },
        ];
        return [
            ...(jukebox.state ? played : []),
            ...(this.connection.hasRole('editor') ? tagItems({ client: this.#host, history: this.#edits }, tracks) : []),
        ];
    }

    /** Returns the management view, which is kept while other views are shown. */
    manage() {
        if (!this.#manage) {
            const element = h('div');
            const songs = {
                find: (text) => (text.trim() ? this.search.find(text).tracks : this.catalogue.tracks),
                source: this.catalogue,
                list: (tracks) => trackList(this, { tracks, label: t('Songs'), view: 'songs' }),
            };
            const parts = { client: this.#host, events: this.#events, history: this.#edits, songs };
            this.#manage = { element, view: new ManageView(element, parts) };
        }
        return this.#manage;
    }

    /** Shows a host by loading the page again. If that is impossible, it throws and changes nothing. @param {string} id */
    async showHost(id) {
        await checkPage();
        this.#endPlayback();
        this.hosts.choose(id);
        history.replaceState(null, '', '#/');
        location.reload();
    }

    #endPlayback() {
        this.radio.stop();
        this.player.pause();
        this.#events.stop();
        this.#remote.stop();
    }

    /** Forgets the host with everything that this browser knows of it. */
    async forget() {
        this.#endPlayback();
        this.player.stop();
        this.player.queue.playNow([]);
        this.jukebox.forget();
        this.#resume.forget();
        this.#waiting.forget();
        await this.downloads.forget();
        await this.catalogue.forget();
        for (const each of [this.covers, this.frames, this.colours, this.timelines]) each.clear();
        for (const each of [this.favourites, this.playlists, this.plays, this.homeLists]) each.forget();
        this.connection.forget();
        this.hosts.remove(this.knownHost.id);
        if (!this.knownHost.isOwn) await orToast(() => this.showHost(this.hosts.all[0].id));
    }

    // ---- Library and connection page

    /** Shows the library instead of the connection page. */
    #showLibrary() {
        if (this.#frame) return;
        const frame = shell(this);
        this.#frame = frame;
        this.scroller = frame.scroller;
        document.body.replaceChildren(frame.element, ...this.#bars.elements, frame.tabs);
        this.#console.attach(this.#bars.elements[0]);
        fitCards(frame.content);
        const router = new Router(frame.content, frame.scroller);
        this.#router = router;
        for (const [pattern, page] of Object.entries(PAGES)) {
            router.add(pattern, (parameters) => /** @type {(app: App, parameters: any) => any} */ (page)(this, parameters));
        }
        router.addEventListener('show', (/** @type {any} */ { detail }) => {
            if (this.#nowPlaying.isOpen) this.#nowPlaying.close();
            frame.mark(detail.path);
        });
        router.show();
    }

    /** Makes all views again, in the chosen language; playback goes on. */
    async #changeLanguage() {
        if (!await useLanguage(this.settings.get('appearance.language'))) return;
        this.#bars.close();
        this.#bars = playerBars(this);
        this.#nowPlaying.close();
        // Uploads continue with their view, in the former language.
        if (!this.#manage?.view.isUploading) this.#manage = null;
        if (!this.#frame) return;
        this.#router?.close();
        this.#frame.close();
        this.#frame = null;
        this.#showLibrary();
    }

    #showConnect() {
        if (!this.#frame && document.querySelector('.connect')) return;
        const { connection } = this;
        this.#nowPlaying.close();
        this.#router?.close();
        this.#frame?.close();
        this.#frame = null;
        const page = connectPage(this);
        document.body.classList.remove('has-track');
        document.body.replaceChildren(page.element);
        const done = () => {
            if (connection.state !== 'open') return;
            connection.removeEventListener('change', done);
            page.close();
        };
        connection.addEventListener('change', done);
    }

    // ---- The host

    #followHost() {
        const { connection, catalogue, favourites, playlists, plays } = this;
        const events = this.#events;
        connection.addEventListener('change', () => this.#connectionChanged());
        this.#remote.addEventListener('jukebox', () => this.jukebox.find().catch(() => {}));
        catalogue.follow(events);
        this.frames.follow(events);
        this.timelines.follow(events);
        events.addEventListener('message', (/** @type {any} */ { detail }) => {
            if (detail.type === 'listening_changed') { for (const each of [favourites, plays]) each.refresh().catch(() => {}); }
            // This includes playlists created by another client.
            if (detail.type === 'library_changed') playlists.refresh().catch(() => {});
        });
        events.addEventListener('resync', () => {
            for (const each of [favourites, playlists, plays]) each.refresh().catch(() => {});
        });
        events.addEventListener('closed', () => {
            // The connection check shows whether the network or the host failed, and repeats until it succeeds.
            if (connection.state !== 'open') return;
            setTimeout(() => {
                if (!events.isOpen && connection.state === 'open') connection.connect();
            }, 1500);
        });
        this.downloads.addEventListener('failed', (/** @type {any} */ { detail }) => {
            toast(t('“{title}” could not be downloaded: {message}', { title: titleOf(detail.track), message: detail.message }));
        });
    }

    #connectionChanged() {
        const { connection, catalogue } = this;
        document.body.dataset.role = connection.account?.role ?? '';
        clearTimeout(this.#timer);
        const wasOnline = this.#isOnline;
        this.#isOnline = connection.state === 'open';
        switch (connection.state) {
            case 'open':
                // A different library at the same address: neither the page nor its memory is valid for it.
                if (catalogue.library && this.#host.library && catalogue.library !== this.#host.library) {
                    this.player.stop();
                    location.reload();
                    return;
                }
                this.#showLibrary();
                this.#frame?.say('');
                // If the connection was already open, this was only a check.
                if (!wasOnline) this.#goOnline();
                break;
            case 'down':
                // Offline, the cached library can be browsed and downloaded tracks can be played.
                if (catalogue.isLoaded && catalogue.tracks.length) {
                    this.#showLibrary();
                    this.#frame?.say(t('Offline. Showing the library as of the last connection.'));
                    this.#timer = setTimeout(() => connection.connect(), RETRY_SECONDS * 1000);
                } else this.#showConnect();
                break;
            default:
                if (connection.state !== 'unknown') this.#showConnect();
        }
    }

    /** Loads everything from the host and subscribes to changes. */
    async #goOnline() {
        this.#events.start();
        if (!this.#remote.isWanted) this.#remote.start();
        await Promise.allSettled([
            this.catalogue.sync().then(() => this.#adopt()),
            this.favourites.refresh(),
            this.playlists.refresh(),
            this.plays.refresh(),
        ]);
        if (this.player.queue.items.length === 0) await this.#resumeQueue();
    }

    /** Adopts data of earlier releases, sends queued actions and continues downloads, once the library is identified. */
    async #adopt() {
        const { catalogue, downloads } = this;
        this.#waiting.adopt(!catalogue.isReplaced);
        this.#waiting.flush();
        await this.#kept.adopt(catalogue.trackById);
        downloads.dispatchEvent(new Event('done'));
        downloads.resume((id, hash) => catalogue.noted(id, hash), catalogue.library);
    }

    // ---- The player

    #followPlayer() {
        const { player, settings, catalogue, covers } = this;
        catalogue.addEventListener('change', () => player.renew(catalogue.trackById));
        // The player saves its volume and speed in the settings; this applies changes made elsewhere, such as in another tab.
        settings.addEventListener('change', (/** @type {any} */ { key }) => {
            if (key === 'playback.speed') player.speed = settings.get(key);
            if (key === 'playback.volume' && player.volume !== settings.get(key)) player.volume = settings.get(key);
        });
        addEventListener('popstate', () => {
            if (this.#nowPlaying.isOpen && !history.state?.player) this.#nowPlaying.close();
        });
        new OnePlayer(player, () => toast(t('Paused: another tab is playing.')));
        new PlayReporter(player, { actions: this.#waiting, settings });
        new MediaSessionControls(player, { artwork: (track) => (track.cover_url ? covers.get(track.cover_url, 512) : null) });
    }

    /** Restores the last queue once the tracks are known. */
    async #resumeQueue() {
        const { catalogue } = this;
        if (!this.settings.get('playback.resume')) return;
        await this.#resume.restore(async (ids, hashes) => ids.map((id, index) => catalogue.noted(id, hashes[index])));
    }

    /** Files dropped anywhere are uploaded, and never open in place of the page. */
    #takeDroppedFiles() {
        addEventListener('dragover', (event) => {
            if (event.dataTransfer?.types.includes('Files')) event.preventDefault();
        });
        addEventListener('drop', (event) => {
            if (event.defaultPrevented || !event.dataTransfer?.files.length || !this.#frame) return;
            event.preventDefault();
            if (!this.connection.hasRole('editor')) {
                toast(t('Your account may not upload music.'));
                return;
            }
            const files = [...event.dataTransfer.files];
            this.go('/manage/upload');
            this.manage().view.upload(files);
        });
    }
}
