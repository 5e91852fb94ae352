import { PaintBox } from './scene.js';

/** @typedef {import('./scene.js').Scene} Scene */

/** Seconds that a peak is held, and the acceleration of its fall in heights per second². */
const HOLD = 0.35;
const GRAVITY = 1.6;

/** Bars with rounded tops, with their peaks above and a reflection below. */
export class BarStyle {
    #context;
    #peaks = new Float32Array(0);
    #speeds = new Float32Array(0);
    #held = new Float32Array(0);
    #last = new Float64Array(1);
    #paints = new PaintBox((scene) => this.#mix(scene));

    /** @param {CanvasRenderingContext2D} context */
    constructor(context) {
        this.#context = context;
    }

    /** @param {Scene} scene */
    draw(scene) {
        const { levels, width, height } = scene;
        const count = levels.length;
        if (this.#peaks.length !== count) {
            this.#peaks = new Float32Array(count);
            this.#speeds = new Float32Array(count);
            this.#held = new Float32Array(count);
        }
        this.#follow(scene);
        const context = this.#context;
        const paint = this.#paints.of(scene);
        const slot = width / count;
        const bar = Math.max(1.5, Math.min(slot * 0.68, slot - 1.5));
        const round = Math.min(bar / 2, 9);
        const floor = scene.isSmall ? height : Math.round(height * 0.78);
        const reach = floor - height * 0.05 - bar * 0.5;

        context.fillStyle = paint.bars;
        context.beginPath();
        for (let index = 0; index < count; index++) {
            const x = index * slot + (slot - bar) / 2;
            const top = floor - Math.max(bar * 0.5, reach * levels[index] + bar * 0.5);
            this.#roundTop(x, top, bar, floor, round);
        }
        context.fill();
        context.fillStyle = paint.sheen;
        context.fill();
        if (scene.isSmall) return;

        // Peak caps above the bars.
        context.fillStyle = paint.caps;
        const cap = Math.max(2, Math.min(4, bar * 0.3));
        context.beginPath();
        for (let index = 0; index < count; index++) {
            const peak = this.#peaks[index];
            if (peak < 0.015) continue;
            const x = index * slot + (slot - bar) / 2;
            const y = floor - reach * peak - bar * 0.5 - cap * 2.2;
            context.rect(x, y, bar, cap);
        }
        context.fill();

        // The reflection, fading out.
        context.fillStyle = paint.mirror;
        context.beginPath();
        const gap = 3;
        for (let index = 0; index < count; index++) {
            const x = index * slot + (slot - bar) / 2;
            const depth = Math.min(height - floor - gap, 0.34 * (reach * levels[index] + bar * 0.5));
            if (depth <= 0) continue;
            context.rect(x, floor + gap, bar, depth);
        }
        context.fill();
    }

    /** Updates the peaks: they rise with the bars, hold and fall. @param {Scene} scene */
    #follow(scene) {
        const time = scene.numbers[0];
        const seconds = Math.min(0.1, Math.max(0, time - this.#last[0]));
        this.#last[0] = time;
        const { levels } = scene;
        for (let index = 0; index < levels.length; index++) {
            if (levels[index] >= this.#peaks[index]) {
                this.#peaks[index] = levels[index];
                this.#speeds[index] = 0;
                this.#held[index] = HOLD;
            } else if (this.#held[index] > 0) {
                this.#held[index] -= seconds;
            } else {
                this.#speeds[index] += GRAVITY * seconds;
                this.#peaks[index] = Math.max(levels[index], this.#peaks[index] - this.#speeds[index] * seconds);
            }
        }
    }

    /** Adds a rectangle with a rounded top to the path. */
    #roundTop(x, top, bar, floor, round) {
        const context = this.#context;
        const r = Math.min(round, floor - top);
        context.moveTo(x, floor);
        context.lineTo(x, top + r);
        context.arcTo(x, top, x + r, top, r);
        context.lineTo(x + bar - r, top);
        context.arcTo(x + bar, top, x + bar, top + r, r);
        context.lineTo(x + bar, floor);
    }

    /** @param {Scene} scene */
    #mix({ palette, width, height, isSmall }) {
        const context = this.#context;
        const floor = isSmall ? height : Math.round(height * 0.78);
        const bars = context.createLinearGradient(0, 0, width, 0);
        for (let stop = 0; stop <= 6; stop++) bars.addColorStop(stop / 6, palette.css(stop / 6, 0.1, 1));
        const sheen = context.createLinearGradient(0, 0, 0, floor);
        const isDark = palette.ground === 'dark';
        sheen.addColorStop(0, 'rgba(255, 255, 255, 0.5)');
        sheen.addColorStop(0.45, 'rgba(255, 255, 255, 0.06)');
        sheen.addColorStop(1, isDark ? 'rgba(8, 4, 30, 0.55)' : 'rgba(40, 20, 90, 0.18)');
        const mirror = context.createLinearGradient(0, floor, 0, height);
        mirror.addColorStop(0, palette.css(0.5, -0.1, isDark ? 0.34 : 0.26));
        mirror.addColorStop(1, palette.css(0.5, -0.5, 0));
        const caps = context.createLinearGradient(0, 0, width, 0);
        for (let stop = 0; stop <= 4; stop++) caps.addColorStop(stop / 4, palette.css(stop / 4, 0.85, 0.9));
        return { bars, sheen, mirror, caps };
    }
}
