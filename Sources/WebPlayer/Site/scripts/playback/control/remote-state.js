/** Like the event socket: browsers cannot add headers to a WebSocket handshake, so the key is sent as a subprotocol. */
const PROTOCOL = 'audio-companion';
const KEY_PREFIX = 'audio-companion.key.';
const PROTOCOL_VERSION = 1;
/** Seconds between reconnection attempts; the last value repeats. */
const DELAYS = [2, 5, 10, 30];
/** Maximum number of queue ids sent, around the current track. */
const MOST_IDS = 1000;

/**
 * Reports playback to the host over `/ws`, so that this page appears among the connected clients.
 *
 * Dispatches `jukebox` when the host's jukebox has changed, and when changes may have been missed.
 */
export class RemoteState extends EventTarget {
    #attempt;

    /**
     * @param {import('./player.js').Player} player
     * @param {{client: any, appVersion?: string}} parts
     */
    constructor(player, { client, appVersion = 'web' }) {
        super();
        this.player = player;
        this.client = client;
        this.appVersion = appVersion;
        this.#attempt = 0;
        this.told = {};
        for (const name of ['state', 'track', 'volume']) player.addEventListener(name, () => this.emit());
        player.addEventListener('position', () => this.#notifyJumps());
    }

    /** Connects, and reconnects until `stop` is called. */
    start() {
        this.isWanted = true;
        const url = new URL(this.client.url('/ws'));
        url.protocol = url.protocol.replace('http', 'ws');
        const socket = new WebSocket(url, this.client.key ? [PROTOCOL, KEY_PREFIX + this.client.key] : [PROTOCOL]);
        this.socket = socket;
        this.told = {};
        socket.onopen = () => {
            this.#attempt = 0;
            socket.send(JSON.stringify({ protocol_version: PROTOCOL_VERSION, app_version: this.appVersion }));
            this.emit();
            this.dispatchEvent(new Event('jukebox'));
        };
        socket.onmessage = ({ data }) => {
            if (String(data).includes('"jukebox_changed"')) this.dispatchEvent(new Event('jukebox'));
        };
        socket.onclose = ({ code }) => {
            this.socket = null;
            // Codes from 4000 are the host's own: it would refuse the connection again.
            if (!this.isWanted || code >= 4000) return;
            const delay = DELAYS[Math.min(this.#attempt++, DELAYS.length - 1)];
            this.timer = setTimeout(() => this.start(), delay * 1000);
        };
    }

    stop() {
        this.isWanted = false;
        clearTimeout(this.timer);
        this.socket?.close();
    }

    send(command, values = {}) {
        if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify({ [command]: values }));
    }

    emit() {
        const { player, told } = this;
        if (this.socket?.readyState !== WebSocket.OPEN) return;
        const deck = player.currentDeck;
        const isPlaying = player.state === 'playing';
        if (deck && isPlaying && told.deck !== deck) {
            const { items, index } = player.queue;
            const from = Math.max(0, index - MOST_IDS / 2);
            this.send('play', {
                track_id: deck.track.id,
                queue_ids: items.slice(from, from + MOST_IDS).map(({ track }) => track.id),
            });
            if (player.position > 0.5) this.send('seek', { position_seconds: player.position });
            Object.assign(told, { deck, isPlaying: true });
            this.mark();
        } else if (told.deck && told.isPlaying !== isPlaying) {
            this.send(isPlaying ? 'resume' : 'pause');
            told.isPlaying = isPlaying;
            this.mark();
        }
        const volume = player.muted ? 0 : player.volume;
        if (told.volume !== volume) this.send('set_volume', { level: volume });
        told.volume = volume;
    }

    /** Reports a seek if the position differs from the expected one. */
    #notifyJumps() {
        const { player, told } = this;
        if (!told.deck || told.deck !== player.currentDeck) return;
        const expected = told.position + (told.isPlaying ? (performance.now() - told.at) / 1000 : 0);
        if (Math.abs(player.position - expected) > 1) this.send('seek', { position_seconds: player.position });
        this.mark();
    }

    mark() {
        Object.assign(this.told, { position: this.player.position, at: performance.now() });
    }
}
