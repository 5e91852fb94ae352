import { factorOf, gainOf } from './loudness.js';

/** Points of a fade's curve; between them it is straight. */
const CURVE_POINTS = 129;
/** Below this an overlap is none, in seconds. */
const SHORTEST_OVERLAP = 0.02;

/**
 * How one track goes over into the next. All times are seconds of the track's music.
 *
 * @typedef {object} Transition
 * @property {'gapless' | 'cut' | 'overlap'} kind
 * @property {number} start where in the outgoing track the incoming one begins
 * @property {number} exit where the outgoing track ends
 * @property {number} entry where the incoming track is entered
 * @property {Float32Array | null} fadeOut factors of the outgoing track over the overlap
 * @property {Float32Array | null} fadeIn factors of the incoming track
 */

/**
 * @typedef {object} TransitionSettings
 * @property {number} crossfadeSeconds the longest overlap; 0 for none
 * @property {'plan' | 'always'} crossfadeStyle by the host's plan, or always as long as chosen
 * @property {boolean} skipSilence
 * @property {boolean} gapless whether tracks that follow on their album are left joined
 * @property {'off' | 'track' | 'album'} normalization
 * @property {number} targetLUFS
 */

/** Whether a track follows another one on its album's disc. */
export function isFollowing(from, to) {
    return from.album_id != null && from.album_id === to.album_id && (from.disc_number ?? 1) === (to.disc_number ?? 1)
        && Number.isFinite(from.track_number) && to.track_number === from.track_number + 1;
}

/**
 * @param {any} from the outgoing track as the catalogue gives it
 * @param {number} duration its length
 * @param {any} to the incoming one
 * @param {any} plan the host's answer to `/crossfade`; null where there is none
 * @param {TransitionSettings} settings
 * @returns {Transition}
 */
export function transitionOf(from, duration, to, plan, settings) {
    const follows = plan ? plan.transition === 'gapless' : isFollowing(from, to);
    const whole = { start: duration, exit: duration, entry: 0, fadeOut: null, fadeIn: null };
    if (follows && settings.gapless) return { kind: 'gapless', ...whole };
    const skips = settings.skipSilence || settings.crossfadeSeconds > 0;
    const exit = skips ? exitOf(from, duration) : duration;
    const entry = skips ? entryOf(to) : 0;
    const joined = { kind: /** @type {const} */ ('cut'), start: exit, exit, entry, fadeOut: null, fadeIn: null };
    if (!(settings.crossfadeSeconds > 0)) return joined;
    if (settings.crossfadeStyle === 'always' || follows) return overlapAlways(from, to, joined, settings);
    return plan ? byPlan(plan, duration) : joined;
}

/** Where the first track of all is entered. */
export function entryOf(track) {
    return Number.isFinite(track.cue_in_seconds) ? Math.max(0, track.cue_in_seconds) : 0;
}

/** Where a track is over when its end is silence that nobody wants. */
export function exitOf(track, duration) {
    const cue = track.cue_out_seconds;
    return Number.isFinite(cue) && cue > entryOf(track) ? Math.min(cue, duration) : duration;
}

function byPlan(plan, duration) {
    const exit = Math.min(plan.end_seconds, duration);
    const start = Math.min(plan.start_seconds, exit);
    const isOverlap = plan.transition === 'overlap' && exit - start >= SHORTEST_OVERLAP;
    return {
        kind: isOverlap ? 'overlap' : 'cut', start: isOverlap ? start : exit, exit, entry: plan.cue_in_seconds,
        fadeOut: isOverlap ? curveOf(plan.outgoing.fade) : null, fadeIn: isOverlap ? curveOf(plan.incoming.fade) : null,
    };
}

/** A fade of the host's as factors; null for none. */
function curveOf(fade) {
    if (!fade || fade.curve === 'none') return null;
    const { start_gain: from, end_gain: to } = fade;
    return curve((x) => {
        if (fade.curve === 'linear') return from + (to - from) * x;
        // A quarter of a cosine on the way down, of a sine on the way up.
        return to < from ? to + (from - to) * Math.cos((x * Math.PI) / 2) : from + (to - from) * Math.sin((x * Math.PI) / 2);
    });
}

/**
 * An overlap as long as chosen, at most half of what is heard of either track, with equal power. Where both peaks could
 * pass full scale together, the curves bend towards those whose factors add up to 1, just as far as is needed.
 */
function overlapAlways(from, to, joined, settings) {
    const heard = Math.min(joined.exit - entryOf(from), (to.cue_out_seconds ?? to.duration_seconds ?? Infinity) - joined.entry);
    const overlap = Math.min(settings.crossfadeSeconds, heard / 2);
    if (!(overlap >= SHORTEST_OVERLAP)) return joined;
    const bend = bendFor(peakOf(from, settings), peakOf(to, settings));
    return {
        kind: 'overlap', start: joined.exit - overlap, exit: joined.exit, entry: joined.entry,
        fadeOut: curve((x) => Math.max(0, Math.cos((x * Math.PI) / 2)) ** bend),
        fadeIn: curve((x) => Math.sin((x * Math.PI) / 2) ** bend),
    };
}

/** The exponent of both curves: 1 is equal power, 2 adds up to 1. */
function bendFor(one, other) {
    for (let bend = 1; bend < 2; bend += 0.05) {
        let most = 0;
        for (let x = 0; x <= 1; x += 0.02) {
            most = Math.max(most, one * Math.cos((x * Math.PI) / 2) ** bend + other * Math.sin((x * Math.PI) / 2) ** bend);
        }
        if (most <= 1) return bend;
    }
    return 2;
}

function peakOf(track, settings) {
    const gain = gainOf(track, settings.normalization, settings.targetLUFS);
    return factorOf((track.true_peak_dbtp ?? 0) + gain);
}

function curve(factor) {
    return Float32Array.from({ length: CURVE_POINTS }, (_, i) => factor(i / (CURVE_POINTS - 1)));
}

/** The part of a curve from a share of its length on, for a fade that is entered in its middle. */
export function restOf(fade, share) {
    if (!fade || share <= 0) return fade;
    return curve((x) => {
        const place = Math.min(share + x * (1 - share), 1) * (fade.length - 1);
        const low = Math.min(Math.floor(place), fade.length - 2);
        return fade[low] + (fade[low + 1] - fade[low]) * (place - low);
    });
}
