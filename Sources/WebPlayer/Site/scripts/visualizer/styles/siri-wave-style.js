import { traceCurve, traceCurveBack } from './curve.js';
import { ENERGY, PaintBox, soften, SWAY, TIME } from './scene.js';

/** @typedef {import('./scene.js').Scene} Scene */

const LAYERS = 4;

/**
 * The symmetric wave: curves mirrored at the middle, with low frequencies in the centre, in several translucent layers.
 */
export class SiriWaveStyle {
    #context;
    #count = 0;
    #xs = new Float32Array(0);
    #upper = new Float32Array(0);
    #lower = new Float32Array(0);
    #window = new Float32Array(0);
    #heights = new Float32Array(0);
    #paints = new PaintBox((scene) => this.#mix(scene));

    /** @param {CanvasRenderingContext2D} context */
    constructor(context) {
        this.#context = context;
    }

    /** @param {Scene} scene */
    draw(scene) {
        const { levels, trail, width, height } = scene;
        // Each level appears left and right of the centre, and the curve is flat at both ends.
        const count = 2 * levels.length + 1;
        if (count !== this.#count) this.#resize(count);
        const middle = height / 2;
        const reach = height * 0.47;
        const time = scene.numbers[TIME];
        const sway = scene.numbers[SWAY];
        const context = this.#context;
        const paint = this.#paints.of(scene);
        const xs = this.#xs;
        const upper = this.#upper;
        const lower = this.#lower;
        const window = this.#window;
        const heights = this.#heights;
        const calm = sway / (1 + 10 * scene.numbers[ENERGY]);
        const centre = levels.length;
        context.globalCompositeOperation = scene.palette.ground === 'dark' ? 'screen' : 'source-over';
        for (let layer = LAYERS - 1; layer >= 0; layer--) {
            // Layers further back follow later and are wider.
            const late = layer / (LAYERS - 1);
            for (let index = 0; index < levels.length; index++) {
                heights[index] = levels[index] * (1 - late) + trail[index] * late;
            }
            soften(heights, 1 + layer + (levels.length > 24 ? 1 : 0));
            const slide = sway * width * 0.035 * Math.sin(time * (0.5 + 0.21 * layer) + layer * 1.9);
            for (let index = 0; index < count; index++) {
                const away = Math.abs(index - centre);
                const near = away < levels.length ? away : levels.length - 1;
                const next = near + 1 < levels.length ? near + 1 : near;
                const level = 0.6 * heights[near] + 0.4 * heights[layer > 0 ? next : near];
                const ripple = 1 + sway * 0.22 * Math.sin(time * (1.6 + 0.3 * layer) + index * (40 / count) * 0.5 + layer * 2);
                const idle = calm * 0.055 * (1 + Math.sin(time * (0.9 + 0.2 * layer) + index * 16 / count + layer * 1.3));
                const y = reach * window[index] * (0.012 + idle + level * ripple * (1 - 0.13 * layer + 0.1 * late));
                xs[index] = width * index / (count - 1) + slide * window[index];
                upper[index] = middle - y;
                lower[index] = middle + y;
            }
            context.beginPath();
            context.moveTo(xs[0], upper[0]);
            traceCurve(context, xs, upper, count);
            context.lineTo(xs[count - 1], lower[count - 1]);
            traceCurveBack(context, xs, lower, count);
            context.closePath();
            context.fillStyle = paint.fills[layer];
            context.fill();
            if (layer === 0) {
                context.globalCompositeOperation = 'source-over';
                context.fillStyle = paint.core;
                context.fill();
            }
            if (layer === 0 || !(scene.isSmall || scene.isPlain)) {
                context.strokeStyle = paint.edges[layer];
                context.lineWidth = layer === 0 && !scene.isSmall ? 1.75 : 1;
                context.stroke();
            }
        }
        // The centre line.
        context.strokeStyle = paint.thread;
        context.lineWidth = scene.isSmall ? 1 : 1.5;
        context.beginPath();
        context.moveTo(0, middle);
        context.lineTo(width, middle);
        context.stroke();
        context.globalCompositeOperation = 'source-over';
    }

    /** @param {number} count */
    #resize(count) {
        this.#count = count;
        this.#xs = new Float32Array(count);
        this.#upper = new Float32Array(count);
        this.#lower = new Float32Array(count);
        this.#heights = new Float32Array((count - 1) / 2);
        this.#window = new Float32Array(count);
        for (let index = 0; index < count; index++) {
            this.#window[index] = Math.sin(Math.PI * index / (count - 1)) ** 1.35;
        }
    }

    /** @param {Scene} scene */
    #mix({ palette, width, height }) {
        const context = this.#context;
        const isDark = palette.ground === 'dark';
        const fills = [];
        const edges = [];
        for (let layer = 0; layer < LAYERS; layer++) {
            // From the middle to both sides, with slightly shifted hues in the back layers: complementary colours would be grey
            // where they meet.
            const late = layer / (LAYERS - 1);
            const mix = 0.35 * late;
            const fill = context.createLinearGradient(0, 0, width, 0);
            const strong = isDark ? 0.52 - 0.18 * late : 0.6 - 0.25 * late;
            for (let stop = 0; stop <= 6; stop++) {
                const away = Math.abs(stop / 3 - 1);
                fill.addColorStop(stop / 6, palette.css(mix + (1 - mix) * away ** 1.4, 0.1 - 0.45 * late, strong));
            }
            fills.push(fill);
            const edge = context.createLinearGradient(0, 0, width, 0);
            edge.addColorStop(0, palette.css(mix, 0.4, 0));
            edge.addColorStop(0.22, palette.css(mix, 0.4, 0.5));
            edge.addColorStop(0.5, palette.css(mix, 0.6, layer === 0 ? 0.95 : 0.55));
            edge.addColorStop(0.78, palette.css(mix, 0.4, 0.5));
            edge.addColorStop(1, palette.css(mix, 0.4, 0));
            edges.push(edge);
        }
        // Dark in the middle and light at the edges, like glass.
        const core = context.createLinearGradient(0, 0, 0, height);
        core.addColorStop(0.06, palette.css(0.2, 0.6, 0.4));
        core.addColorStop(0.36, palette.css(0.1, 0.2, 0.1));
        core.addColorStop(0.5, palette.css(0, -0.9, isDark ? 0.5 : 0.25));
        core.addColorStop(0.64, palette.css(0.1, 0.2, 0.08));
        core.addColorStop(0.94, palette.css(0.2, 0.6, 0.3));
        const thread = context.createLinearGradient(0, 0, width, 0);
        thread.addColorStop(0, palette.css(0.5, 0.5, 0));
        thread.addColorStop(0.5, palette.css(0.3, 0.9, isDark ? 0.8 : 0.6));
        thread.addColorStop(1, palette.css(0.5, 0.5, 0));
        return { fills, edges, core, thread };
    }
}
