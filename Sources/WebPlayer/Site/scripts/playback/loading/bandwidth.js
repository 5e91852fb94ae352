/** Interval between estimates, in seconds. */
const INTERVAL = 5;
/** The first estimate is made after this much download time, or this many bytes. */
const FIRST_SECONDS = 1;
const FIRST_BYTES = 262144;

/**
 * Estimates the network throughput, and how much audio to buffer accordingly.
 *
 * Only time with a request in progress counts: a full buffer says nothing about the network.
 */
export class Bandwidth {
    #underWay;

    /** @param {() => number} [now] monotonic clock in seconds */
    constructor(now = () => performance.now() / 1000) {
        this.now = now;
        /** Bits per second; 0 before the first estimate. */
        this.bitsPerSecond = 0;
        this.bytes = 0;
        this.seconds = 0;
        this.since = now();
        this.updatedAt = -Infinity;
        this.#underWay = 0;
    }

    /** Call when a request starts. */
    begin() {
        if (this.#underWay++ === 0) this.since = this.now();
    }

    /** @param {number} bytes received */
    add(bytes) {
        this.bytes += bytes;
        this.update();
    }

    /** Call when a request has finished or was aborted. */
    end() {
        this.update();
        this.#underWay = Math.max(0, this.#underWay - 1);
    }

    update() {
        const now = this.now();
        if (this.#underWay > 0) this.seconds += now - this.since;
        this.since = now;
        // The first estimate should not take a full interval, but needs more than data that was cached somewhere.
        const isDue = this.bitsPerSecond > 0
            ? now - this.updatedAt >= INTERVAL
            : this.seconds >= FIRST_SECONDS || this.bytes >= FIRST_BYTES;
        if (!isDue || this.seconds <= 0 || (this.bytes === 0 && this.seconds < 1)) return;
        this.bitsPerSecond = (this.bytes * 8) / Math.max(this.seconds, 0.001);
        this.updatedAt = now;
        this.bytes = 0;
        this.seconds = 0;
    }

    /** Seconds of audio to buffer: 30 on a fast network (over 2 Mbit/s), 20 on a medium one, 10 below 500 kbit/s. */
    get secondsAhead() {
        if (this.bitsPerSecond === 0) return 20;
        if (this.bitsPerSecond > 2_000_000) return 30;
        return this.bitsPerSecond >= 500_000 ? 20 : 10;
    }

    /**
     * Returns the seconds of audio to buffer before playback starts: 5; 10 if the network is slow and barely carries the track.
     * @param {number} trackBitsPerSecond
     */
    secondsBeforeStart(trackBitsPerSecond) {
        if (this.bitsPerSecond === 0 || this.bitsPerSecond >= 500_000) return 5;
        return this.bitsPerSecond > 1.5 * trackBitsPerSecond ? 5 : 10;
    }
}
