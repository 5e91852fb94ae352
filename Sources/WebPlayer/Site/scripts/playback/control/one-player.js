/** Broadcast channel between the tabs of the page. */
const CHANNEL = 'audio-companion.playing';

/** Lets only one tab play at a time: a tab that starts playing pauses the others. */
export class OnePlayer {
    #begun;
    #channel;
    #onPause;

    /**
     * @param {import('./player.js').Player} player
     * @param {() => void} [onPause] called when another tab has started playing
     */
    constructor(player, onPause = () => {}) {
        this.player = player;
        this.#onPause = onPause;
        this.isPlaying = false;
        this.#begun = { at: 0, id: Math.random() };
        try {
            this.#channel = new BroadcastChannel(CHANNEL);
        } catch {
            // Old browsers lack BroadcastChannel, and Firefox throws if storage is blocked.
            return;
        }
        this.#channel.onmessage = ({ data }) => this.#hear(data);
        player.addEventListener('state', () => this.look());
    }

    look() {
        const { state } = this.player;
        const isPlaying = state !== 'paused' && state !== 'stopped';
        if (isPlaying && !this.isPlaying) {
            this.#begun.at = Date.now();
            this.#channel?.postMessage(this.#begun);
        }
        this.isPlaying = isPlaying;
    }

    /** If two tabs start at the same moment, the one with the higher id continues. */
    #hear({ at, id }) {
        if (!this.isPlaying || at < this.#begun.at || (at === this.#begun.at && id < this.#begun.id)) return;
        this.player.pause();
        this.#onPause();
    }
}
