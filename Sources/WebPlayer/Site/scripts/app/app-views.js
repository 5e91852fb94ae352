import { ConsolePanel } from '../console/console-panel.js';
import { ManageView } from '../manage/manage-view.js';
import { trackList } from '../views/lists/track-list.js';
import { WindowedSongs } from '../views/lists/windowed-songs.js';
import { connectPage } from '../views/pages/connect-page.js';
import { PAGES } from '../views/pages/pages.js';
import { fitCards } from '../views/parts/card-columns.js';
import { h } from '../views/parts/dom.js';
import { playerBars } from '../views/playing/bars.js';
import { NowPlaying } from '../views/playing/now-playing.js';
import { Router } from '../views/router.js';
import { shell } from '../views/shell.js';
import { t, useLanguage } from '../texts/text.js';

/** @typedef {import('../app.js').App} App */

/** Shows the library with its views or the connection page, the player's bars, and the full player. */
export class AppViews {
    #app;
    #managed;
    #nowPlaying;
    #bars;
    #console;
    /** @type {Router | null} */
    #router = null;
    /** The frame of the library; null while the connection page is shown. */
    #frame = /** @type {ReturnType<typeof shell> | null} */ (null);
    /** @type {{element: HTMLElement, view: ManageView} | null} */
    #manage = null;

    /** The element that scrolls the views. @type {HTMLElement} */
    scroller = document.body;

    /**
     * @param {App} app
     * @param {import('../console/log.js').Log} log
     * @param {Omit<ConstructorParameters<typeof ManageView>[1], 'songs'>} managed what the management view needs of the host
     */
    constructor(app, log, managed) {
        this.#app = app;
        this.#managed = managed;
        this.#nowPlaying = new NowPlaying(app);
        this.#bars = playerBars(app);
        this.#console = new ConsolePanel(log, app.settings);
        addEventListener('popstate', () => {
            if (this.#nowPlaying.isOpen && !history.state?.player) this.#nowPlaying.close();
        });
        app.settings.addEventListener('change', (/** @type {any} */ { key }) => {
            if (key === 'appearance.language') this.#changeLanguage();
        });
    }

    /** Whether the library is shown, rather than the connection page. */
    get isLibraryShown() {
        return this.#frame !== null;
    }

    get isPlayerOpen() {
        return this.#nowPlaying.isOpen;
    }

    /** Shows a view; one that is already shown is made again. @param {string} path */
    go(path) {
        if (location.hash === `#${path}`) this.#router?.show();
        else location.assign(`#${path}`);
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

    /** Returns the management view, which is kept while other views are shown. */
    manage() {
        if (!this.#manage) {
            const app = this.#app;
            const element = h('div');
            const { catalogue } = app;
            const source = new EventTarget();
            const changed = () => source.dispatchEvent(new Event('change'));
            catalogue.addEventListener('change', changed);
            const windowed = new WindowedSongs(catalogue, changed);
            const found = (text) => (text ? app.search.find(text).tracks : catalogue.tracks);
            const songs = {
                find: (text) => (catalogue.isLarge ? windowed.show(text ? { text } : {}) : found(text)),
                source,
                list: (tracks) => trackList(app, { tracks, label: t('Songs'), view: 'songs' }),
            };
            this.#manage = { element, view: new ManageView(element, { ...this.#managed, songs }) };
        }
        return this.#manage;
    }

    /** Shows a text above the library; hides it if the text is empty. @param {string} text */
    say(text) {
        this.#frame?.say(text);
    }

    /** Shows the library instead of the connection page. */
    showLibrary() {
        if (this.#frame) return;
        const frame = shell(this.#app);
        this.#frame = frame;
        this.scroller = frame.scroller;
        document.body.replaceChildren(frame.element, ...this.#bars.elements, frame.tabs);
        this.#console.attach(this.#bars.elements[0]);
        fitCards(frame.content);
        const router = new Router(frame.content, frame.scroller);
        this.#router = router;
        for (const [pattern, page] of Object.entries(PAGES)) {
            router.add(pattern, (parameters) => /** @type {(app: App, parameters: any) => any} */ (page)(this.#app, parameters));
        }
        router.addEventListener('show', (/** @type {any} */ { detail }) => {
            if (this.#nowPlaying.isOpen) this.#nowPlaying.close();
            this.#app.catalogue.trim();
            frame.mark(detail.path);
        });
        router.show();
    }

    /** Shows the connection page until the host is connected. */
    showConnect() {
        if (!this.#frame && document.querySelector('.connect')) return;
        const { connection } = this.#app;
        this.#nowPlaying.close();
        this.#closeLibrary();
        const page = connectPage(this.#app);
        document.body.classList.remove('has-track');
        document.body.replaceChildren(page.element);
        const done = () => {
            if (connection.state !== 'open') return;
            connection.removeEventListener('change', done);
            page.close();
        };
        connection.addEventListener('change', done);
    }

    #closeLibrary() {
        this.#router?.close();
        this.#frame?.close();
        this.#frame = null;
    }

    /** Makes all views again, in the chosen language; playback goes on. */
    async #changeLanguage() {
        if (!await useLanguage(this.#app.settings.get('appearance.language'))) return;
        this.#bars.close();
        this.#bars = playerBars(this.#app);
        this.#nowPlaying.close();
        // Uploads continue with their view, in the former language.
        if (!this.#manage?.view.isUploading) this.#manage = null;
        if (!this.#frame) return;
        this.#closeLibrary();
        this.showLibrary();
    }
}
