/** Bits a second of the low quality, about. */
const LOW_BITS = 64_000;
/** By how much the network has to be faster than a track for its original to be fetched: to leave it, and to come back to it. */
const ENOUGH = 1.15;
const PLENTY = 1.8;

/**
 * Which quality of a track is fetched: what the listener chose; or by itself the low one on connections that cost money or do not
 * carry the original, and the original where they do.
 */
export class Quality {
    /**
     * @param {object} parts
     * @param {{get(key: string): unknown}} parts.settings
     * @param {import('./bandwidth.js').Bandwidth} parts.bandwidth
     * @param {{type?: string, saveData?: boolean, effectiveType?: string} | undefined} [parts.connection] what the browser knows of it
     */
    constructor({ settings, bandwidth, connection = globalThis.navigator?.connection }) {
        Object.assign(this, { settings, bandwidth, connection });
        this.isLow = false;
    }

    /**
     * What is to be fetched of a track now.
     * @param {number} bits a second of its original
     * @returns {'original' | 'low'}
     */
    of(bits) {
        const chosen = this.settings.get('playback.quality');
        if (chosen === 'original' || chosen === 'low') return chosen;
        if (this.isCostly) return 'low';
        const { bitsPerSecond } = this.bandwidth;
        // Before anything is measured there is what the browser has seen of other pages.
        if (bitsPerSecond === 0) this.isLow = ['slow-2g', '2g'].includes(this.connection?.effectiveType);
        else if (bitsPerSecond < ENOUGH * bits) this.isLow = true;
        else if (bitsPerSecond > PLENTY * bits) this.isLow = false;
        return this.isLow ? 'low' : 'original';
    }

    /** Whether the connection is counted by what it carries. */
    get isCostly() {
        return Boolean(this.connection?.saveData) || this.connection?.type === 'cellular';
    }

    /** Bits a second that are fetched of a track whose original has so many. */
    bitsOf(bits) {
        return this.of(bits) === 'low' ? Math.min(bits, LOW_BITS) : bits;
    }
}
