import { t } from '../../texts/text.js';

/** The player's state and its message for the user. */
export class PlayerStatus {
    /** @param {{line: import('../decks/deck-line.js').DeckLine, loader: import('../loading/loader.js').Loader, output: import('../output/sound-output.js').SoundOutput}} parts */
    constructor({ line, loader, output }) {
        this.line = line;
        this.loader = loader;
        this.output = output;
    }

    /** @returns {'stopped' | 'loading' | 'playing' | 'paused' | 'buffering' | 'offline' | 'failed'} */
    get state() {
        const { line, loader } = this;
        const deck = line.current;
        if (!deck) return 'stopped';
        if (!line.isWanted) return 'paused';
        if (this.output.isHeld) return 'loading';
        // Buffered audio starts immediately: do not show a loading state for it.
        if (line.startAt === null || (line.isAtOnce && !deck.failure)) return 'playing';
        if (deck.failure) return 'failed';
        const { trouble } = loader;
        if (trouble && (trouble.kind === 'server' || trouble.kind === 'busy')) return 'failed';
        if (loader.isOffline) return 'offline';
        return line.hasBeenHeard ? 'buffering' : 'loading';
    }

    /** Message for the user; may be empty. */
    get message() {
        const { state, loader } = this;
        if (state === 'stopped' || state === 'paused' || state === 'playing') return '';
        if (this.output.isHeld) return t('The browser is blocking audio: tap here or press a key.');
        if (loader.isOffline) return t('No Connection');
        return (this.line.current?.failure ?? loader.trouble)?.message ?? (state === 'buffering' ? t('Buffering…') : t('Loading…'));
    }

    /** Seconds until the next automatic retry; null if none is scheduled. */
    get retryIn() {
        return this.loader.trouble ? Math.max(0, (this.loader.retryAt ?? 0) - performance.now() / 1000) : null;
    }
}
