import { t } from '../../texts/text.js';
import { bitRateText } from '../parts/texts.js';

/** Returns kilohertz without needless digits. @param {number} rate in Hz */
const kilohertz = (rate) => t('{rate} kHz', { rate: Math.round(rate / 100) / 10 });

/**
 * Names what is heard: the format of the file, or the lower quality that is played instead, and why.
 * @param {any} track an item of the catalogue
 * @param {'original' | 'high' | 'low' | null} quality the quality that is heard
 */
export function soundText(track, quality) {
    const format = (track?.format ?? '').toUpperCase();
    if (quality === 'low') return 'MP3 64 kbit/s';
    if (quality === 'high') {
        // Of these formats the host has segments of the original.
        const isPlayedWhereKnown = ['FLAC', 'AAC', 'ALAC', 'OPUS'].includes(format);
        return isPlayedWhereKnown
            ? t('MP3 192 kbit/s: this browser cannot play {format}', { format })
            : t('MP3 192 kbit/s, made from {format}', { format });
    }
    if (!format) return '';
    if (!track.bit_depth) {
        return track.average_bit_rate_bps ? `${format} ${bitRateText(track.average_bit_rate_bps)}` : format;
    }
    return [format, track.sample_rate_hz && kilohertz(track.sample_rate_hz), t('{depth} bit', { depth: track.bit_depth })].filter(
        Boolean,
    ).join(' ');
}
