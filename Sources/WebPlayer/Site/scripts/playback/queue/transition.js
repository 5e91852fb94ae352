import { factorOf } from './loudness.js';
import { speedCurveOf } from '../output/speed-curve.js';

/** Number of points of a fade curve; it is linear between them. */
const CURVE_POINTS = 129;
/** Overlaps shorter than this are replaced by a cut, in seconds. */
const SHORTEST_OVERLAP = 0.02;

/**
 * The transition between two tracks. All times are seconds of the track's audio.
 *
 * @typedef {object} Transition
 * @property {'gapless' | 'cut' | 'overlap'} kind
 * @property {number} start where the incoming track starts, in the outgoing one
 * @property {number} exit where the outgoing track ends
 * @property {number} entry where the incoming track starts, in itself
 * @property {Float32Array | null} fadeOut amplitude factors of the outgoing track over the overlap
 * @property {Float32Array | null} fadeIn amplitude factors of the incoming track
 * @property {Mix | null} [mix] of an overlap in time with the beat
 * @property {string} [reason] why the host has planned this transition
 * @property {number} [startSample] `start` in samples of the outgoing track, once the decks are joined
 * @property {number} [exitSample] `exit` in samples
 */

/**
 * An overlap in time with the beat.
 *
 * @typedef {object} Mix
 * @property {import('../output/speed-curve.js').SpeedCurve} curve of the incoming track
 * @property {number} elapsed time since the planned start at the actual one, in seconds
 * @property {BassChange | null} bassOut of the outgoing track
 * @property {BassChange | null} bassIn of the incoming track
 *
 * @typedef {{hertz: number, from: number, to: number, after: number, seconds: number}} BassChange gains in dB; `after` the planned
 *     start of the mix
 */

/**
 * @typedef {object} TransitionSettings
 * @property {number} crossfadeSeconds maximum overlap; 0 to disable crossfades
 * @property {'plan' | 'always' | 'mix'} crossfadeStyle by the host's plan, always with the chosen length, or in time with the beat
 * @property {boolean} mixOnlyWhenItFits whether songs that cannot be mixed follow the plan of `plan`
 * @property {boolean} skipSilence
 * @property {boolean} gapless whether consecutive tracks of an album are joined without a gap
 */

/** Whether a track follows another one on the same disc of its album. */
export function isFollowing(from, to) {
    return (from.album_id ?? null) !== null && from.album_id === to.album_id && (from.disc_number ?? 1) === (to.disc_number ?? 1) &&
        Number.isFinite(from.track_number) && to.track_number === from.track_number + 1;
}

/**
 * @param {any} from the outgoing track, from the catalogue
 * @param {number} duration its duration in seconds
 * @param {any} to the incoming track
 * @param {any} plan response of `/crossfade`; null without a plan
 * @param {TransitionSettings} settings
 * @param {{from: number, to: number, isMixable?: boolean}} levels amplitude factors of both tracks; whether they can be mixed
 * @returns {Transition}
 */
export function transitionOf(from, duration, to, plan, settings, levels) {
    const follows = plan ? plan.transition === 'gapless' : isFollowing(from, to);
    const whole = { start: duration, exit: duration, entry: 0, fadeOut: null, fadeIn: null };
    if (follows && settings.gapless) return { kind: 'gapless', ...whole };
    const skips = settings.skipSilence || settings.crossfadeSeconds > 0;
    const exit = skips ? exitOf(from, duration) : duration;
    const entry = skips ? entryOf(to) : 0;
    const joined = { kind: /** @type {const} */ ('cut'), start: exit, exit, entry, fadeOut: null, fadeIn: null };
    if (!(settings.crossfadeSeconds > 0)) return joined;
    if (settings.crossfadeStyle === 'always' || follows) return overlapAlways(from, to, joined, settings, levels);
    if (plan?.transition === 'mix') {
        if (!levels.isMixable || !plan.mix) return overlapAlways(from, to, joined, settings, levels);
        return mixed(plan, duration, bendFor(peakOf(from, levels.from), peakOf(to, levels.to)));
    }
    return plan ? byPlan(plan, duration) : joined;
}

/** Returns the position after the leading silence of a track, in seconds. */
export function entryOf(track) {
    return Number.isFinite(track.cue_in_seconds) ? Math.max(0, track.cue_in_seconds) : 0;
}

/** Returns the position at which the trailing silence of a track begins, in seconds. */
export function exitOf(track, duration) {
    const cue = track.cue_out_seconds;
    return Number.isFinite(cue) && cue > entryOf(track) ? Math.min(cue, duration) : duration;
}

