/** Seconds skipped by the seek keys. */
const STEP = 10;

/**
 * Media controls: the lock screen, media keys on keyboards and headphones, and the system's own controls.
 *
 * Browsers show them only for pages with a playing media element. The player uses Web Audio, so a silent element plays alongside.
 */
export class MediaSessionControls {
    /**
     * @param {import('./player.js').Player} player
     * @param {{artwork?: (track: any) => Promise<string | null> | string | null}} parts returns the URL of a track's cover
     */
    constructor(player, { artwork } = {}) {
        this.player = player;
        this.artwork = artwork;
        this.session = navigator.mediaSession ?? null;
        if (!this.session) return;
        /** @type {Record<string, (details: any) => unknown>} */
        const actions = {
            play: () => player.play(),
            pause: () => player.pause(),
            stop: () => player.stop(),
            nexttrack: () => player.next(),
            previoustrack: () => player.previous(),
            seekto: ({ seekTime }) => player.seek(seekTime),
            seekbackward: ({ seekOffset }) => player.seek(player.position - (seekOffset ?? STEP)),
            seekforward: ({ seekOffset }) => player.seek(player.position + (seekOffset ?? STEP)),
        };
        for (const [name, action] of Object.entries(actions)) {
            try {
                this.session.setActionHandler(/** @type {MediaSessionAction} */ (name), (details) => {
                    action(details);
                });
            } catch {
                // This browser does not support the action.
            }
        }
        for (const type of ['track', 'tags']) player.addEventListener(type, () => this.#showTrack());
        player.addEventListener('state', () => this.#showState());
        player.addEventListener('position', () => this.#showPosition());
    }

    async #showTrack() {
        const track = this.player.current;
        this.session.metadata = track ? this.metadata(track, []) : null;
        if (!track || !this.artwork) return;
        const source = await Promise.resolve(this.artwork(track)).catch(() => null);
        if (source && this.player.current === track) this.session.metadata = this.metadata(track, [{ src: source }]);
    }

    metadata(track, artwork) {
        return new MediaMetadata({ title: track.title ?? '', artist: track.artist ?? '', album: track.album ?? '', artwork });
    }

    #showState() {
        const { state } = this.player;
        const isOn = state !== 'paused' && state !== 'stopped';
        this.session.playbackState = state === 'stopped' ? 'none' : isOn ? 'playing' : 'paused';
        if (isOn) this.#anchor.play().catch(() => {});
        else this.element?.pause();
        this.#showPosition();
    }

    #showPosition() {
        const { duration, position, speed } = this.player;
        if (!(duration > 0)) return;
        this.session.setPositionState?.({ duration, playbackRate: speed, position: Math.min(Math.max(position, 0), duration) });
    }

    /** The media element that plays silence. */
    get #anchor() {
        if (!this.element) {
            this.element = new Audio(URL.createObjectURL(new Blob([silence(10)], { type: 'audio/wav' })));
            this.element.loop = true;
        }
        return this.element;
    }
}

/** Returns seconds of silence as a WAV file: 8 kHz, mono, 8 bits, whose zero is 128. */
function silence(seconds) {
    const count = seconds * 8000;
    const bytes = new Uint8Array(44 + count).fill(128, 44);
    const view = new DataView(bytes.buffer);
    const text = (at, letters) => bytes.set(Array.from(letters, (letter) => letter.charCodeAt(0)), at);
    text(0, 'RIFF');
    view.setUint32(4, 36 + count, true);
    text(8, 'WAVEfmt ');
    view.setUint32(16, 16, true);
    view.setUint16(20, 1, true);
    view.setUint16(22, 1, true);
    view.setUint32(24, 8000, true);
    view.setUint32(28, 8000, true);
    view.setUint16(32, 1, true);
    view.setUint16(34, 8, true);
    text(36, 'data');
    view.setUint32(40, count, true);
    return bytes;
}
