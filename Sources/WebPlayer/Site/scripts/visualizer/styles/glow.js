/**
 * Strokes the path several times, each narrower and more opaque: a glow on both sides, cheaper than a blur.
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
