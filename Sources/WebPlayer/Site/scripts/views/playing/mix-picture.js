import { positionOn } from '../../playback/output/speed-curve.js';
import { factorAt } from '../../playback/queue/transition.js';

/** Seconds that are shown before and after the mix. */
const AROUND = 4;
/** Width of a bar of the waveforms, and of the gap after it, in pixels. */
const BAR = 2;
const GAP = 1;

/**
 * Waveform and marks of a track.
 * @typedef {{overview: import('../../visualizer/seek-bar/overview.js').Overview | null, marks: import('../../visualizer/seek-bar/track-marks.js').TrackMarks | null}} Timeline
 * @typedef {NonNullable<ReturnType<typeof import('../../playback/decks/deck-line.js').describedTransition>>} Described
 */

/**
 * Draws a mix as it is heard: the outgoing track's waveform from the middle up, the incoming one's down, each with its beats and its fade.
 *
 * @param {CanvasRenderingContext2D} context
 * @param {object} parts
 * @param {number} parts.width in CSS pixels
 * @param {number} parts.height
 * @param {Described} parts.mix
 * @param {Timeline | null} parts.outgoing
 * @param {Timeline | null} parts.incoming
 * @param {number | null} parts.heard what is heard now, in seconds after the start of the mix; null if it is far from it
 * @param {{outgoing: string, incoming: string, line: string}} parts.colours
 */
export function drawMix(context, { width, height, mix, outgoing, incoming, heard, colours }) {
    context.clearRect(0, 0, width, height);
    const span = mix.seconds + 2 * AROUND;
    const timeAt = (x) => (x / width) * span - AROUND;
    const xAt = (time) => ((time + AROUND) / span) * width;
    const middle = height / 2;
    const own = (time) => (mix.curve && time > 0 ? positionOn(mix.curve, time) : mix.cueIn + time * (mix.curve?.ratio ?? 1));
    const sides = [
        {
            track: outgoing,
            colour: colours.outgoing,
            up: -1,
            place: (time) => mix.start + time,
            fade: mix.fadeOut,
            before: 1,
            after: 0,
        },
        { track: incoming, colour: colours.incoming, up: 1, place: own, fade: mix.fadeIn, before: 0, after: 1 },
    ];
    for (const { track, colour, up, place, fade, before, after } of sides) {
        const gainAt = (time) => (time < 0 ? before : time > mix.seconds ? after : fade ? factorAt(fade, time / mix.seconds) : 1);
        context.fillStyle = colour;
        const bars = Array.from({ length: Math.ceil(width / (BAR + GAP)) }, (_, i) => i * (BAR + GAP));
        const levels = bars.map((x) => track?.overview?.peak(place(timeAt(x)), place(timeAt(x + BAR + GAP))) ?? 0);
        // Both are played at about the same loudness, however quiet their files are.
        const highest = Math.max(0.01, ...levels);
        for (const [i, x] of bars.entries()) {
            const tall = (levels[i] / highest) * gainAt(timeAt(x)) * (middle - 4);
            if (tall > 0) context.fillRect(x, up < 0 ? middle - tall : middle, BAR, tall);
        }
        drawBeats(context, { track, up, height, width, place, timeAt });
        context.strokeStyle = colour;
        context.lineWidth = 1.5;
        context.beginPath();
        for (let x = 0; x <= width; x += 2) {
            const y = middle + up * gainAt(timeAt(x)) * (middle - 4);
            if (x === 0) context.moveTo(x, y);
            else context.lineTo(x, y);
        }
        context.stroke();
    }
    if (isInPicture(mix, heard)) {
        context.fillStyle = colours.line;
        context.fillRect(xAt(heard) - 0.75, 0, 1.5, height);
    }
}

/**
 * Returns whether the picture shows a time, in seconds after the start of the mix.
 * @param {Described} mix
 * @param {number | null} heard
 * @returns {heard is number}
 */
export function isInPicture(mix, heard) {
    return heard !== null && heard > -AROUND && heard < mix.seconds + AROUND;
}

/** How far a beat may be from the even ones that a mix follows, in seconds: the first one belongs to it even if it is earlier. */
const BEAT_DISTANCE = 0.02;

/** Draws a tick for each beat at the edge of a track's half. */
function drawBeats(context, { track, up, height, width, place, timeAt }) {
    const beats = track?.marks?.beats;
    if (!beats) return;
    const [first, last] = [place(timeAt(0)), place(timeAt(width))];
    for (const beat of beats) {
        if (beat < first - BEAT_DISTANCE) continue;
        if (beat > last + BEAT_DISTANCE) break;
        // Positions grow with the time, and almost evenly.
        let [low, high] = [0, width];
        while (high - low > 0.25) {
            const x = (low + high) / 2;
            if (place(timeAt(x)) < beat) low = x;
            else high = x;
        }
        context.fillRect(low - 0.5, up < 0 ? 0 : height - 3, 1, 3);
    }
}
