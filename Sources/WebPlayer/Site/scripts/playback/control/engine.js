import { SPEED } from '../../host/settings-table.js';
import { Bandwidth } from '../loading/bandwidth.js';
import { bounded } from './bounded.js';
import { ChangeNotifier } from './change-notifier.js';
import { Deck } from '../decks/deck.js';
import { DeckLine } from '../decks/deck-line.js';
import { Joiner } from '../decks/joiner.js';
import { Loader } from '../loading/loader.js';
import { PlayQueue } from '../queue/play-queue.js';
import { PlaybackSettings } from './playback-settings.js';
import { PlayerStatus } from './player-status.js';
import { Quality } from '../loading/quality.js';
import { QueueFollower } from './queue-follower.js';
import { Scheduler } from '../decks/scheduler.js';
import { SegmentDecoder } from '../decks/segment-decoder.js';
import { SleepTimer } from './sleep-timer.js';
import { SoundOutput } from '../output/sound-output.js';
import { SoundProcessor } from '../output/sound-processor.js';
import { Supply } from '../loading/supply.js';
import { entryOf } from '../queue/transition.js';

/** Interval of `tick`, in milliseconds. */
const TICK = 100;
/** Seconds over which the level changes when a playing track becomes part of an album: slow enough not to be noticed. */
const LEVEL_GLIDE = 4;
/** Kinds of failure that concern one track: the next one may play. */
const OF_TRACK = new Set(['bad-answer', 'decoding', 'not-found']);
/** Maximum number of tracks skipped in a row: after as many, the reason may be another. */
const MOST_SKIPPED = 5;

/**
 * @typedef {object} Policy
 * @property {number} [silenceSeconds] timeout of a response without data
 * @property {number} [probeSeconds] polling interval while the host is offline
 * @property {Record<string, number[]>} [retryDelays] seconds until each retry, by kind of error
 * @property {import('../loading/quality.js').NetworkInformation} [connection] the browser's network information
 */

const DEFAULT_POLICY = { silenceSeconds: 30, probeSeconds: 0.75 };

/** Creates and connects the parts of the player, and drives them by a timer. */
export class Engine {
    #follower;
    #notifier;
    /** Number of tracks skipped since another one began. */
    #skippedCount = 0;
    /**
     * The last item that was heard when a track failed.
     * @type {import('../queue/play-queue.js').QueueItem | null}
     */
    #heardItem = null;

    /**
     * @param {object} parts
     * @param {any} parts.client a `HostClient`
     * @param {any} parts.settings a `Settings`
     * @param {BaseAudioContext} [parts.context]
     * @param {Policy} [parts.policy]
     * @param {(name: string, detail?: any) => void} parts.emit dispatches an event to the page
     */
    constructor({ client, settings, context, policy, emit }) {
        this.policy = { ...DEFAULT_POLICY, ...policy };
        const { silenceSeconds, probeSeconds, retryDelays, connection } = this.policy;
        this.emit = emit;
        this.settings = new PlaybackSettings(settings);
        this.queue = new PlayQueue();
        this.queue.addEventListener('change', (/** @type {any} */ event) => this.#queueChanged(event.detail));
        settings.addEventListener?.('change', (event) => this.#settingChanged(event.key ?? event.detail?.key));
        this.decoder = new SegmentDecoder();
        this.processor = new SoundProcessor();
        this.bandwidth = new Bandwidth();
        this.output = new SoundOutput({ context, volume: bounded(settings.get('playback.volume'), 0, 1) });
        this.output.addEventListener('change', () => this.tick());
        const { queue, output, bandwidth } = this;
        const line = new DeckLine(output);
        line.speed = bounded(settings.get('playback.speed'), SPEED.least, SPEED.most);
        this.line = line;
        this.supply = new Supply({
            client,
            line,
            output,
            queue,
            bandwidth,
            quality: new Quality({ settings, bandwidth, connection }),
            decoder: this.decoder,
            silenceSeconds,
            settings: this.settings,
            makeDeck: (item) => this.#newDeck(item),
            onArrival: () => this.tick(),
            onSegment: () => {
                this.loader.retries.succeed();
                emit('buffer');
                this.tick();
            },
        });
        const { supply } = this;
        this.loader = new Loader({
            nextJob: () => supply.nextJob(),
            isHostThere: (signal) => supply.isHostThere(signal),
            probeSeconds,
            retryDelays,
        });
        this.loader.addEventListener('change', () => this.tick());
        this.loader.addEventListener(
            'trouble',
            (/** @type {any} */ { detail }) => this.#notifyError(detail.error, detail.deck, detail.delay),
        );
        this.loader.addEventListener(
            'failure',
            (/** @type {any} */ { detail }) => this.#failed(detail.error, detail.deck),
        );
        const joiner = new Joiner({ line, output, supply, settings: this.settings, onPlan: () => emit('plan') });
        this.scheduler = new Scheduler({
            line,
            output,
            queue,
            supply,
            joiner,
            onBegin: () => this.#notifier.notifyChanges(),
            onFailure: (error, deck) => this.#failed(error, deck),
        });
        this.#follower = new QueueFollower({
            queue,
            line,
            output,
            onChange: () => this.scheduler.remake(),
            onEnd: () => this.finish(),
        });
        this.sleeper = new SleepTimer({ line, output, onSleep: () => this.fallAsleep() });
        this.status = new PlayerStatus({ line, loader: this.loader, output });
        this.#notifier = new ChangeNotifier({ line, queue, status: this.status, emit });
        this.timer = setInterval(() => this.tick(), TICK);
    }

