/**
 * Strokes the path several times, each time narrower and stronger: light that falls off to both sides, at less than a blur costs.
 *
 * @param {CanvasRenderingContext2D} context
 * @param {readonly number[]} widths
 * @param {readonly number[]} alphas
 */
export function strokeGlow(context, widths, alphas) {
    for (let pass = 0; pass < widths.length; pass++) {
        context.globalAlpha = alphas[pass];
        context.lineWidth = widths[pass];
        context.stroke();
    }
    context.globalAlpha = 1;
}
