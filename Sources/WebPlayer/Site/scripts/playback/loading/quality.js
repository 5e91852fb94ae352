/** Approximate bit rate of the low quality, in bits per second. */
const LOW_BITS = 64_000;
/** Ratios of throughput to bit rate below which the original is abandoned, and above which it is used again. */
const ENOUGH = 1.15;
const PLENTY = 1.8;

/** @typedef {{type?: string, saveData?: boolean, effectiveType?: string}} NetworkInformation the browser's, where it has any */

/**
 * Chooses the quality to download: the user's choice; or automatically the low one on metered connections and those that cannot
 * carry the original, and the original elsewhere.
 */
export class Quality {
    /**
     * @param {object} parts
     * @param {{get(key: string): unknown}} parts.settings
     * @param {import('./bandwidth.js').Bandwidth} parts.bandwidth
     * @param {NetworkInformation} [parts.connection]
     */
    constructor({ settings, bandwidth, connection = /** @type {any} */ (navigator).connection }) {
        this.settings = settings;
        this.bandwidth = bandwidth;
        this.connection = connection;
        this.isLow = false;
    }

    /**
     * Returns the quality to download now.
     * @param {number} bits bit rate of the original, in bits per second
     * @returns {'original' | 'low'}
     */
    of(bits) {
        const chosen = this.settings.get('playback.quality');
        if (chosen === 'original' || chosen === 'low') return chosen;
        if (this.isCostly) return 'low';
        const { bitsPerSecond } = this.bandwidth;
        // Before the first measurement, use the browser's own estimate.
        if (bitsPerSecond === 0) this.isLow = ['slow-2g', '2g'].includes(this.connection?.effectiveType ?? '');
        else if (bitsPerSecond < ENOUGH * bits) this.isLow = true;
        else if (bitsPerSecond > PLENTY * bits) this.isLow = false;
        return this.isLow ? 'low' : 'original';
    }

    /** Whether the connection is metered. */
    get isCostly() {
        return Boolean(this.connection?.saveData) || this.connection?.type === 'cellular';
    }

    /** Returns the bit rate to download for a track with the given original bit rate, in bits per second. */
    bitsOf(bits) {
        return this.of(bits) === 'low' ? Math.min(bits, LOW_BITS) : bits;
    }
}
