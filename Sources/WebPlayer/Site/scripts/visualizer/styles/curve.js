/**
 * Adds a Catmull-Rom spline through points to the canvas path, as Bézier curves. It passes through every point.
 *
 * The path continues from its current point, which should be the first of the points. The neighbours beyond both ends are the end
 * points themselves.
 *
 * @param {CanvasRenderingContext2D} context
 * @param {Float32Array} xs
 * @param {Float32Array} ys
 * @param {number} count number of points
 */
export function traceCurve(context, xs, ys, count) {
    for (let index = 0; index < count - 1; index++) {
        const before = index > 0 ? index - 1 : 0;
        const after = index + 2 < count ? index + 2 : count - 1;
        context.bezierCurveTo(
            xs[index] + (xs[index + 1] - xs[before]) / 6,
            ys[index] + (ys[index + 1] - ys[before]) / 6,
            xs[index + 1] - (xs[after] - xs[index]) / 6,
            ys[index + 1] - (ys[after] - ys[index]) / 6,
            xs[index + 1],
            ys[index + 1],
        );
    }
}

/**
 * Adds the same spline from the last point to the first.
 *
 * @param {CanvasRenderingContext2D} context
 * @param {Float32Array} xs
 * @param {Float32Array} ys
 * @param {number} count number of points
 */
export function traceCurveBack(context, xs, ys, count) {
    for (let index = count - 1; index > 0; index--) {
        const before = index + 1 < count ? index + 1 : count - 1;
        const after = index > 1 ? index - 2 : 0;
        context.bezierCurveTo(
            xs[index] + (xs[index - 1] - xs[before]) / 6,
            ys[index] + (ys[index - 1] - ys[before]) / 6,
            xs[index - 1] - (xs[after] - xs[index]) / 6,
            ys[index - 1] - (ys[after] - ys[index]) / 6,
            xs[index - 1],
            ys[index - 1],
        );
    }
}
