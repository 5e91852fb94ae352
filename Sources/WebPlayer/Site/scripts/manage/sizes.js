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

/** Formats a count with its noun. @param {number} count @param {string} thing singular */
export function countText(count, thing) {
    return `${count.toLocaleString()} ${thing}${count === 1 ? '' : 's'}`;
}
