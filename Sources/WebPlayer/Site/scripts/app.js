import { AppViews } from './app/app-views.js';
import { HostSession } from './app/host-session.js';
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
import { titleOf } from './library/track-text.js';
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
import { orToast, toast } from './views/parts/toast.js';
import { listenToKeys } from './views/shortcuts.js';
import { followTheme } from './views/theme.js';
import { t } from './texts/text.js';

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

    #remote = new RemoteState(this.player, { client: this.client });
    #resume = new ResumeStore(this.player, { storage: this.#storage, library: () => this.catalogue.library });
    #views;
    #session;

    constructor() {
        const { settings, connection, player, catalogue, downloads } = this;
        followTheme(settings);
        const log = new Log();
        listen(log, { host: this.#host, events: this.#events, connection, player, catalogue, downloads, waiting: this.#waiting });
        this.#views = new AppViews(this, log, { client: this.#host, events: this.#events, history: this.#edits });
        this.#session = new HostSession(this, {
            host: this.#host,
            events: this.#events,
            remote: this.#remote,
            waiting: this.#waiting,
            kept: this.#kept,
            resume: this.#resume,
            views: this.#views,
        });
        this.#followPlayer();
        this.#takeDroppedFiles();
        listenToKeys(this);
    }

    /** Shows the library as far as it is known, and connects to the host. */
    async start() {
        storePage(() => toast(t('A new version is available. Reload the page to update.')), this.connection);
        const [isKnown] = await Promise.all([this.catalogue.load().catch(() => false), this.#kept.open()]);
        if (isKnown && this.connection.isKnown) {
            this.#views.showLibrary();
            await this.#session.resumeQueue();
        }
        await this.connection.connect();
    }

    // ---- What views do with the page

    /** The element that scrolls the views. */
    get scroller() {
        return this.#views.scroller;
    }

    /** Shows a view; one that is already shown is made again. @param {string} path */
    go(path) {
        this.#views.go(path);
    }

    get isPlayerOpen() {
        return this.#views.isPlayerOpen;
    }

    /** Opens the full player. @param {string} [panel] */
    openPlayer(panel) {
        this.#views.openPlayer(panel);
    }

    /** @param {string} [path] page to open instead */
    closePlayer(path) {
        this.#views.closePlayer(path);
    }

    /** Returns the management view, which is kept while other views are shown. */
    manage() {
        return this.#views.manage();
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
        this.#session.end();
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

    // ---- The player

    #followPlayer() {
        const { player, settings, catalogue, covers } = this;
        catalogue.addEventListener('change', () => player.renew(catalogue.trackById));
        // The player saves its volume and speed in the settings; this applies changes made elsewhere, such as in another tab.
        settings.addEventListener('change', (/** @type {any} */ { key }) => {
            if (key === 'playback.speed') player.speed = settings.get(key);
            if (key === 'playback.volume' && player.volume !== settings.get(key)) player.volume = settings.get(key);
        });
        player.addEventListener('skip', (/** @type {any} */ { detail: { track, message } }) => {
            toast(t('Skipped “{title}”: {message}', { title: titleOf(track), message }));
        });
        new OnePlayer(player, () => toast(t('Paused: another tab is playing.')));
        new PlayReporter(player, { actions: this.#waiting, settings });
        new MediaSessionControls(player, { artwork: (track) => (track.cover_url ? covers.get(track.cover_url, 512) : null) });
    }

    /** Files dropped anywhere are uploaded, and never open in place of the page. */
    #takeDroppedFiles() {
        addEventListener('dragover', (event) => {
            if (event.dataTransfer?.types.includes('Files')) event.preventDefault();
        });
        addEventListener('drop', (event) => {
            if (event.defaultPrevented || !event.dataTransfer?.files.length || !this.#views.isLibraryShown) return;
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
