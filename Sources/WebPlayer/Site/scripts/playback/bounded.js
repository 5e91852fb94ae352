/** A number within bounds; what is none is 1. */
export function bounded(value, low, high) {
    const number = Number(value ?? 1);
    return Number.isFinite(number) ? Math.min(Math.max(number, low), high) : 1;
}
