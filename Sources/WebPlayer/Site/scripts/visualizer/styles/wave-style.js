import { traceCurve } from './curve.js';
import { strokeGlow } from './glow.js';
import { ENERGY, PaintBox, soften, SWAY, TIME } from './scene.js';

/** @typedef {import('./scene.js').Scene} Scene */

const GLOW_WIDTHS = [14, 6];
const GLOW_ALPHAS = [0.1, 0.2];

/**
 * The liquid wave: a swaying Catmull-Rom curve with a depth shadow.
 *
 * The shadow lags behind: each of its points is 60 % of that point and 40 % of the next one, of the delayed heights.
 */
export class WaveStyle {
    #context;
    #count = 0;
    #xs = new Float32Array(0);
    #ys = new Float32Array(0);
    #deepYs = new Float32Array(0);
    #heights = new Float32Array(0);
    #deepHeights = new Float32Array(0);
    #innerYs = new Float32Array(0);
    #paints = new PaintBox((scene) => this.#mix(scene));

    /** @param {CanvasRenderingContext2D} context */
    constructor(context) {
        this.#context = context;
    }

    /** @param {Scene} scene */
    draw(scene) {
        const { levels, trail, width, height } = scene;
        if (levels.length !== this.#count) this.#resize(levels.length);
        const count = this.#count;
        const xs = this.#xs;
        const ys = this.#ys;
        const deepYs = this.#deepYs;
        const heights = this.#heights;
        const deepHeights = this.#deepHeights;
        const time = scene.numbers[TIME];
        const sway = scene.numbers[SWAY];
        const passes = 1 + (count > 20 ? 1 : 0) + (count > 44 ? 1 : 0);
        heights.set(levels);
        deepHeights.set(trail);
        soften(heights, passes);
        soften(deepHeights, passes + 1);

        const step = width / (count - 1);
        const rest = height * 0.9;
        const reach = rest - height * 0.06;
        // The undulation is visible at rest, and gives way to the music.
        const wobble = sway * height * (0.022 + 0.02 / (1 + 12 * scene.numbers[ENERGY]));
        const spread = 26 / count;
        for (let index = 0; index < count; index++) {
            const inner = index > 0 && index < count - 1 ? 1 : 0;
            const phase = index * spread * 0.32;
            const next = index < count - 1 ? index + 1 : index;
            xs[index] = step * (index + inner * sway * 0.16 * Math.sin(time * 1.1 + index * 1.7));
            ys[index] = rest - reach * heights[index] +
                wobble * (Math.sin(time * 1.35 + phase) + 0.55 * Math.sin(time * 0.83 - phase * 1.9 + 1));
            deepYs[index] = rest - height * 0.025 - reach * 1.06 * (0.6 * deepHeights[index] + 0.4 * deepHeights[next]) +
                wobble * 1.5 * (Math.sin(time * 0.97 + phase * 1.25 + 2.1) + 0.5 * Math.sin(time * 0.6 - phase + 4));
        }

        const context = this.#context;
        const paint = this.#paints.of(scene);
        // The shadow.
        context.fillStyle = paint.depth;
        this.#area(scene, deepYs);
        context.fill();
        if (!scene.isSmall) {
            context.lineWidth = 1.25;
            context.strokeStyle = paint.depthEdge;
            this.#edge(deepYs);
            context.stroke();
        }
        // The body: colours from side to side, light from above.
        this.#area(scene, ys);
        context.fillStyle = paint.body;
        context.fill();
        context.fillStyle = paint.light;
        context.fill();
        // Fine lines inside.
        const isFine = !scene.isSmall && !scene.isPlain;
        if (isFine) {
            context.strokeStyle = paint.vein;
            context.lineWidth = 1.25;
            for (let vein = 1; vein <= 3; vein++) {
                this.#vein(scene, vein);
                context.globalAlpha = 0.42 - 0.1 * vein;
                context.stroke();
            }
            context.globalAlpha = 1;
        }
        // The crest and its glow.
        context.lineJoin = 'round';
        context.strokeStyle = paint.crest;
        this.#edge(ys);
        if (isFine) strokeGlow(context, GLOW_WIDTHS, GLOW_ALPHAS);
        context.globalAlpha = 0.95;
        context.lineWidth = scene.isSmall ? 1.5 : 2.25;
        context.stroke();
        context.globalAlpha = 1;
    }

    /** @param {number} count */
    #resize(count) {
        this.#count = count;
        this.#xs = new Float32Array(count);
        this.#ys = new Float32Array(count);
        this.#deepYs = new Float32Array(count);
        this.#heights = new Float32Array(count);
        this.#deepHeights = new Float32Array(count);
        this.#innerYs = new Float32Array(count);
    }

    /** Traces a line inside the wave, which follows the crest loosely and the shadow more closely. */
    #vein(scene, vein) {
        const ys = this.#ys;
        const deepYs = this.#deepYs;
        const innerYs = this.#innerYs;
        const time = scene.numbers[TIME];
        const part = 0.17 * vein;
        const spread = 26 / this.#count;
        const swing = scene.numbers[SWAY] * scene.height * 0.012 * vein;
        for (let index = 0; index < this.#count; index++) {
            const low = Math.max(ys[index], deepYs[index]);
            innerYs[index] = low + (scene.height - low) * part +
                swing * Math.sin(time * (0.9 - 0.13 * vein) + index * spread * 0.3 + vein * 1.7);
        }
        this.#edge(innerYs);
    }

    /** @param {Scene} scene @param {Float32Array} ys */
    #area(scene, ys) {
        const context = this.#context;
        context.beginPath();
        context.moveTo(0, scene.height);
        context.lineTo(0, ys[0]);
        traceCurve(context, this.#xs, ys, this.#count);
        context.lineTo(scene.width, scene.height);
        context.closePath();
    }

    /** @param {Float32Array} ys */
    #edge(ys) {
        const context = this.#context;
        context.beginPath();
        context.moveTo(this.#xs[0], ys[0]);
        traceCurve(context, this.#xs, ys, this.#count);
    }

    /** @param {Scene} scene */
    #mix({ palette, width, height }) {
        const context = this.#context;
        const across = (brightness, alpha) => {
            const gradient = context.createLinearGradient(0, 0, width, 0);
            for (let stop = 0; stop <= 4; stop++) gradient.addColorStop(stop / 4, palette.css(stop / 4, brightness, alpha));
            return gradient;
        };
        const isDark = palette.ground === 'dark';
        const depth = context.createLinearGradient(0, 0, 0, height);
        depth.addColorStop(0, palette.css(1, 0.2, 0.5));
        depth.addColorStop(0.6, palette.css(0.8, -0.3, 0.42));
        depth.addColorStop(1, palette.css(0.6, -0.8, 0.3));
        const light = context.createLinearGradient(0, 0, 0, height);
        light.addColorStop(0, 'rgba(255, 255, 255, 0.2)');
        light.addColorStop(0.4, 'rgba(255, 255, 255, 0.04)');
        light.addColorStop(0.62, isDark ? 'rgba(6, 4, 24, 0.12)' : 'rgba(30, 20, 80, 0.04)');
        light.addColorStop(1, isDark ? 'rgba(6, 4, 24, 0.62)' : 'rgba(30, 20, 80, 0.22)');
        return {
            depth,
            light,
            body: across(-0.12, 0.86),
            crest: across(0.75, 1),
            depthEdge: across(0.3, 0.4),
            vein: isDark ? across(0.7, 0.9) : across(1, 1),
        };
    }
}
