import { ColourSource } from './colours/colour-source.js';
import { fullView } from './full-view.js';
import { LevelMeter } from './level-meter.js';
import { DETAILS, Pace } from './pace.js';
import { Stage } from './stage.js';
import { ENERGY, Scene, SWAY, TIME } from './styles/scene.js';
import { STYLES } from './styles/styles.js';
import { lookOf } from './visualizer-settings.js';

/** @typedef {import('./spectra/spectrum-store.js').SpectrumStore} SpectrumStore */
/** @typedef {import('./colours/cover-colours.js').CoverColours} CoverColours */

/** Milliseconds between pictures while nothing is playing. */
const IDLE_INTERVAL = 1000 / 30;
/** Seconds after which spectra that could not be fetched are requested again. */
const RETRY_SECONDS = 5;

/** Indexes in the array of numbers that change with each picture. */
const LAST = 0;
const MEAN = 1;

/**
 * Draws the music on a canvas, in sync with the audio.
 *
 * Levels are looked up in the host's spectra at the player's position on the audio clock. Drawing allocates nothing. It runs only
 * while the canvas is visible, and in the mini player only while the full player is closed.
 *
 * @typedef {object} VisualizedPlayer
 * @property {string} state 'playing' while audio is heard
 * @property {{id: number, duration_seconds?: number} | null} current
 * @property {number} position seconds
 * @property {() => (AnalyserNode | null)} analyser
 * @property {number} duration seconds
 * @property {number[][]} buffered ranges in seconds
 * @property {any} transition as in `Player`
 * @property {any} plannedTransition as in `Player`
 * @property {(seconds: number) => void} seek
 * @property {import('../playback/queue/play-queue.js').PlayQueue} [queue]
 * @property {EventTarget['addEventListener']} addEventListener
 * @property {EventTarget['removeEventListener']} removeEventListener
 */
