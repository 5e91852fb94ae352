/**
 * The rule for a setting's value: `allows` checks it, `text` describes allowed values.
 * @typedef {{allows: (value: unknown) => boolean, text: string}} Rule
 */

/** @param {...string} values @returns {Rule} */
const oneOf = (...values) => ({ allows: value => values.includes(/** @type {string} */ (value)), text: `one of ${values.join(', ')}` });
/** @param {number} least @param {number} most @returns {Rule} */
const between = (least, most) => ({ allows: value => typeof value === 'number' && value >= least && value <= most, text: `a number from ${least} to ${most}` });
/** Range of the playback speed; the pitch is preserved. */
export const SPEED = Object.freeze({ least: 0.5, most: 3 });

/** @type {Rule} */
const flag = { allows: value => typeof value === 'boolean', text: 'true or false' };
/** @type {Rule} */
const colour = { allows: value => typeof value === 'string' && /^#[0-9a-f]{6}$/i.test(value), text: 'a colour such as #8a5cff' };

const look = scope => Object.fromEntries(Object.entries({
    enabled: flag, style: oneOf('wave', 'siri', 'bar', 'line'), points: between(8, 64), sensitivity: between(0, 1), viscosity: between(0, 1),
    colour: oneOf('cycle', 'cover', 'custom'), hueSeconds: between(2, 600), customColour: colour,
}).map(([name, rule]) => [`visualizer.${scope}.${name}`, rule]));

/**
 * Rules for all settings. Values from outside, such as an imported file, are checked against them.
 * @type {Readonly<Record<string, Rule>>}
 */
export const RULES = Object.freeze({
    'appearance.theme': oneOf('system', 'light', 'dark'),
    'appearance.density': oneOf('comfortable', 'compact'),
    'playback.quality': oneOf('auto', 'original', 'low'),
    'playback.gapless': flag,
    'playback.crossfade': flag,
    'playback.crossfadeSeconds': between(1, 12),
    'playback.crossfadeStyle': oneOf('plan', 'always'),
    'playback.normalization': oneOf('auto', 'track', 'album', 'off'),
    'playback.targetLUFS': between(-40, 0),
    'playback.skipSilence': flag,
    'playback.speed': between(SPEED.least, SPEED.most),
    'playback.volume': between(0, 1),
    'playback.resume': flag,
    'playback.reportPlays': flag,
    'library.sort.songs': oneOf('title', 'artist', 'album', 'added', 'bpm'),
    'library.sort.albums': oneOf('title', 'artist', 'year', 'added'),
    'console.enabled': flag,
    ...look('full'), ...look('mini'),
});
