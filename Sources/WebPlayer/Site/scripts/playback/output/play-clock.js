/** How far a timestamp of the audio output may be in the future and in the past, in seconds. */
const STAMP_AHEAD = 0.02;
const STAMP_BEHIND = 1;

/** The clock of an audio context in whole samples: what is being rendered, and what is heard. */
export class PlayClock {
    /** @param {BaseAudioContext} context */
    constructor(context) {
        this.context = context;
        /** Samples per second. */
        this.rate = context.sampleRate;
        /** Whether it renders as fast as possible, without audio output. */
        this.isOffline = 'startRendering' in context;
    }

    /** The next sample that can still be scheduled. */
    get now() {
        return Math.ceil(this.context.currentTime * this.rate);
    }

    /** The sample that is heard now: rendered audio is heard after the output latency. */
    get heard() {
        const context = /** @type {AudioContext} */ (this.context);
        const rendered = context.currentTime;
        if (this.isOffline) return rendered * this.rate;
        const stamp = context.getOutputTimestamp?.();
        const { performanceTime = 0, contextTime = 0 } = stamp ?? {};
        const age = performanceTime > 0 ? (performance.now() - performanceTime) / 1000 : NaN;
        // WebKit's timestamps lie in the future, by as much as it has played; after a pause, a timestamp may be from before it.
        const isUsable = context.state === 'running' && contextTime > 0 && age > -STAMP_AHEAD && age < STAMP_BEHIND;
        const time = isUsable ? contextTime + age : rendered - (context.outputLatency || context.baseLatency || 0);
        return Math.min(Math.max(time, rendered - STAMP_BEHIND, 0), rendered) * this.rate;
    }
}