/** @returns {Transition} */
function byPlan(plan, duration) {
    const exit = Math.min(plan.end_seconds, duration);
    const start = Math.min(plan.start_seconds, exit);
    const isOverlap = plan.transition === 'overlap' && exit - start >= SHORTEST_OVERLAP;
    return {
        kind: isOverlap ? 'overlap' : 'cut',
        start: isOverlap ? start : exit,
        exit,
        entry: plan.cue_in_seconds,
        fadeOut: isOverlap ? curveOf(plan.outgoing.fade) : null,
        fadeIn: isOverlap ? curveOf(plan.incoming.fade) : null,
        reason: plan.reason,
    };
}

/**
 * A mix as the host has planned it.
 * @param {any} plan
 * @param {number} duration of the outgoing track in seconds
 * @param {number} bend exponent of the fades: that of the plan, for the levels that the page plays at
 * @returns {Transition}
 */
function mixed(plan, duration, bend) {
    const curve = speedCurveOf(plan);
    const change = (bass, start, speed) =>
        bass && {
            hertz: bass.hertz,
            from: bass.start_gain_db,
            to: bass.end_gain_db,
            after: (bass.start_seconds - start) / speed,
            seconds: bass.duration_seconds / speed,
        };
    return {
        kind: 'overlap',
        start: plan.start_seconds,
        exit: Math.min(plan.end_seconds, duration),
        entry: plan.cue_in_seconds,
        fadeOut: curveOf(plan.outgoing.fade, bend),
        fadeIn: curveOf(plan.incoming.fade, bend),
        mix: {
            curve,
            elapsed: 0,
            bassOut: change(plan.outgoing.bass, plan.start_seconds, 1) ?? null,
            bassIn: change(plan.incoming.bass, plan.cue_in_seconds, curve.ratio) ?? null,
        },
        reason: plan.reason,
    };
}

/** Converts a fade of the host's plan to factors, raised to an exponent; null if the track does not fade. */
function curveOf(fade, exponent = fade?.exponent ?? 1) {
    if (!fade || fade.curve === 'none') return null;
    const { start_gain: from, end_gain: to } = fade;
    return curve((x) => {
        if (fade.curve === 'linear') return from + (to - from) * x;
        // A quarter of a cosine for fading out, of a sine for fading in.
        const turn = (x * Math.PI) / 2;
        return from + (to - from) * (to < from ? 1 - Math.max(0, Math.cos(turn)) ** exponent : Math.sin(turn) ** exponent);
    });
}

/**
 * Returns an equal-power overlap of the chosen length, at most half of what is heard of either track. If both peaks together could
 * exceed full scale, the curves are bent towards ones that add up to 1, as far as needed.
 */
function overlapAlways(from, to, joined, settings, levels) {
    const heard = Math.min(joined.exit - entryOf(from), (to.cue_out_seconds ?? to.duration_seconds ?? Infinity) - joined.entry);
    const overlap = Math.min(settings.crossfadeSeconds, heard / 2);
    if (!(overlap >= SHORTEST_OVERLAP)) return joined;
    const bend = bendFor(peakOf(from, levels.from), peakOf(to, levels.to));
    return {
        kind: 'overlap',
        start: joined.exit - overlap,
        exit: joined.exit,
        entry: joined.entry,
        fadeOut: curve((x) => Math.max(0, Math.cos((x * Math.PI) / 2)) ** bend),
        fadeIn: curve((x) => Math.sin((x * Math.PI) / 2) ** bend),
    };
}

/** Returns the exponent of both curves: 1 is equal power, 2 adds up to 1. */
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

function peakOf(track, level) {
    return factorOf(track.true_peak_dbtp ?? 0) * level;
}

function curve(factor) {
    return Float32Array.from({ length: CURVE_POINTS }, (_, i) => factor(i / (CURVE_POINTS - 1)));
}

/** Returns the rest of a curve from a fraction of its length on, for a fade that starts in its middle. */
export function restOf(fade, share) {
    if (!fade || share <= 0) return fade;
    return curve((x) => factorAt(fade, share + x * (1 - share)));
}

/** Returns the factor of a fade curve at a fraction of its length. @param {Float32Array} fade @param {number} share */
export function factorAt(fade, share) {
    const place = Math.min(1, Math.max(0, share)) * (fade.length - 1);
    const low = Math.min(Math.floor(place), fade.length - 2);
    return fade[low] + (fade[low + 1] - fade[low]) * (place - low);
}