    /** Starts or resumes playback. */
    async play() {
        const { line, queue } = this;
        if (!queue.current) return;
        this.needContext();
        line.isWanted = true;
        if (line.decks.length === 0) this.open(queue.current, line.resumeAt);
        if (line.current?.failure) this.retry();
        this.tick();
        if (this.output.isOffline) return;
        await this.output.rise();
        this.tick();
    }

    pause() {
        if (!this.line.isWanted) return;
        this.line.isWanted = false;
        this.output.fall();
        this.tick();
    }

    /** Stops playback; the queue is kept. */
    stopSound() {
        this.line.clear();
        this.loader.reconsider();
    }

    /** Retries tracks that failed. */
    retry() {
        for (const deck of this.line.decks) deck.failure = null;
        this.queue.forgetSkipped();
        this.#skippedCount = 0;
        this.loader.retry();
        this.tick();
    }

    /** Releases all resources. */
    close() {
        clearInterval(this.timer);
        this.loader.close();
        this.line.dropFrom(0);
        this.processor.close();
        this.output.close();
    }

    /** Makes sure that there is an audio context, at the first track's sample rate if possible. */
    needContext() {
        this.output.need(this.queue.current?.track.sample_rate_hz);
    }

    /** Creates a deck for a queue item, with the track data already downloaded. */
    #newDeck(item) {
        const deck = new Deck({
            item,
            context: this.output.context,
            output: this.output.mix,
            processor: this.processor,
            decoder: this.decoder,
        });
        deck.speed = this.line.speed;
        this.supply.attach(deck);
        this.setLevel(deck);
        return deck;
    }

    /** Sets a deck's level according to the loudness settings. */
    setLevel(deck, seconds) {
        // A track that plays as part of an album keeps its level when the queue changes: another change would only be noticeable.
        deck.isInAlbumOrder = (deck.isBegun && deck.isInAlbumOrder) || this.queue.isInAlbumOrder(deck.item);
        deck.setLevel(this.settings.levelOf(deck.track, deck.isInAlbumOrder), seconds);
    }

    /** Opens an item at a position in seconds; null for its start. */
    open(item, place) {
        this.line.open(this.#newDeck(item), place ?? (this.settings.transitions.skipSilence ? entryOf(item.track) : 0));
        this.loader.reconsider();
    }

    #queueChanged({ isNewStart, isEnd, isArrival, isPlayWanted }) {
        if (isEnd) this.finish();
        else if (isNewStart) {
            this.stopSound();
            if (this.line.isWanted || isPlayWanted) this.play();
        } else if (!isArrival) {
            this.#follower.checkOrder();
            for (const deck of this.line.decks) this.setLevel(deck, LEVEL_GLIDE);
            this.loader.reconsider();
        }
        this.emit('queue');
        this.tick();
    }

    #settingChanged(key) {
        const { line } = this;
        if (key === 'playback.quality') this.loader.reconsider();
        if (PlaybackSettings.changesLevels(key)) { for (const deck of line.decks) this.setLevel(deck); }
        if (PlaybackSettings.changesTransitions(key)) {
            for (const deck of line.decks.slice(Math.max(line.index, 0))) line.unsettle(deck);
            this.supply.forgetPlans();
            this.scheduler.remake();
        }
    }

    /** Advances the queue, schedules audio, requests downloads and reports changes. */
    tick() {
        if (this.line.decks.length > 0) this.#follower.passOn();
        // The queue may have ended just now.
        if (this.line.decks.length > 0) {
            this.scheduler.checkStarvation();
            this.supply.extend();
            this.scheduler.pump();
            this.sleeper.check();
        }
        this.loader.wake();
        this.#notifier.notifyChanges();
    }

    /** Ends playback at the end of the queue. */
    finish() {
        this.line.clear();
        this.sleeper.check();
        this.pause();
        this.emit('end');
    }

    fallAsleep() {
        this.pause();
        this.emit('sleep');
    }

    /** Skips a track that cannot be played, or reports the failure. */
    #failed(error, deck) {
        const { line, queue } = this;
        if (line.current?.isBegun && line.current.item !== this.#heardItem) {
            this.#heardItem = line.current.item;
            this.#skippedCount = 0;
        }
        const next = queue.after(deck.item);
        if (!OF_TRACK.has(error.kind) || !next || next === deck.item || this.#skippedCount >= MOST_SKIPPED) {
            this.#notifyError(error, deck, null);
            return;
        }
        this.#skippedCount += 1;
        queue.skip(deck.item);
        this.emit('skip', { message: error.message, track: deck.track });
    }

    #notifyError(error, deck, retryIn) {
        this.emit('error', {
            message: error.message,
            kind: error.kind,
            track: deck.track,
            isCurrent: deck === this.line.current,
            retryIn,
        });
        this.tick();
    }
}
