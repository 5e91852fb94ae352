/** Where what could not be sent yet is kept. */
const KEY = 'playback.pendingPlays';
/** The most that is kept: the host takes as many at once. */
const MOST = 1000;
/** A track counts as played after half of it, or after four minutes. */
const ENOUGH_SHARE = 0.5;
const ENOUGH_SECONDS = 240;

/** Tells the host what is played: at once what is playing now, and later what was heard long enough to count. */
export class PlayReporter {
    /**
     * @param {import('./player.js').Player} player
     * @param {{client: any, settings?: any, storage?: Storage, clientName?: string}} parts
     */
    constructor(player, { client, settings, storage = localStorage, clientName = 'Web player' }) {
        Object.assign(this, { player, client, settings, storage, clientName });
        this.heardTrack = null;
        this.seconds = 0;
        this.lastPosition = 0;
        this.isCounted = false;
        this.isSending = false;
        player.addEventListener('track', () => this.begin());
        player.addEventListener('state', () => this.begin());
        player.addEventListener('position', () => this.listen());
        player.addEventListener('end', () => this.begin());
        addEventListener('online', () => this.send());
    }

    begin() {
        const { player } = this;
        if (player.state !== 'playing' || player.currentDeck === this.heardDeck) return;
        this.heardDeck = player.currentDeck;
        this.heardTrack = player.current;
        this.seconds = 0;
        this.lastPosition = player.position;
        this.isCounted = false;
        if (this.isOn) this.post([this.action('now_playing')]).catch(() => {});
    }

    /** Adds up what was really heard: a seek is not. */
    listen() {
        const { player } = this;
        if (player.current !== this.heardTrack || this.isCounted) return;
        const step = player.position - this.lastPosition;
        this.lastPosition = player.position;
        if (step > 0 && step < 3 * player.speed) this.seconds += step;
        const enough = Math.min(player.duration * ENOUGH_SHARE, ENOUGH_SECONDS);
        if (!(player.duration > 0) || this.seconds < enough) return;
        this.isCounted = true;
        if (!this.isOn) return;
        this.keep([...this.kept, this.action('play')]);
        this.send();
    }

    get isOn() {
        return this.settings?.get('playback.reportPlays') !== false;
    }

    action(kind) {
        const action = { action: kind, track_id: this.heardTrack.id, at: Date.now() / 1000, client: this.clientName };
        // A name of its own: sent twice it counts once. crypto.randomUUID is not to be had without a secure context.
        const name = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
        return kind === 'play' ? { ...action, action_id: name, seconds_played: Math.round(this.seconds * 10) / 10 } : action;
    }

    post(actions) {
        return this.client.json('/listening/actions', { method: 'POST', body: { actions } });
    }

    /** Sends what is kept; what cannot be sent stays. */
    async send() {
        const kept = this.kept;
        if (this.isSending || kept.length === 0) return;
        this.isSending = true;
        try {
            await this.post(kept);
            this.keep(this.kept.filter((each) => !kept.some((sent) => sent.action_id === each.action_id)));
        } catch (error) {
            // Refused for good it would be refused again.
            if (error?.kind === 'bad-answer' || error?.kind === 'not-found') this.keep([]);
        } finally {
            this.isSending = false;
        }
    }

    get kept() {
        try {
            const kept = JSON.parse(this.storage.getItem(KEY) ?? '[]');
            return Array.isArray(kept) ? kept : [];
        } catch {
            return [];
        }
    }

    keep(actions) {
        try {
            this.storage.setItem(KEY, JSON.stringify(actions.slice(-MOST)));
        } catch {
            // Full or forbidden: it is lost with the page.
        }
    }
}
