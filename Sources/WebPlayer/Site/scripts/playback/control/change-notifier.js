/** Minimum interval between position events, in milliseconds. */
const POSITION_INTERVAL = 250;

/** Reports changes since the last report: track, transition, state and position. */
export class ChangeNotifier {
    /**
     * @param {object} parts
     * @param {import('../decks/deck-line.js').DeckLine} parts.line
     * @param {import('../queue/play-queue.js').PlayQueue} parts.queue
     * @param {import('./player-status.js').PlayerStatus} parts.status
     * @param {(name: string) => void} parts.emit
     */
    constructor({ line, queue, status, emit }) {
        this.line = line;
        this.queue = queue;
        this.status = status;
        this.emit = emit;
        this.item = null;
        this.deck = null;
        this.transition = null;
        this.state = 'stopped';
        this.message = '';
        this.positionAt = 0;
    }

    notifyChanges() {
        this.#notifyTrack();
        this.#notifyTransition();
        this.#notifyState();
        if (this.state === 'playing' && performance.now() - this.positionAt >= POSITION_INTERVAL) {
            this.positionAt = performance.now();
            this.emit('position');
        }
    }

    #notifyTrack() {
        const deck = this.line.current;
        const item = deck?.item ?? this.queue.current;
        // A repeated track starts again: it is another deck of the same item.
        const isOther = item !== this.item || (deck && this.deck && deck !== this.deck);
        this.item = item;
        this.deck = deck;
        if (isOther) this.emit('track');
    }

    #notifyTransition() {
        const transition = this.line.decks.length > 1 ? this.line.transition : null;
        if ((transition === null) === (this.transition === null)) return;
        this.transition = transition;
        this.emit('transition');
    }

    #notifyState() {
        const { state, message } = this.status;
        if (state === this.state && message === this.message) return;
        this.state = state;
        this.message = message;
        this.emit('state');
    }
}
