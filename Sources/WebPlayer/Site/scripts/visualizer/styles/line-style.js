import { traceCurve } from './curve.js';
import { strokeGlow } from './glow.js';
import { ENERGY, PaintBox, soften, SWAY, TIME } from './scene.js';

/** @typedef {import('./scene.js').Scene} Scene */

/** Points without a level at each end. */
const MARGIN = 2;

const GLOW_WIDTHS = [26, 13, 6];
const GLOW_ALPHAS = [0.07, 0.12, 0.26];
const PLAIN_WIDTHS = [5];
const PLAIN_ALPHAS = [0.26];

/** A single line through the spectrum, with a glow. */
export class LineStyle {
    #context;
    #xs = new Float32Array(0);
    #ys = new Float32Array(0);
    #heights = new Float32Array(0);
    #paints = new PaintBox((scene) => this.#mix(scene));

    /** @param {CanvasRenderingContext2D} context */
    constructor(context) {
        this.#context = context;
    }

    /** @param {Scene} scene */
    draw(scene) {
        const { levels, width, height } = scene;
        // Both ends are flat: two points each without a level.
        const count = levels.length + 2 * MARGIN;
        if (this.#xs.length !== count) {
            this.#xs = new Float32Array(count);
            this.#ys = new Float32Array(count);
            this.#heights = new Float32Array(levels.length);
        }
        const xs = this.#xs;
        const ys = this.#ys;
        const heights = this.#heights;
        heights.set(levels);
        soften(heights, levels.length > 40 ? 2 : 1);
        const time = scene.numbers[TIME];
        const side = width * 0.05;
        const rest = height * 0.8;
        const reach = rest - height * 0.1;
        const wobble = scene.numbers[SWAY] * height * 0.03 / (1 + 8 * scene.numbers[ENERGY]);
        for (let index = 0; index < count; index++) {
            const place = index - MARGIN;
            let level = place >= 0 && place < heights.length ? heights[place] : 0;
            if (place === 0 || place === heights.length - 1) level *= 0.7;
            const phase = index * 9 / count;
            xs[index] = index < MARGIN
                ? side * index / MARGIN
                : index >= count - MARGIN
                ? width - side * (count - 1 - index) / MARGIN
                : side + (width - 2 * side) * (index - MARGIN + 1) / (heights.length + 1);
            ys[index] = rest - reach * level + wobble * (Math.sin(time * 1.2 + phase) + 0.5 * Math.sin(time * 0.7 - 1.7 * phase));
        }
        const context = this.#context;
        const paint = this.#paints.of(scene);
        context.lineJoin = 'round';
        context.lineCap = 'round';
        context.beginPath();
        context.moveTo(xs[0], ys[0]);
        traceCurve(context, xs, ys, count);
        context.strokeStyle = paint.glow;
        if (scene.isSmall || scene.isPlain) strokeGlow(context, PLAIN_WIDTHS, PLAIN_ALPHAS);
        else strokeGlow(context, GLOW_WIDTHS, GLOW_ALPHAS);
        context.strokeStyle = paint.line;
        context.lineWidth = scene.isSmall ? 1.6 : 2.4;
        context.stroke();
        context.lineTo(width, height);
        context.lineTo(0, height);
        context.closePath();
        context.fillStyle = paint.below;
        context.fill();
    }

    /** @param {Scene} scene */
    #mix({ palette, width, height }) {
        const context = this.#context;
        const across = (brightness, edge) => {
            const gradient = context.createLinearGradient(0, 0, width, 0);
            gradient.addColorStop(0, palette.css(0, brightness, edge));
            gradient.addColorStop(0.08, palette.css(0, brightness, 1));
            for (let stop = 1; stop <= 4; stop++) {
                gradient.addColorStop(0.08 + stop * 0.21, palette.css(stop / 4, brightness, 1));
            }
            gradient.addColorStop(1, palette.css(1, brightness, edge));
            return gradient;
        };
        const below = context.createLinearGradient(0, 0, 0, height);
        below.addColorStop(0, palette.css(0.5, 0, 0.2));
        below.addColorStop(1, palette.css(0.5, 0, 0));
        return { line: across(0.5, 0.1), glow: across(0, 0), below };
    }
}