export class Visualizer {
    #player;
    #settings;
    #scope;
    #frames;
    #colours;
    #stage;
    #scene = new Scene();
    #meter = new LevelMeter();
    #palettes = new ColourSource();
    #look;
    /** @type {{draw(scene: Scene): void} | null} */
    #style = null;
    #numbers = new Float64Array(2);
    #pace;
    #request = 0;
    #isStarted = false;
    /** @type {number | null} */
    #trackId = null;
    /** Whether the request for the track's spectra has finished. */
    #isLoaded = false;
    #retry = 0;
    #stillness = matchMedia('(prefers-reduced-motion: reduce)');
    #tick = (now) => this.#frame(now);
    #wake = () => this.#schedule();
    #onTrack = () => this.#track();
    #onPlan = () => this.#prepareNext();
    #onFrames = (event) => {
        if (event.id === this.#trackId) this.#load(event.id);
    };
    #onChange = () => this.#restyle();
    #onSetting = (event) => {
        const key = event.key ?? event.detail?.key;
        if (key === undefined || key.startsWith('visualizer.')) this.#restyle();
    };

    /**
     * @param {HTMLCanvasElement} canvas sized by CSS
     * @param {object} parts
     * @param {VisualizedPlayer} parts.player
     * @param {EventTarget & {get(key: string): unknown}} parts.settings
     * @param {'mini' | 'full'} parts.scope
     * @param {SpectrumStore} parts.frames
     * @param {CoverColours} parts.colours
     * @param {Pace} [parts.pace] remembers the level of detail this machine can draw
     */
    constructor(canvas, { player, settings, scope, frames, colours, pace = new Pace() }) {
        this.#player = player;
        this.#settings = settings;
        this.#scope = scope;
        this.#frames = frames;
        this.#colours = colours;
        this.#pace = pace;
        this.#stage = new Stage(canvas);
        this.#look = lookOf(settings, scope);
    }

    /** Current source of the levels. @returns {'frames' | 'live' | 'none'} */
    get source() {
        return this.#meter.source;
    }

    /** The heights shown, from 0 to 1. The array is reused for the next picture. @returns {Float32Array} */
    get levels() {
        return this.#meter.levels;
    }

    /** Whether it is drawing. */
    get isRunning() {
        return this.#request !== 0;
    }

    /** Starts drawing. */
    start() {
        if (this.#isStarted) return;
        this.#isStarted = true;
        this.#stage.open();
        this.#keepPace();
        if (this.#scope === 'full') fullView.opened(this);
        this.#player.addEventListener('state', this.#wake);
        this.#player.addEventListener('track', this.#onTrack);
        this.#player.addEventListener('plan', this.#onPlan);
        this.#frames.addEventListener?.('change', this.#onFrames);
        this.#settings.addEventListener('change', this.#onSetting);
        for (const type of ['size', 'visibility']) this.#stage.addEventListener(type, this.#onChange);
        fullView.addEventListener('change', this.#wake);
        this.#stillness.addEventListener('change', this.#onChange);
        this.#restyle();
        this.#track();
    }

    /** Stops drawing and clears the canvas. */
    stop() {
        if (!this.#isStarted) return;
        this.#isStarted = false;
        fullView.closed(this);
        this.#player.removeEventListener('state', this.#wake);
        this.#player.removeEventListener('track', this.#onTrack);
        this.#player.removeEventListener('plan', this.#onPlan);
        this.#frames.removeEventListener?.('change', this.#onFrames);
        this.#settings.removeEventListener('change', this.#onSetting);
        for (const type of ['size', 'visibility']) this.#stage.removeEventListener(type, this.#onChange);
        fullView.removeEventListener('change', this.#wake);
        this.#stillness.removeEventListener('change', this.#onChange);
        this.#stage.close();
        clearTimeout(this.#retry);
        cancelAnimationFrame(this.#request);
        this.#request = 0;
        this.#trackId = null;
        this.#meter.useNothing();
        this.#stage.clear();
    }

    /** Draws a picture. @param {number} now milliseconds of a monotonic clock */
    draw(now) {
        const numbers = this.#numbers;
        const seconds = Math.max(0, (now - numbers[LAST]) / 1000);
        numbers[LAST] = now;
        const meter = this.#meter;
        const look = this.#look;
        const isPlaying = this.#player.state === 'playing';
        if (meter.source === 'none' && isPlaying) this.#listen();
        meter.step(this.#player.position, seconds, isPlaying, look.sensitivity, look.viscosity);
        this.#paint(seconds < 0.1 ? seconds : 0.1, 1);
    }

    /** @param {number} now */
    #frame(now) {
        this.#request = 0;
        if (!this.#mayDraw()) return;
        const isAlive = this.#player.state === 'playing' || !this.#meter.isFlat;
        if (this.#stillness.matches) {
            this.#meter.still(this.#look.sensitivity);
            this.#paint(0, 0);
            return;
        }
        const since = now - this.#numbers[LAST];
        if (isAlive) {
            if (this.#pace.note(since)) this.#keepPace();
            this.draw(now);
        } else if (since >= IDLE_INTERVAL - 2) {
            this.draw(now);
        }
        this.#request = requestAnimationFrame(this.#tick);
    }

    /** Applies the level of detail. */
    #keepPace() {
        const { isPlain, density } = DETAILS[this.#pace.level];
        this.#scene.isPlain = isPlain;
        this.#stage.share = density;
    }

    /** @param {number} seconds @param {number} sway */
    #paint(seconds, sway) {
        const scene = this.#scene;
        const { levels } = this.#meter;
        let sum = 0;
        for (let index = 0; index < levels.length; index++) sum += levels[index];
        this.#numbers[MEAN] = sum / levels.length;
        scene.numbers[TIME] += seconds;
        scene.numbers[ENERGY] = this.#numbers[MEAN];
        scene.numbers[SWAY] = sway;
        scene.levels = levels;
        scene.trail = this.#meter.trail;
        scene.palette = this.#palettes.next(seconds);
        this.#stage.clear();
        this.#style?.draw(scene);
    }

    #mayDraw() {
        return this.#isStarted && this.#look.enabled && this.#stage.isSeen &&
            !(this.#scope === 'mini' && fullView.isOpen);
    }

    #schedule() {
        if (this.#request === 0 && this.#mayDraw()) this.#request = requestAnimationFrame(this.#tick);
    }

    /** Applies the settings and the size of the canvas. */
    #restyle() {
        const look = lookOf(this.#settings, this.#scope);
        if (this.#style === null || look.style !== this.#look.style) this.#style = new STYLES[look.style](this.#stage.context);
        const coloursChange = look.colour !== this.#look.colour;
        this.#look = look;
        this.#meter.pointCount = look.points;
        this.#scene.width = this.#stage.width;
        this.#scene.height = this.#stage.height;
        this.#scene.isSmall = this.#scope === 'mini';
        this.#palettes.ground = this.#stage.ground;
        this.#palettes.settings = look;
        if (coloursChange) this.#colour();
        if (!look.enabled && this.#isStarted) this.#stage.clear();
        this.#schedule();
    }

    /** Switches to another track: flat until its spectra have been loaded. */
    #track() {
        const track = this.#player.current;
        if ((track?.id ?? null) === this.#trackId) return;
        this.#trackId = track?.id ?? null;
        this.#isLoaded = false;
        this.#meter.useNothing();
        clearTimeout(this.#retry);
        if (track) {
            this.#load(track.id);
            this.#colour();
        }
        this.#schedule();
    }

    /** @param {number} trackId */
    async #load(trackId) {
        let frames = null;
        let canRetry = false;
        try {
            frames = await this.#frames.load(trackId);
        } catch {
            canRetry = true;
        }
        if (trackId !== this.#trackId || !this.#isStarted) return;
        this.#isLoaded = true;
        if (frames) this.#meter.useFrames(frames);
        else this.#listen();
        if (canRetry) this.#retry = setTimeout(() => this.#load(trackId), 1000 * RETRY_SECONDS);
        this.#schedule();
    }

    /** Loads the data of the next track in advance, so that the levels do not drop at the transition. */
    #prepareNext() {
        const { queue } = this.#player;
        const next = queue?.after?.(queue.current)?.track;
        if (!next) return;
        this.#frames.load(next.id).catch(() => {});
        if (this.#look.colour === 'cover') this.#colours.of(next).catch(() => {});
    }

    /** Uses the audio output for a track without spectra. */
    #listen() {
        if (!this.#isLoaded) return;
        const analyser = this.#player.analyser();
        if (analyser) this.#meter.useSound(analyser);
    }

    async #colour() {
        const track = this.#player.current;
        if (!track || this.#look.colour !== 'cover') return;
        try {
            const colours = await this.#colours.of(track);
            if (track.id === this.#trackId) this.#palettes.cover = colours;
        } catch {
            // The previous colours are kept.
        }
    }
}
