/** Formats a time as a clock shows it: `4:05`, `1:02:03`. @param {number} seconds */
export function clockText(seconds) {
    const whole = Math.max(0, Math.floor(seconds + 1e-6));
    const rest = String(whole % 60).padStart(2, '0');
    const minutes = Math.floor(whole / 60);
    if (minutes < 60) return `${minutes}:${rest}`;
    return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}:${rest}`;
}

/** Formats a time in words, for screen readers. @param {number} seconds */
export function spokenTime(seconds) {
    const whole = Math.max(0, Math.floor(seconds + 1e-6));
    const parts = [[Math.floor(whole / 3600), 'hour'], [Math.floor(whole / 60) % 60, 'minute'], [whole % 60, 'second']];
    const said = parts.filter(([count]) => count > 0).map(([count, unit]) => `${count} ${unit}${count === 1 ? '' : 's'}`);
    return said.length > 0 ? said.join(' ') : '0 seconds';
}
