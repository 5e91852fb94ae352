/** Clamps a number to a range; returns 1 if the value is missing or not a number. */
export function bounded(value, low, high) {
    const number = Number(value ?? 1);
    return Number.isFinite(number) ? Math.min(Math.max(number, low), high) : 1;
}
