import { beatStride } from './track-marks.js';

/** Width of a bar and of the gap after it, in pixels. */
const BAR = 2;
const GAP = 1.5;
/** Exponent applied to the heights, to emphasise differences. */
const SHAPE = 1.4;
/** Height of the strip for beat marks below the waveform, in pixels. */
const FOOT = 7;

/**
 * Draws a timeline: waveform, played and buffered parts, marks. Layers that do not depend on the position are drawn once.
 */
export class TimelinePicture {
    #context;
    /** Layers: the waveform in the text colour and in the colour of the played part, and the marks. */
    #rest = document.createElement('canvas');
    #played = document.createElement('canvas');
    #marks = document.createElement('canvas');
    #width = 0;
    #height = 0;

    /** @param {CanvasRenderingContext2D} context of the visible canvas */
    constructor(context) {
        this.#context = context;
    }

    /**
     * Draws the static layers.
     *
     * @param {object} parts
     * @param {number} parts.width in CSS pixels
     * @param {number} parts.height
     * @param {number} parts.density canvas pixels per CSS pixel
     * @param {Float32Array | null} parts.bars heights, as many as {@link barCount} returns; null for a plain line
     * @param {import('./track-marks.js').TrackMarks | null} parts.marks
     * @param {{start: number, seconds: number} | null} parts.crossfade
     * @param {number} parts.duration in seconds
     * @param {{text: string, played: string, playedEnd: string, mark: string}} parts.colours
     */
    prepare({ width, height, density, bars, marks, crossfade, duration, colours }) {
        this.#width = width;
        this.#height = height;
        for (const canvas of [this.#rest, this.#played, this.#marks]) {
            canvas.width = Math.max(1, Math.round(width * density));
            canvas.height = Math.max(1, Math.round(height * density));
            canvas.getContext('2d')?.setTransform(density, 0, 0, density, 0, 0);
        }
        if (width <= 0 || height <= 0) return;
        const rest = /** @type {CanvasRenderingContext2D} */ (this.#rest.getContext('2d'));
        rest.fillStyle = colours.text;
        this.#outline(rest, bars);
        const played = /** @type {CanvasRenderingContext2D} */ (this.#played.getContext('2d'));
        const gradient = played.createLinearGradient(0, 0, width, 0);
        gradient.addColorStop(0, colours.played);
        gradient.addColorStop(1, colours.playedEnd);
        played.fillStyle = gradient;
        this.#outline(played, bars);
        this.#mark(this.#marks.getContext('2d'), marks, crossfade, duration, colours);
    }

    /** Returns how many bars fit. @param {number} width */
    static barCount(width) {
        return Math.max(1, Math.floor((width + GAP) / (BAR + GAP)));
    }

    /**
     * Draws the whole picture.
     *
     * @param {number} played fraction of the width, from 0 to 1
     * @param {readonly (readonly number[])[]} buffered buffered ranges of the track in seconds
     * @param {number} duration in seconds
     * @param {string} headColour
     */
    draw(played, buffered, duration, headColour) {
        const context = this.#context;
        const [width, height] = [this.#width, this.#height];
        context.clearRect(0, 0, width, height);
        if (width <= 0 || height <= 0) return;
        context.drawImage(this.#marks, 0, 0, width, height);
        const head = played * width;
        this.#stretch(this.#rest, head, width, 0.24);
        for (let index = 0; index < buffered.length; index++) {
            const from = Math.max(head, buffered[index][0] / duration * width);
            this.#stretch(this.#rest, from, Math.min(width, buffered[index][1] / duration * width), 0.3);
        }
        this.#stretch(this.#played, 0, head, 1);
        context.globalAlpha = 1;
        context.fillStyle = headColour;
        context.fillRect(Math.min(width - 2, Math.max(0, head - 1)), 0, 2, height - FOOT);
    }

    /** Copies a horizontal section of a layer. */
    #stretch(layer, from, to, alpha) {
        if (to - from < 0.01) return;
        const scale = layer.width / this.#width;
        this.#context.globalAlpha = alpha;
        this.#context.drawImage(
            layer,
            from * scale,
            0,
            (to - from) * scale,
            layer.height,
            from,
            0,
            to - from,
            this.#height,
        );
    }

    /** @param {any} context a `CanvasRenderingContext2D`; TypeScript 4.8 does not know `roundRect` @param {Float32Array | null} bars */
    #outline(context, bars) {
        const middle = (this.#height - FOOT) / 2;
        context.beginPath();
        if (!bars) {
            context.roundRect(0, middle - 2, this.#width, 4, 2);
        } else {
            for (let index = 0; index < bars.length; index++) {
                // Modern music is loud throughout; the exponent brings out the shape.
                const half = Math.max(1, (middle - 3) * bars[index] ** SHAPE);
                context.roundRect(index * (BAR + GAP), middle - half, BAR, 2 * half, 1);
            }
        }
        context.fill();
    }

    #mark(context, marks, crossfade, duration, colours) {
        const [width, height] = [this.#width, this.#height];
        if (!(duration > 0)) return;
        const xOf = (seconds) => seconds / duration * width;
        const foot = height - FOOT + 2;
        if (crossfade && crossfade.seconds > 0) {
            const [from, to] = [xOf(crossfade.start), Math.min(width, xOf(crossfade.start + crossfade.seconds))];
            // One track fades out as the other fades in.
            const gradient = context.createLinearGradient(from, 0, to, 0);
            gradient.addColorStop(0, colours.mark);
            gradient.addColorStop(1, 'transparent');
            context.globalAlpha = 0.3;
            context.fillStyle = gradient;
            context.beginPath();
            context.roundRect(from, 0, to - from, height - FOOT, 3);
            context.fill();
            context.globalAlpha = 0.8;
            context.strokeStyle = colours.mark;
            context.lineWidth = 1.25;
            context.beginPath();
            context.moveTo(from, 1);
            context.lineTo(to, height - FOOT - 1);
            context.moveTo(from, height - FOOT - 1);
            context.lineTo(to, 1);
            context.stroke();
        }
        if (!marks) return;
        const stride = beatStride(marks.beats, width / duration);
        if (stride > 0) {
            context.fillStyle = colours.text;
            for (let beat = 0; beat < marks.beats.length; beat += stride) {
                const isStrong = beat % (4 * stride) === 0;
                context.globalAlpha = isStrong ? 0.55 : 0.26;
                context.fillRect(xOf(marks.beats[beat]) - 0.5, foot, 1, isStrong ? 5 : 3);
            }
        }
        context.globalAlpha = 0.9;
        context.fillStyle = colours.mark;
        for (const [seconds, direction] of [[marks.cueIn, 1], [marks.cueOut, -1]]) {
            if (seconds === null) continue;
            const x = xOf(seconds);
            context.fillRect(x - 0.5, 0, 1, height - FOOT);
            context.beginPath();
            context.moveTo(x, 0);
            context.lineTo(x + 6 * direction, 3.5);
            context.lineTo(x, 7);
            context.closePath();
            context.fill();
        }
        context.globalAlpha = 1;
    }
}
