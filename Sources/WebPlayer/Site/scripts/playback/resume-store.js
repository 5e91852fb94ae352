import { browserStorage } from '../host/browser-storage.js';

/** Where it is kept. */
const KEY = 'playback.resume';
/** How often the position is kept, in milliseconds. */
const INTERVAL = 2000;
/** The most tracks of a queue that are kept, those around the current one. */
const MOST = 2000;

/** Keeps the queue and the position over a reload, and gives them back. */
export class ResumeStore {
    /**
     * @param {import('./player.js').Player} player
     * @param {{storage?: Storage}} [parts]
     */
    constructor(player, { storage = browserStorage() } = {}) {
        Object.assign(this, { player, storage });
        this.keptAt = 0;
        player.addEventListener('position', () => {
            if (performance.now() - this.keptAt >= INTERVAL) this.save();
        });
        for (const name of ['state', 'track', 'queue']) player.addEventListener(name, () => this.save());
        addEventListener('pagehide', () => this.save());
        document.addEventListener('visibilitychange', () => this.save());
    }

    save() {
        const { queue, position } = this.player;
        // Before it was given back, nothing is known that would be worth more.
        if (queue.items.length === 0 && !this.isSaved) return;
        this.isSaved = true;
        this.keptAt = performance.now();
        const from = Math.max(0, queue.index - MOST / 2);
        const kept = {
            ids: queue.items.slice(from, from + MOST).map(({ track }) => track.id), index: queue.index - from,
            position, shuffle: queue.shuffle, repeat: queue.repeat,
        };
        try {
            this.storage.setItem(KEY, JSON.stringify(kept));
        } catch {
            // Full or forbidden: then the next visit begins anew.
        }
    }

    /**
     * Stands where the last visit ended. Nothing is fetched until it is to play.
     * @param {(ids: number[]) => Promise<any[]>} resolve tracks by their ids, in the same order; those that are gone left out or undefined
     * @returns {Promise<boolean>} whether there was anything
     */
    async restore(resolve) {
        let kept;
        try {
            kept = JSON.parse(this.storage.getItem(KEY) ?? 'null');
        } catch {
            return false;
        }
        if (!Array.isArray(kept?.ids) || kept.ids.length === 0) return false;
        const tracks = (await resolve(kept.ids)).filter(Boolean);
        if (tracks.length === 0 || this.player.queue.items.length > 0) return false;
        const current = tracks.findIndex((track) => track.id === kept.ids[kept.index]);
        this.player.queue.isShuffled = kept.shuffle === true;
        this.player.queue.repeat = kept.repeat;
        this.player.restore(tracks, Math.max(current, 0), current < 0 ? 0 : kept.position);
        return true;
    }
}
