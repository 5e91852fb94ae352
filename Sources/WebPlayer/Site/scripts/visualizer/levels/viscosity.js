/**
 * Returns the time constant in seconds, after which a level has covered 63 % of its way.
 *
 * @param {number} viscosity from 0 (snappy) to 1 (thick)
 * @param {boolean} rises
 */
export function timeConstant(viscosity, rises) {
    return rises ? 0.006 + 0.11 * viscosity * viscosity : 0.03 + 0.45 * viscosity * viscosity;
}

/**
 * Moves levels towards their targets: `level += (target − level) · (1 − e^(−t/τ))`, independent of the frame rate.
 *
 * @param {Float32Array} targets
 * @param {Float32Array} levels changed in place
 * @param {number} seconds since the last call
 * @param {number} viscosity from 0 to 1
 */
export function flow(targets, levels, seconds, viscosity) {
    const rise = 1 - Math.exp(-seconds / timeConstant(viscosity, true));
    const fall = 1 - Math.exp(-seconds / timeConstant(viscosity, false));
    for (let index = 0; index < levels.length; index++) {
        const way = targets[index] - levels[index];
        levels[index] += way * (way > 0 ? rise : fall);
    }
}

/**
 * Moves levels towards their targets with a single time constant.
 *
 * @param {Float32Array} targets
 * @param {Float32Array} levels changed in place
 * @param {number} seconds since the last call
 * @param {number} constant in seconds
 */
export function drag(targets, levels, seconds, constant) {
    const part = 1 - Math.exp(-seconds / constant);
    for (let index = 0; index < levels.length; index++) levels[index] += (targets[index] - levels[index]) * part;
}
