import { currentLocale, t } from '../../texts/text.js';

/** Formats a file size. @param {number} count bytes */
export function sizeText(count) {
    const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'];
    let unit = 0;
    let size = count;
    while (size >= 1000 && unit < units.length - 1) {
        size /= 1000;
        unit++;
    }
    const digits = unit === 0 || size >= 100 ? 0 : 1;
    if (unit === 0) return t('{number} bytes', { number: size });
    return formatted(size, {
        style: 'unit',
        unit: units[unit],
        unitDisplay: 'short',
        minimumFractionDigits: digits,
        maximumFractionDigits: digits,
    });
}

/** Formats a bit rate. @param {number} rate bits per second */
export function bitRateText(rate) {
    return t('{rate} kbit/s', { rate: Math.round(rate / 1000) });
}

/** Formats a duration in its two largest units. @param {number} seconds */
export function stretchText(seconds) {
    const units = [
        { length: 86400, text: (number) => t('{number} d', { number }) },
        { length: 3600, text: (number) => t('{number} h', { number }) },
        { length: 60, text: (number) => t('{number} min', { number }) },
        { length: 1, text: (number) => t('{number} s', { number }) },
    ];
    let rest = Math.floor(seconds);
    const parts = [];
    for (const { length, text } of units) {
        const count = Math.floor(rest / length);
        rest -= count * length;
        if (count > 0 || (length === 1 && parts.length === 0)) parts.push(text(count));
    }
    return parts.slice(0, 2).join(' ');
}

/** Formats a date and time. @param {number} seconds since 1970 */
export function momentText(seconds) {
    return new Date(seconds * 1000).toLocaleString(currentLocale(), { dateStyle: 'medium', timeStyle: 'short' });
}

/** Formats a date. @param {number} seconds since 1970 */
export function dayText(seconds) {
    return new Date(seconds * 1000).toLocaleDateString(currentLocale(), { dateStyle: 'medium' });
}

/** Formats a time of day. @param {number} milliseconds since 1970 @param {'short' | 'medium'} style with seconds if medium */
export function timeText(milliseconds, style) {
    return new Date(milliseconds).toLocaleTimeString(currentLocale(), { timeStyle: style });
}

/** Formats a number; returns an empty text without one. @param {number | undefined} number */
export function numberText(number) {
    return number === undefined ? '' : formatted(number, {});
}

/** Formats a number with a fixed number of digits after the point. @param {number} number @param {number} digits */
export function decimalText(number, digits) {
    return formatted(number, { minimumFractionDigits: digits, maximumFractionDigits: digits }).replace('-', '−');
}

/** Formats a part of 1 as percent. @param {number} part */
export function percentText(part) {
    return t('{number} %', { number: Math.round(part * 100) });
}

/** Formats a list: "profiles and spectra". @param {string[]} texts */
export function listText(texts) {
    return new Intl.ListFormat(currentLocale()).format(texts);
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
    const all = Math.round((seconds ?? 0) / 60);
    if (all < 1) return t('{number} s', { number: Math.round(seconds ?? 0) });
    const [hours, minutes] = [Math.floor(all / 60), all % 60];
    return hours ? t('{hours} h {minutes} min', { hours, minutes }) : t('{number} min', { number: minutes });
}

/** @param {number} number @param {Intl.NumberFormatOptions} options */
function formatted(number, options) {
    return new Intl.NumberFormat(currentLocale(), options).format(number);
}
