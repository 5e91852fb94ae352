import { STYLES } from './styles/styles.js';

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

/** Default values of `visualizer.full.…` and `visualizer.mini.…`. */
export const VISUALIZER_DEFAULTS = {
    full: {
        enabled: true, style: 'wave', points: 32, sensitivity: 0.5, viscosity: 0.45, colour: 'cover', hueSeconds: 30,
        customColour: '#8a5cff',
    },
    mini: {
        enabled: true, style: 'wave', points: 16, sensitivity: 0.5, viscosity: 0.55, colour: 'cover', hueSeconds: 30,
        customColour: '#8a5cff',
    },
};

/** Returns the defaults by setting name. @returns {Record<string, unknown>} */
export function visualizerDefaults() {
    const defaults = {};
    for (const [scope, look] of Object.entries(VISUALIZER_DEFAULTS)) {
        for (const [name, value] of Object.entries(look)) defaults[`visualizer.${scope}.${name}`] = value;
    }
    return defaults;
}

/**
 * Returns the look from the settings; invalid values are replaced by defaults.
 *
 * @param {{get(key: string): unknown}} settings
 * @param {'mini' | 'full'} scope
 * @returns {VisualizerLook}
 */
export function lookOf(settings, scope) {
    const defaults = VISUALIZER_DEFAULTS[scope];
    const of = name => settings.get(`visualizer.${scope}.${name}`) ?? defaults[name];
    const number = (name, least, most) => {
        const value = Number(of(name));
        return Number.isFinite(value) ? Math.min(most, Math.max(least, value)) : defaults[name];
    };
    const style = of('style');
    const colour = of('colour');
    const customColour = of('customColour');
    return {
        enabled: of('enabled') !== false,
        style: Object.hasOwn(STYLES, style) ? style : defaults.style,
        points: Math.round(number('points', 8, 64)),
        sensitivity: number('sensitivity', 0, 1),
        viscosity: number('viscosity', 0, 1),
        colour: ['cycle', 'cover', 'custom'].includes(colour) ? colour : defaults.colour,
        hueSeconds: number('hueSeconds', 2, 600),
        customColour: /^#[0-9a-f]{6}$/i.test(customColour) ? customColour : defaults.customColour,
    };
}
