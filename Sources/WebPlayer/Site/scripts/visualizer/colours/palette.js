import { cssOf } from './oklch.js';

/** @typedef {import('./oklch.js').LCH} LCH */

/** @typedef {'dark' | 'light'} Ground the brightness of the background */

/**
 * The colours of a visualizer, derived from a main colour and an accent colour.
 */
export class Palette {
    /**
     * @param {LCH} main
     * @param {LCH} accent
     * @param {Ground} ground
     */
    constructor(main, accent, ground) {
        this.main = main;
        this.accent = accent;
        this.ground = ground;
    }

    /**
     * Returns a colour as CSS.
     *
     * @param {number} mix from 0 (main) to 1 (accent), along the shorter way round the hue circle
     * @param {number} brightness from −1 (deep) to 1 (bright); 0 is normal
     * @param {number} alpha
     */
    css(mix, brightness = 0, alpha = 1) {
        const { main, accent } = this;
        const turn = ((accent.hue - main.hue + 540) % 360) - 180;
        const body = this.ground === 'dark' ? 0.7 : 0.62;
        const bright = this.ground === 'dark' ? 0.93 : 0.7;
        const deep = this.ground === 'dark' ? 0.34 : 0.5;
        const lightness = brightness > 0 ? body + (bright - body) * brightness : body + (body - deep) * brightness;
        const chroma = main.chroma + (accent.chroma - main.chroma) * mix;
        // At full chroma, very bright colours look chalky and deep ones muddy.
        const kept = brightness > 0 ? 1 - 0.55 * brightness : 1 + 0.25 * brightness;
        return cssOf({ lightness, chroma: chroma * kept, hue: main.hue + turn * mix + 360 }, alpha);
    }

    /** Returns a palette between this one and another. @param {Palette} other @param {number} way from 0 to 1 */
    towards(other, way) {
        return new Palette(between(this.main, other.main, way), between(this.accent, other.accent, way), other.ground);
    }
}

/** @param {LCH} from @param {LCH} to @param {number} way @returns {LCH} */
function between(from, to, way) {
    // Interpolate in a straight line: no rainbow between two covers.
    const angle = Math.PI / 180;
    const x = from.chroma * Math.cos(from.hue * angle) * (1 - way) + to.chroma * Math.cos(to.hue * angle) * way;
    const y = from.chroma * Math.sin(from.hue * angle) * (1 - way) + to.chroma * Math.sin(to.hue * angle) * way;
    return {
        lightness: from.lightness + (to.lightness - from.lightness) * way,
        chroma: Math.hypot(x, y),
        hue: (Math.atan2(y, x) / angle + 360) % 360,
    };
}
