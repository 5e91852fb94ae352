/** Indexes in `Scene.numbers`. */
export const TIME = 0;
export const ENERGY = 1;
export const SWAY = 2;

/**
 * The input of a style for one picture. There is one instance per canvas, updated for each picture.
 *
 * Numbers that change with each picture are in typed arrays: as object fields they would be allocated each time.
 */
export class Scene {
    /** Size in CSS pixels. */
    width = 0;
    height = 0;
    /** Whether this is the mini player, where fine detail would only be noise. */
    isSmall = false;
    /** Whether to omit glows and fine lines, on slow machines. */
    isPlain = false;
    /** Set before the first picture. */
    palette = /** @type {import('../colours/palette.js').Palette} */ (/** @type {unknown} */ (null));
    /** Heights from 0 to 1, from low to high frequencies. */
    levels = new Float32Array(0);
    /** The heights with a delay. */
    trail = new Float32Array(0);
    /** Animation time in seconds, mean height, and amount of sway (0 with reduced motion). */
    numbers = new Float64Array(3);
}

/**
 * A cache of paints for each palette and size.
 *
 * @template Paint
 */
export class PaintBox {
    /** @type {WeakMap<object, Paint>} */
    #paints = new WeakMap();
    #make;
    #width = 0;
    #height = 0;

    /** @param {(scene: Scene) => Paint} make */
    constructor(make) {
        this.#make = make;
    }

    /** @param {Scene} scene @returns {Paint} */
    of(scene) {
        if (scene.width !== this.#width || scene.height !== this.#height) {
            this.#width = scene.width;
            this.#height = scene.height;
            this.#paints = new WeakMap();
        }
        let paint = this.#paints.get(scene.palette);
        if (paint === undefined) {
            paint = this.#make(scene);
            this.#paints.set(scene.palette, paint);
        }
        return paint;
    }
}

/**
 * Smooths heights in place, so that a curve through many points flows.
 *
 * @param {Float32Array} heights
 * @param {number} passes
 */
export function soften(heights, passes) {
    const last = heights.length - 1;
    for (let pass = 0; pass < passes; pass++) {
        let before = heights[0];
        for (let index = 0; index <= last; index++) {
            const here = heights[index];
            const after = index < last ? heights[index + 1] : here;
            heights[index] = 0.25 * before + 0.5 * here + 0.25 * after;
            before = here;
        }
    }
}
