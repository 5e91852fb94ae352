import { t } from '../../texts/text.js';

/** Seconds for which the address of a song works, beyond twice its length. */
const RESERVE = 600;

/**
 * Plays the queue on another device, such as a Chromecast or an AirPlay speaker, as far as the browser offers it (Remote Playback
 * API).
 *
 * The device itself requests the original files from the host, with a token for one song that expires. The queue stays the
 * player's; the player itself is paused. The device plays without crossfades, and its plays are not reported.
 *
 * Events: 'change'.
 */
export class Cast extends EventTarget {
    #player;
    #client;
    #audio = new Audio();
    #remote;
    /** The track whose address the element has. @type {any} */
    #loaded = null;
    #isLooking = false;

    /** Whether the browser has found a device. */
    isAvailable = false;
    isConnected = false;

    /**
     * @param {import('./player.js').Player} player
     * @param {Pick<import('../../host/host-client.js').HostClient, 'json' | 'url'>} client
     */
    constructor(player, client) {
        super();
        this.#player = player;
        this.#client = client;
        this.#remote = this.#audio.remote;
        // Firefox and WebKitGTK have no such devices.
        if (!this.#remote) return;
        this.#audio.preload = 'none';
        this.#remote.addEventListener('connect', () => this.#begin());
        this.#remote.addEventListener('disconnect', () => this.#end());
        for (const type of ['play', 'pause', 'timeupdate', 'error']) this.#audio.addEventListener(type, () => this.#changed());
        this.#audio.addEventListener('ended', () => this.#followQueue());
        player.addEventListener('track', () => this.#trackChanged());
        player.addEventListener('state', () => this.#stateChanged());
    }

    get isPaused() {
        return this.#audio.paused;
    }

    /** The position on the device, in seconds. */
    get position() {
        return this.#audio.currentTime;
    }

    /** Why the device does not play; may be empty. */
    get message() {
        return this.#audio.error ? t('The device cannot play this file.') : '';
    }

    /** Lets the user choose a device, or disconnect from it. Browsers require a user gesture. */
    async choose() {
        if (!this.isConnected) await this.#load();
        try {
            await this.#remote.prompt();
        } catch (error) {
            // The user has closed the list of devices.
            if (error.name !== 'AbortError' && error.name !== 'NotAllowedError') throw error;
        }
    }

    toggle() {
        if (this.#audio.paused) return this.#audio.play().catch(() => {});
        this.#audio.pause();
    }

    /** @param {number} seconds */
    seek(seconds) {
        this.#audio.currentTime = Math.max(0, Math.min(seconds, this.#player.current?.duration_seconds ?? seconds));
        this.#changed();
    }

    async #trackChanged() {
        if (!this.isConnected) return;
        // A skip starts the player, too.
        this.#player.pause();
        await this.#start(0);
    }

    async #stateChanged() {
        if (!this.#player.line.isWanted || this.#isLooking) return;
        if (this.#loaded) {
            // Playing here again ends playing there.
            if (this.isConnected && this.#loaded === this.#player.current) this.#audio.pause();
            return;
        }
        // Browsers report devices only for an element with an address.
        this.#isLooking = true;
        await this.#load().catch(() => {});
        if (this.#loaded) await this.#watch();
        this.#isLooking = false;
    }

    async #watch() {
        try {
            await this.#remote.watchAvailability((isAvailable) => {
                this.isAvailable = isAvailable;
                this.#changed();
            });
        } catch {
            // The browser cannot watch in the background: only the list itself shows whether there are devices.
            this.isAvailable = true;
            this.#changed();
        }
    }

    /** Gives the element the address of the current track. */
    async #load() {
        const track = this.#player.current;
        if (!track) return;
        const seconds = Math.ceil(2 * (track.duration_seconds ?? 0) + RESERVE);
        const query = { track_id: track.id, seconds: Math.min(seconds, 86_400) };
        const { token } = await this.#client.json('/auth/token', { method: 'POST', query });
        if (this.#player.current !== track) return;
        this.#audio.src = this.#client.url(`/api/files/${track.id}/stream`, { token });
        this.#loaded = track;
    }

    #begin() {
        this.isConnected = true;
        const { position } = this.#player;
        this.#player.pause();
        this.#start(position);
        this.#changed();
    }

    /** Plays the current track on the device. @param {number} position in seconds */
    async #start(position) {
        try {
            if (this.#loaded !== this.#player.current) await this.#load();
            if (position > 0) this.#audio.currentTime = position;
            await this.#audio.play();
        } catch {
            // `message` says why.
        }
        this.#changed();
    }

    #end() {
        this.isConnected = false;
        if (this.#loaded === this.#player.current) this.#player.seek(this.#audio.currentTime);
        this.#audio.pause();
        this.#changed();
    }

    #followQueue() {
        if (!this.isConnected) return;
        if (this.#player.queue.repeat === 'one') this.#start(0);
        else this.#player.next();
    }

    #changed() {
        this.dispatchEvent(new Event('change'));
    }
}
