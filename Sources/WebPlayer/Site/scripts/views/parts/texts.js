/** Formats a file size. @param {number} count bytes */
export function sizeText(count) {
    const units = ['bytes', 'kB', 'MB', 'GB', 'TB'];
    let unit = 0;
    let size = count;
    while (size >= 1000 && unit < units.length - 1) {
        size /= 1000;
        unit++;
    }
    return `${unit === 0 || size >= 100 ? Math.round(size) : size.toFixed(1)} ${units[unit]}`;
}

/** Formats a duration in its two largest units. @param {number} seconds */
export function stretchText(seconds) {
    /** @type {[number, string][]} */
    const units = [[86400, 'd'], [3600, 'h'], [60, 'min'], [1, 's']];
    let rest = Math.floor(seconds);
    const parts = [];
    for (const [length, unit] of units) {
        const count = Math.floor(rest / length);
        rest -= count * length;
        if (count > 0 || (unit === 's' && parts.length === 0)) parts.push(`${count} ${unit}`);
    }
    return parts.slice(0, 2).join(' ');
}

/** Formats a date and time. @param {number} seconds since 1970 */
export function momentText(seconds) {
    return new Date(seconds * 1000).toLocaleString([], { dateStyle: 'medium', timeStyle: 'short' });
}

/** Formats a date. @param {number} seconds since 1970 */
export function dayText(seconds) {
    return new Date(seconds * 1000).toLocaleDateString([], { dateStyle: 'medium' });
}

/** Formats a count with its noun. @param {number} count @param {string} one singular @param {string} [many] plural */
export function counted(count, one, many = `${one}s`) {
    return `${count.toLocaleString()} ${count === 1 ? one : many}`;
}

/** Formats seconds as a clock time: "4:05", "1:02:03". */
export function clock(seconds) {
    if (!Number.isFinite(seconds)) return '–:––';
    const whole = Math.max(0, Math.round(seconds));
    const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
    const two = (number) => String(number).padStart(2, '0');
    return hours ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}

/** Formats a duration: "1 h 4 min". */
export function lengthText(seconds) {
    const minutes = Math.round((seconds ?? 0) / 60);
    if (minutes < 1) return `${Math.round(seconds ?? 0)} s`;
    return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
