import { SETTINGS } from '../host/settings-table.js';

/**
 * The look of a visualizer.
 *
 * @typedef {object} VisualizerLook
 * @property {boolean} enabled
 * @property {'wave' | 'siri' | 'bar' | 'line'} style
 * @property {number} points 8 to 64
 * @property {number} sensitivity 0 to 1: how visible quiet passages are
 * @property {number} viscosity 0 (snappy) to 1 (thick)
 * @property {'cycle' | 'cover' | 'custom'} colour
 * @property {number} hueSeconds duration of a hue cycle
 * @property {string} customColour `#rrggbb`
 */

const NAMES =
    /** @type {const} */ (['enabled', 'style', 'points', 'sensitivity', 'viscosity', 'colour', 'hueSeconds', 'customColour']);

/**
 * Returns the look from the settings. Numbers are limited to their range, other invalid values are replaced by the initial ones.
 *
 * @param {{get(key: string): unknown}} settings
 * @param {'mini' | 'full'} scope
 * @returns {VisualizerLook}
 */
export function lookOf(settings, scope) {
    const look = /** @type {VisualizerLook} */ (Object.fromEntries(NAMES.map((name) => {
        const key = `visualizer.${scope}.${name}`;
        return [name, valid(settings.get(key), SETTINGS[key])];
    })));
    look.points = Math.round(look.points);
    return look;
}

/** @param {unknown} value @param {import('../host/settings-table.js').Setting} setting */
function valid(value, { initial, allows, least = -Infinity, most = Infinity }) {
    if (allows(value)) return value;
    return typeof value === 'number' && Number.isFinite(value) ? Math.min(most, Math.max(least, value)) : initial;
}
