/** Minimum interval between position events, in milliseconds. */
const POSITION_INTERVAL = 250;

/** Reports changes since the last report: track, transition, state and position. */
export class ChangeNotifier {
    /**
     * @param {object} parts
     * @param {import('./deck-line.js').DeckLine} parts.line
     * @param {import('./play-queue.js').PlayQueue} parts.queue
     * @param {import('./player-status.js').PlayerStatus} parts.status
     * @param {(name: string) => void} parts.tell
     */
    constructor({ line, queue, status, tell }) {
        Object.assign(this, { line, queue, status, tell });
        this.item = null;
        this.deck = null;
        this.transition = null;
        this.state = 'stopped';
        this.message = '';
        this.positionAt = 0;
    }

    tellChanges() {
        this.tellTrack();
        this.tellTransition();
        this.tellState();
        if (this.state === 'playing' && performance.now() - this.positionAt >= POSITION_INTERVAL) {
            this.positionAt = performance.now();
            this.tell('position');
        }
    }

    tellTrack() {
        const deck = this.line.current;
        const item = deck?.item ?? this.queue.current;
        // A repeated track starts again: it is another deck of the same item.
        const isOther = item !== this.item || (deck && this.deck && deck !== this.deck);
        this.item = item;
        this.deck = deck;
        if (isOther) this.tell('track');
    }

    tellTransition() {
        const transition = this.line.decks.length > 1 ? this.line.transition : null;
        if ((transition === null) === (this.transition === null)) return;
        this.transition = transition;
        this.tell('transition');
    }

    tellState() {
        const { state, message } = this.status;
        if (state === this.state && message === this.message) return;
        this.state = state;
        this.message = message;
        this.tell('state');
    }
}
