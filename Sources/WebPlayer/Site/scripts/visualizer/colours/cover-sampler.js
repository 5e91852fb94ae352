import { lchOf } from './oklch.js';

/** @typedef {import('./oklch.js').LCH} LCH */

const SIZE = 40;
const HUES = 36;

/**
 * Returns the dominant colours of a cover.
 *
 * @param {ArrayLike<number>} pixels RGBA values, 0–255
 * @returns {{main: LCH, accent: LCH}} the dominant colour, and the strongest one with a clearly different hue (or a neighbouring
 *     hue if the cover has only one colour)
 */
export function dominantColours(pixels) {
    const weights = new Float64Array(HUES);
    const lightnesses = new Float64Array(HUES);
    const chromas = new Float64Array(HUES);
    const sines = new Float64Array(HUES);
    const cosines = new Float64Array(HUES);
    let greys = 0;
    let total = 0;
    for (let index = 0; index + 3 < pixels.length; index += 4) {
        if (pixels[index + 3] < 128) continue;
        const { lightness, chroma, hue } = lchOf(pixels[index], pixels[index + 1], pixels[index + 2]);
        total++;
        if (chroma < 0.025 || lightness < 0.12 || lightness > 0.98) {
            greys++;
            continue;
        }
        // Strong colours of medium lightness are the most noticeable.
        const weight = chroma ** 1.3 * (1 - Math.abs(lightness - 0.6));
        const bin = Math.min(HUES - 1, Math.floor(hue * HUES / 360));
        weights[bin] += weight;
        lightnesses[bin] += weight * lightness;
        chromas[bin] += weight * chroma;
        sines[bin] += weight * Math.sin(hue * Math.PI / 180);
        cosines[bin] += weight * Math.cos(hue * Math.PI / 180);
    }
    if (total === 0 || greys === total) {
        // A greyscale cover: silver.
        return { main: { lightness: 0.7, chroma: 0.012, hue: 250 }, accent: { lightness: 0.8, chroma: 0.02, hue: 280 } };
    }
    // A colour is spread over adjacent hue bins.
    const strength = (bin) => weights[bin] + 0.6 * (weights[(bin + 1) % HUES] + weights[(bin + HUES - 1) % HUES]);
    let best = 0;
    for (let bin = 1; bin < HUES; bin++) if (strength(bin) > strength(best)) best = bin;
    const main = mean(best);
    let other = -1;
    for (let bin = 0; bin < HUES; bin++) {
        const distance = Math.abs(((bin - best + HUES * 1.5) % HUES) - HUES / 2);
        if (distance < HUES / 9 || strength(bin) < 0.08 * strength(best)) continue;
        if (other < 0 || strength(bin) > strength(other)) other = bin;
    }
    const accent = other < 0 ? { ...main, hue: (main.hue + 35) % 360 } : mean(other);
    return { main, accent };

    /** @param {number} bin @returns {LCH} */
    function mean(bin) {
        let [weight, lightness, chroma, sine, cosine] = [0, 0, 0, 0, 0];
        for (const near of [(bin + HUES - 1) % HUES, bin, (bin + 1) % HUES]) {
            weight += weights[near];
            lightness += lightnesses[near];
            chroma += chromas[near];
            sine += sines[near];
            cosine += cosines[near];
        }
        return {
            lightness: lightness / weight,
            chroma: Math.min(0.24, Math.max(0.13, 1.25 * chroma / weight)),
            hue: (Math.atan2(sine, cosine) * 180 / Math.PI + 360) % 360,
        };
    }
}

/**
 * Reads the dominant colours of an image file.
 *
 * @param {ArrayBuffer} bytes JPEG, PNG or another format that the browser supports
 * @returns {Promise<{main: LCH, accent: LCH}>}
 * @throws if it is not an image
 */
export async function coloursOfPicture(bytes) {
    const picture = await createImageBitmap(new Blob([bytes]));
    try {
        const canvas = document.createElement('canvas');
        canvas.width = canvas.height = SIZE;
        const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d', { willReadFrequently: true }));
        context.imageSmoothingQuality = 'medium';
        context.drawImage(picture, 0, 0, SIZE, SIZE);
        return dominantColours(context.getImageData(0, 0, SIZE, SIZE).data);
    } finally {
        picture.close();
    }
}
