/**
 * A colour with lightness (0–1), chroma (0–0.37) and hue (degrees) in OKLCH, where equal steps look equal.
 *
 * @typedef {{lightness: number, chroma: number, hue: number}} LCH
 */

/** @param {number} value linear, 0–1 @returns {number} sRGB, 0–1 */
function companded(value) {
    return value <= 0.0031308 ? 12.92 * value : 1.055 * value ** (1 / 2.4) - 0.055;
}

/** @param {number} value sRGB, 0–1 @returns {number} linear, 0–1 */
function linear(value) {
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}

/** Converts a colour to linear sRGB, possibly out of gamut (CSS Color 4, section 10). @param {LCH} colour */
function linearRGB({ lightness, chroma, hue }) {
    const a = chroma * Math.cos(hue * Math.PI / 180);
    const b = chroma * Math.sin(hue * Math.PI / 180);
    const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
    const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
    const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
    return [
        4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
        -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
        -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
    ];
}

/**
 * Converts a colour to sRGB, 0–255. For colours out of gamut, the chroma is reduced until it fits.
 *
 * @param {LCH} colour
 * @returns {[number, number, number]}
 */
export function rgbOf(colour) {
    let rgb = linearRGB(colour);
    for (let chroma = colour.chroma; chroma > 0.001 && rgb.some((v) => v < -0.001 || v > 1.001); chroma *= 0.94) {
        rgb = linearRGB({ ...colour, chroma });
    }
    return /** @type {[number, number, number]} */ (
        rgb.map((value) => Math.round(255 * companded(Math.min(1, Math.max(0, value)))))
    );
}

/** Formats a colour for CSS. @param {LCH} colour @param {number} alpha from 0 to 1 */
export function cssOf(colour, alpha = 1) {
    const [r, g, b] = rgbOf(colour);
    return `rgba(${r}, ${g}, ${b}, ${alpha})`;
}

/**
 * @param {number} red 0–255
 * @param {number} green 0–255
 * @param {number} blue 0–255
 * @returns {LCH}
 */
export function lchOf(red, green, blue) {
    const r = linear(red / 255);
    const g = linear(green / 255);
    const b = linear(blue / 255);
    const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
    const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
    const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
    const lightness = 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s;
    const x = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s;
    const y = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s;
    return { lightness, chroma: Math.hypot(x, y), hue: (Math.atan2(y, x) * 180 / Math.PI + 360) % 360 };
}

/** @param {string} text `#rrggbb` @returns {LCH | null} */
export function lchOfHex(text) {
    const match = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(text);
    return match && lchOf(parseInt(match[1], 16), parseInt(match[2], 16), parseInt(match[3], 16));
}
