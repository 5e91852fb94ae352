import { lchOfHex } from './oklch.js';
import { Palette } from './palette.js';

/** @typedef {import('./oklch.js').LCH} LCH */
/** @typedef {import('./palette.js').Ground} Ground */

/** Steps of the hue cycle; the palette of each step is created once. */
const STEPS = 240;
const CHROMA = 0.17;
/** Duration of the transition to the next track's palette in seconds, and its number of steps. */
const FADE_SECONDS = 0.9;
const FADE_STEPS = 18;
const DEFAULT = { lightness: 0.7, chroma: 0.15, hue: 265 };

/**
 * Provides the current palette: from a hue cycle, the cover, or a custom colour.
 */
export class ColourSource {
    /** @type {(Palette | undefined)[]} */
    #cycle = new Array(STEPS);
    #hue = new Float64Array([200]);
    #progress = new Float64Array([1]);
    /** @type {Palette} */
    #steady;
    /** Palettes of the transition from the previous palette. @type {(Palette | undefined)[]} */
    #fade = new Array(FADE_STEPS + 1);
    /** @type {Palette} */
    #before;
    /** @type {Ground} */
    #ground = 'dark';
    /** @type {{main: LCH, accent: LCH} | null} */
    #cover = null;
    #settings = { colour: 'cycle', hueSeconds: 24, customColour: '#8a5cff' };

    constructor() {
        this.#steady = this.#before = this.#palette();
    }

    /** The brightness of the background. @param {Ground} ground */
    set ground(ground) {
        if (ground === this.#ground) return;
        this.#ground = ground;
        this.#cycle.fill(undefined);
        this.#before = this.#steady = this.#palette();
        this.#fade.fill(undefined);
    }

    /** @param {{colour: 'cycle' | 'cover' | 'custom', hueSeconds: number, customColour: string}} settings */
    set settings(settings) {
        this.#settings = settings;
        this.#change();
    }

    /** The colours of the cover; null while unknown. @param {{main: LCH, accent: LCH} | null} colours */
    set cover(colours) {
        this.#cover = colours;
        this.#change();
    }

    /**
     * Returns the current palette.
     *
     * @param {number} seconds since the last call
     * @returns {Palette}
     */
    next(seconds) {
        if (this.#settings.colour === 'cycle') {
            const hue = this.#hue[0] + 360 * seconds / this.#settings.hueSeconds;
            this.#hue[0] = hue - 360 * Math.floor(hue / 360);
            const step = Math.floor(this.#hue[0] * STEPS / 360) % STEPS;
            return this.#cycle[step] ??= this.#ofHue(step * 360 / STEPS);
        }
        if (this.#progress[0] >= 1) return this.#steady;
        this.#progress[0] += seconds / FADE_SECONDS;
        if (this.#progress[0] >= 1) return this.#steady;
        const step = Math.floor(this.#progress[0] * FADE_STEPS);
        return this.#fade[step] ??= this.#before.towards(this.#steady, step / FADE_STEPS);
    }

    #change() {
        const next = this.#palette();
        const { main, accent } = this.#steady;
        if (main.hue === next.main.hue && main.chroma === next.main.chroma && accent.hue === next.accent.hue) return;
        this.#before = this.next(0);
        this.#steady = next;
        this.#fade.fill(undefined);
        this.#progress[0] = 0;
    }

    /** @returns {Palette} */
    #palette() {
        if (this.#settings.colour === 'custom') {
            const main = lchOfHex(this.#settings.customColour) ?? DEFAULT;
            return new Palette(main, { ...main, hue: (main.hue + 28) % 360 }, this.#ground);
        }
        if (this.#settings.colour === 'cover' && this.#cover) {
            return new Palette(this.#cover.main, this.#cover.accent, this.#ground);
        }
        return new Palette(DEFAULT, { ...DEFAULT, hue: 310 }, this.#ground);
    }

    /** @param {number} hue */
    #ofHue(hue) {
        return new Palette(
            { lightness: 0.7, chroma: CHROMA, hue },
            { lightness: 0.7, chroma: CHROMA, hue: (hue + 75) % 360 },
            this.#ground,
        );
    }
}
