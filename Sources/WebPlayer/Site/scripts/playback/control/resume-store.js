import { browserStorage } from '../../host/browser-storage.js';

/** Key in the browser's storage. */
const KEY = 'playback.resume';
/** Interval between saves of the position, in milliseconds. */
const INTERVAL = 2000;
/** Maximum number of queued tracks stored, around the current one. */
const MOST = 2000;

/** Saves the queue and position, and restores them after a reload. */
export class ResumeStore {
    #isSaved;
    #keptAt;

    /**
     * @param {import('./player.js').Player} player
     * @param {{storage?: import('../../host/host-storage.js').KeyStorage, library?: () => string}} parts `library`: returns the identity of the current library
     */
    constructor(player, { storage = browserStorage(), library = () => '' } = {}) {
        this.player = player;
        this.storage = storage;
        this.library = library;
        this.#keptAt = 0;
        player.addEventListener('position', () => {
            if (performance.now() - this.#keptAt >= INTERVAL) this.#save();
        });
        for (const name of ['state', 'track', 'queue']) player.addEventListener(name, () => this.#save());
        addEventListener('pagehide', () => this.#save());
        document.addEventListener('visibilitychange', () => this.#save());
    }

    #save() {
        const { queue, position } = this.player;
        // Do not overwrite the stored queue before it has been restored.
        if (queue.items.length === 0 && !this.#isSaved) return;
        this.#isSaved = true;
        this.#keptAt = performance.now();
        const from = Math.max(0, queue.index - MOST / 2);
        const tracks = queue.items.slice(from, from + MOST).map(({ track }) => track);
        const kept = {
            library: this.library(),
            ids: tracks.map((track) => track.id),
            hashes: tracks.map((track) => track.audio_hash ?? ''),
            index: queue.index - from,
            position,
            shuffle: queue.shuffle,
            repeat: queue.repeat,
        };
        try {
            this.storage.setItem(KEY, JSON.stringify(kept));
        } catch {
            // Storage is full or blocked: the next visit starts with an empty queue.
        }
    }

    /** Removes the stored queue. */
    forget() {
        this.#isSaved = false;
        this.storage.removeItem(KEY);
    }

    /**
     * Restores the queue of the last visit. Nothing is downloaded until playback starts.
     * @param {(ids: number[], hashes: string[]) => Promise<any[]>} resolve returns tracks by their ids and audio hashes, in the
     *   same order, null for tracks that are gone; earlier releases stored no hashes
     * @returns {Promise<boolean>} whether a queue was restored
     */
    async restore(resolve) {
        let kept;
        try {
            kept = JSON.parse(this.storage.getItem(KEY) ?? 'null');
        } catch {
            return false;
        }
        if (!Array.isArray(kept?.ids) || kept.ids.length === 0) return false;
        if (kept.library && kept.library !== this.library()) return false;
        const found = await resolve(kept.ids, Array.isArray(kept.hashes) ? kept.hashes : []);
        const tracks = found.filter(Boolean);
        if (tracks.length === 0 || this.player.queue.items.length > 0) return false;
        const current = found[kept.index] ? found.slice(0, kept.index).filter(Boolean).length : -1;
        this.player.queue.isShuffled = kept.shuffle === true;
        this.player.queue.repeat = kept.repeat;
        this.player.restore(tracks, Math.max(current, 0), current < 0 ? 0 : kept.position);
        return true;
    }
}
