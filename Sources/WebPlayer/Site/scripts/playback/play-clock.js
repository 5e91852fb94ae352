/** The time of an audio context, in whole samples: what is being rendered, and what is heard. */
export class PlayClock {
    /** @param {BaseAudioContext} context */
    constructor(context) {
        this.context = context;
        /** Samples a second. */
        this.rate = context.sampleRate;
        /** Whether it renders as fast as it can, and nobody hears it. */
        this.isOffline = 'startRendering' in context;
    }

    /** The next sample that can still be scheduled. */
    get now() {
        return Math.ceil(this.context.currentTime * this.rate);
    }

    /** The sample that is heard now: what is rendered takes a while to the ear. */
    get heard() {
        const { context } = this;
        const rendered = context.currentTime;
        if (this.isOffline) return rendered * this.rate;
        const stamp = context.getOutputTimestamp?.();
        let time = rendered - (context.outputLatency || context.baseLatency || 0);
        if (stamp && stamp.contextTime > 0 && stamp.performanceTime > 0 && context.state === 'running') {
            time = stamp.contextTime + (performance.now() - stamp.performanceTime) / 1000;
        }
        // A stamp that is off must not make the position jump.
        return Math.min(Math.max(time, rendered - 1, 0), rendered) * this.rate;
    }
}
