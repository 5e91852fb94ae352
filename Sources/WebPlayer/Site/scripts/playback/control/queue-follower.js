/** Keeps the decks in line with the queue: drops decks that no longer come next, and advances the queue as tracks end. */
export class QueueFollower {
    /**
     * @param {object} parts
     * @param {import('../queue/play-queue.js').PlayQueue} parts.queue
     * @param {import('../decks/deck-line.js').DeckLine} parts.line
     * @param {import('../output/sound-output.js').SoundOutput} parts.output
     * @param {() => void} parts.onChange called when the next track has changed
     * @param {() => void} parts.onEnd called when the last track has ended
     */
    constructor({ queue, line, output, onChange, onEnd }) {
        this.queue = queue;
        this.line = line;
        this.output = output;
        this.onChange = onChange;
        this.onEnd = onEnd;
    }

    /** Drops decks that no longer come next. */
    checkOrder() {
        const { line, queue } = this;
        for (let i = Math.max(line.index, 0); i + 1 < line.decks.length; i++) {
            if (queue.after(line.decks[i].item) !== line.decks[i + 1].item) {
                line.dropFrom(i + 1);
                line.unsettle(line.decks[i]);
                this.onChange();
                break;
            }
        }
        const last = line.decks.at(-1);
        if (last && line.transitions.has(last)) {
            line.unsettle(last);
            this.onChange();
        }
    }

    /** Drops decks that have been heard to their end, and advances the queue. */
    passOn() {
        const { line, queue, output: { clock } } = this;
        const now = clock.heard;
        let current = /** @type {import('../decks/deck.js').Deck} */ (line.current);
        // If the next track was not ready in time, the current one has ended without a transition.
        if (current.isDone && now >= current.nextWhen && line.startAt === null) {
            const next = line.after(current);
            if (next && !next.isBegun) {
                const entry = line.transitions.get(current)?.entry ?? 0;
                line.dropBefore(next);
                line.waitAt(entry, false);
                current = next;
            } else if (!next && queue.after(current.item) === null) {
                this.onEnd();
                return;
            }
        }
        if (line.startAt === null) {
            const ended = line.decks.slice(0, line.decks.indexOf(current)).filter((deck) => now >= deck.nextWhen + clock.rate);
            for (const deck of ended) line.drop(deck);
        }
        queue.arrive(current.item);
    }
}
