import { t } from '../../texts/text.js';

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
    const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
    return [
        hours > 0 && t('{count} hours', { count: hours }),
        minutes > 0 && t('{count} minutes', { count: minutes }),
        (rest > 0 || whole === 0) && t('{count} seconds', { count: rest }),
    ].filter(Boolean).join(' ');
}
