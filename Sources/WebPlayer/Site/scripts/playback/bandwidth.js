/** How often the estimate is made anew, in seconds. */
const INTERVAL = 5;
/** What the first estimate takes: so many seconds, or so many bytes. */
const FIRST_SECONDS = 1;
const FIRST_BYTES = 262144;

/**
 * How fast the network is, from what it carries; and how much to keep in store for that.
 *
 * Only time in which something is under way counts: a full store says nothing about the network.
 */
export class Bandwidth {
    /** @param {() => number} [now] seconds of a steady clock */
    constructor(now = () => performance.now() / 1000) {
        this.now = now;
        /** Bits a second; 0 before anything is known. */
        this.bitsPerSecond = 0;
        this.bytes = 0;
        this.seconds = 0;
        this.since = now();
        this.updatedAt = -Infinity;
        this.underWay = 0;
    }

    /** A request begins. */
    begin() {
        if (this.underWay++ === 0) this.since = this.now();
    }

    /** @param {number} bytes that have come */
    add(bytes) {
        this.bytes += bytes;
        this.update();
    }

    /** A request is over, or was given up. */
    end() {
        this.update();
        this.underWay = Math.max(0, this.underWay - 1);
    }

    update() {
        const now = this.now();
        if (this.underWay > 0) this.seconds += now - this.since;
        this.since = now;
        // The first estimate is wanted before the first five seconds are over, but not from what lay ready somewhere.
        const isDue = this.bitsPerSecond > 0 ? now - this.updatedAt >= INTERVAL : this.seconds >= FIRST_SECONDS || this.bytes >= FIRST_BYTES;
        if (!isDue || this.seconds <= 0 || (this.bytes === 0 && this.seconds < 1)) return;
        this.bitsPerSecond = (this.bytes * 8) / Math.max(this.seconds, 0.001);
        this.updatedAt = now;
        this.bytes = 0;
        this.seconds = 0;
    }

    /** Seconds of sound to keep ahead: 30 on a fast network (over 2 Mbit/s), 20 on a medium one, 10 below 500 kbit/s. */
    get secondsAhead() {
        if (this.bitsPerSecond === 0) return 20;
        if (this.bitsPerSecond > 2_000_000) return 30;
        return this.bitsPerSecond >= 500_000 ? 20 : 10;
    }

    /**
     * Seconds of sound to have before the first is played: 5; up to 10 where the network is slow and barely carries the track.
     * @param {number} trackBitsPerSecond
     */
    secondsBeforeStart(trackBitsPerSecond) {
        if (this.bitsPerSecond === 0 || this.bitsPerSecond >= 500_000) return 5;
        return this.bitsPerSecond > 1.5 * trackBitsPerSecond ? 5 : 10;
    }
}
