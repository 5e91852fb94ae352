/** A track counts as played after half of it or after four minutes, whichever comes first. */
const ENOUGH_SHARE = 0.5;
const ENOUGH_SECONDS = 240;

/** Reports playback to the host: the current track immediately, and a play once enough of the track was heard. */
export class PlayReporter {
    #heardDeck;
    #heardTrack;
    #isCounted;
    #lastPosition;

    /**
     * @param {import('./player.js').Player} player
     * @param {{actions: {send(action: object): void, sendOnce(action: object): void}, settings?: any}} parts `actions`: see
     *     `WaitingActions`
     */
    constructor(player, { actions, settings }) {
        this.player = player;
        this.actions = actions;
        this.settings = settings;
        this.#heardTrack = null;
        this.seconds = 0;
        this.#lastPosition = 0;
        this.#isCounted = false;
        player.addEventListener('track', () => this.begin());
        player.addEventListener('state', () => this.begin());
        player.addEventListener('position', () => this.listen());
        player.addEventListener('end', () => this.begin());
    }

    begin() {
        const { player } = this;
        if (player.state !== 'playing' || player.currentDeck === this.#heardDeck) return;
        this.#heardDeck = player.currentDeck;
        this.#heardTrack = player.current;
        this.seconds = 0;
        this.#lastPosition = player.position;
        this.#isCounted = false;
        if (this.isOn) this.actions.sendOnce({ action: 'now_playing', track_id: this.#heardTrack.id });
    }

    /** Adds up the time heard; seeks do not count. */
    listen() {
        const { player } = this;
        if (player.current !== this.#heardTrack || this.#isCounted) return;
        const step = player.position - this.#lastPosition;
        this.#lastPosition = player.position;
        if (step > 0 && step < 3 * player.speed) this.seconds += step;
        const enough = Math.min(player.duration * ENOUGH_SHARE, ENOUGH_SECONDS);
        if (!(player.duration > 0) || this.seconds < enough) return;
        this.#isCounted = true;
        if (this.isOn) {
            this.actions.send({
                action: 'play',
                track_id: this.#heardTrack.id,
                seconds_played: Math.round(this.seconds * 10) / 10,
            });
        }
    }

    get isOn() {
        return this.settings?.get('playback.reportPlays') !== false;
    }
}
