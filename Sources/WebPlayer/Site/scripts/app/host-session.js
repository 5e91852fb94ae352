import { storedTracks } from '../library/stored-tracks.js';
import { titleOf } from '../library/track-text.js';
import { toast } from '../views/parts/toast.js';
import { t } from '../texts/text.js';

/** Seconds between reconnection attempts. */
const RETRY_SECONDS = 5;

/**
 * Follows the connection to the host: shows the library or the connection page, reads everything from the host, and subscribes to its
 * changes.
 */
export class HostSession {
    #app;
    #parts;
    #timer = 0;
    #isOnline = false;

    /**
     * @param {import('../app.js').App} app
     * @param {object} parts
     * @param {import('../host/host-client.js').HostClient} parts.host
     * @param {import('../host/host-events.js').HostEvents} parts.events
     * @param {import('../playback/control/remote-state.js').RemoteState} parts.remote
     * @param {import('../offline/waiting-actions.js').WaitingActions} parts.waiting
     * @param {import('../offline/download-store.js').DownloadStore} parts.kept
     * @param {import('../playback/control/resume-store.js').ResumeStore} parts.resume
     * @param {import('./app-views.js').AppViews} parts.views
     */
    constructor(app, parts) {
        this.#app = app;
        this.#parts = parts;
        const { catalogue, connection, downloads, frames, jukebox, timelines } = app;
        const { events, remote } = parts;
        connection.addEventListener('change', () => this.#connectionChanged());
        remote.addEventListener('jukebox', () => jukebox.find().catch(() => {}));
        for (const each of [catalogue, frames, timelines]) each.follow(events);
        this.#follow();
        downloads.addEventListener('failed', (/** @type {any} */ { detail }) => {
            toast(t('“{title}” could not be downloaded: {message}', { title: titleOf(detail.track), message: detail.message }));
        });
    }

    /** Stops following the host. */
    end() {
        this.#parts.events.stop();
        this.#parts.remote.stop();
    }

    /** Restores the last queue once the tracks are known. */
    async resumeQueue() {
        const { catalogue, settings } = this.#app;
        if (!settings.get('playback.resume')) return;
        await this.#parts.resume.restore((ids, hashes) => storedTracks(catalogue, ids, hashes));
    }

    /** Reads lists again after the host has announced changes. */
    #follow() {
        const { connection, favourites, playlists, plays } = this.#app;
        const { events } = this.#parts;
        const refresh = (/** @type {{refresh(): Promise<void>}[]} */ ...lists) => {
            for (const each of lists) each.refresh().catch(() => {});
        };
        events.addEventListener('message', (/** @type {any} */ { detail }) => {
            if (detail.type === 'listening_changed') refresh(favourites, plays);
            // This includes playlists created by another client.
            if (detail.type === 'library_changed') refresh(playlists);
        });
        events.addEventListener('resync', () => refresh(favourites, playlists, plays));
        events.addEventListener('closed', () => {
            // The connection check shows whether the network or the host failed, and repeats until it succeeds.
            if (connection.state !== 'open') return;
            setTimeout(() => {
                if (!events.isOpen && connection.state === 'open') connection.connect();
            }, 1500);
        });
    }

    #connectionChanged() {
        const { catalogue, connection, player } = this.#app;
        const { host, views } = this.#parts;
        document.body.dataset.role = connection.account?.role ?? '';
        clearTimeout(this.#timer);
        const wasOnline = this.#isOnline;
        this.#isOnline = connection.state === 'open';
        switch (connection.state) {
            case 'open':
                // A different library at the same address: neither the page nor its memory is valid for it.
                if (catalogue.library && host.library && catalogue.library !== host.library) {
                    player.stop();
                    location.reload();
                    return;
                }
                views.showLibrary();
                views.say('');
                // If the connection was already open, this was only a check.
                if (!wasOnline) this.#goOnline();
                break;
            case 'down':
                // Offline, the cached library can be browsed and downloaded tracks can be played.
                if (catalogue.isLoaded && catalogue.trackCount) {
                    views.showLibrary();
                    views.say(t('Offline. Showing the library as of the last connection.'));
                    this.#timer = setTimeout(() => connection.connect(), RETRY_SECONDS * 1000);
                } else views.showConnect();
                break;
            default:
                if (connection.state !== 'unknown') views.showConnect();
        }
    }

    /** Loads everything from the host and subscribes to changes. */
    async #goOnline() {
        const { catalogue, favourites, player, playlists, plays } = this.#app;
        const { events, remote } = this.#parts;
        events.start();
        if (!remote.isWanted) remote.start();
        await Promise.allSettled([
            catalogue.sync().then(() => this.#adopt()),
            favourites.refresh(),
            playlists.refresh(),
            plays.refresh(),
        ]);
        if (player.queue.items.length === 0) await this.resumeQueue();
    }

    /** Adopts data of earlier releases, sends queued actions and continues downloads, once the library is identified. */
    async #adopt() {
        const { catalogue, downloads } = this.#app;
        const { kept, waiting } = this.#parts;
        waiting.adopt(!catalogue.isReplaced);
        waiting.flush();
        await kept.adopt(async (id) => (await catalogue.tracksAmong({ ids: [id] })).find((track) => track.id === id));
        downloads.dispatchEvent(new Event('done'));
        downloads.resume((ids, hashes) => storedTracks(catalogue, ids, hashes), catalogue.library);
    }
}
