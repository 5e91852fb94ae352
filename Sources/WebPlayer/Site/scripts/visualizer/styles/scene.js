/** Places in `Scene.numbers`. */
export const TIME = 0;
export const ENERGY = 1;
export const SWAY = 2;

/**
 * What a style draws at a moment. There is one for each canvas, and it is filled anew for each frame.
 *
 * Numbers that change with each frame lie in typed arrays: as fields of an object each would be made anew.
 */
export class Scene {
    /** Size in CSS pixels. */
    width = 0;
    height = 0;
    /** Whether it is the small one, where fine detail would be dirt. */
    isSmall = false;
    /** Whether glows and fine lines are left out, on machines that are slow. */
    isPlain = false;
    /** @type {import('../colours/palette.js').Palette} */
    palette;
    /** Heights from 0 to 1, from low to high frequencies. */
    levels = new Float32Array(0);
    /** The same, dragging behind. */
    trail = new Float32Array(0);
    /** Seconds of movement so far, mean height, and how far things sway (0 where no motion is wanted). */
    numbers = new Float64Array(3);
}

/**
 * Paints that are made once for a palette and a size.
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
 * Spreads heights over their neighbours, in place, so that a curve through many points flows.
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
