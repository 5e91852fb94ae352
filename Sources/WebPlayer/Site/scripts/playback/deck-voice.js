/** How long a cut is faded, in seconds. */
const EDGE_SECONDS = 0.005;

/**
 * A deck's nodes on the audio context: buffers one after the other through the edges of cuts, the fade of a transition, and
 * the track's level. Times are whole samples of the context.
 */
export class DeckVoice {
    /**
     * @param {BaseAudioContext} context
     * @param {AudioNode} output
     */
    constructor(context, output) {
        this.context = context;
        this.level = context.createGain();
        this.fade = context.createGain();
        this.fade.connect(this.level).connect(output);
        /** What is scheduled, and not over yet. @type {{node: AudioBufferSourceNode, from: number, to: number}[]} */
        this.nodes = [];
        /** The edge of what is scheduled now. @type {GainNode | null} */
        this.edge = null;
        this.isSoftened = false;
    }

    /** Begins anew at a time: at once, or up from silence within five milliseconds. */
    begin(when, isFaded) {
        this.edge = this.context.createGain();
        this.edge.connect(this.fade);
        this.isSoftened = false;
        if (isFaded) this.ramp(0, 1, when);
    }

    /**
     * Schedules samples at a time.
     * @param {Float32Array[]} output one array a channel
     * @param {number} when
     */
    play(output, when) {
        const count = output[0].length;
        if (count === 0) return;
        const { sampleRate } = this.context;
        const buffer = this.context.createBuffer(output.length, count, sampleRate);
        output.forEach((samples, channel) => buffer.copyToChannel(samples, channel));
        const node = this.context.createBufferSource();
        node.buffer = buffer;
        node.connect(this.edge);
        node.start(when / sampleRate);
        const entry = { node, from: when, to: when + count };
        node.onended = () => {
            node.disconnect();
            this.nodes = this.nodes.filter((each) => each !== entry);
        };
        this.nodes.push(entry);
    }

    /** Ends what is scheduled, at a time. */
    end(when) {
        const { sampleRate } = this.context;
        const end = when + Math.round(EDGE_SECONDS * sampleRate);
        this.ramp(1, 0, when);
        for (const { node, from, to } of this.nodes) {
            if (from >= end) {
                node.onended = null;
                node.stop();
                node.disconnect();
            } else if (to > end) {
                node.stop(end / sampleRate);
            }
        }
        this.nodes = this.nodes.filter(({ from }) => from < end);
    }

    /** Brings the sound down to silence before a time at which it ends for want of bytes; up again where it goes on after all. */
    softenEnd(isEnding, when) {
        if (isEnding === this.isSoftened || !this.edge) return;
        this.isSoftened = isEnding;
        if (isEnding) {
            this.ramp(1, 0, when - Math.round(EDGE_SECONDS * this.context.sampleRate));
        } else {
            this.edge.gain.cancelScheduledValues(0);
            this.edge.gain.setTargetAtTime(1, this.context.currentTime, 0.002);
        }
    }

    ramp(from, to, when) {
        const { gain } = this.edge;
        const start = Math.max(when / this.context.sampleRate, this.context.currentTime);
        gain.cancelScheduledValues(start);
        gain.setValueAtTime(from, start);
        gain.linearRampToValueAtTime(to, start + EDGE_SECONDS);
    }

    /**
     * Fades along a curve, in place of any fade before.
     * @param {Float32Array | null} curve
     * @param {number} when
     * @param {number} seconds
     */
    setFade(curve, when, seconds) {
        const { gain } = this.fade;
        const { sampleRate, currentTime } = this.context;
        gain.cancelScheduledValues(0);
        if (!curve) {
            gain.value = 1;
            return;
        }
        // Line by line, which is what a value curve is: Firefox takes no curve back that has begun.
        const start = Math.max(when / sampleRate, currentTime);
        const step = Math.max(seconds, 0.001) / (curve.length - 1);
        gain.setValueAtTime(curve[0], start);
        for (let i = 1; i < curve.length; i++) gain.linearRampToValueAtTime(curve[i], start + i * step);
    }

    /** Sets the level, softly where it is heard already. */
    setLevel(factor, isHeard) {
        const { gain } = this.level;
        if (isHeard) {
            gain.setTargetAtTime(factor, this.context.currentTime, 0.05);
        } else {
            gain.cancelScheduledValues(0);
            gain.value = factor;
        }
    }

    close() {
        // The last milliseconds are still to be heard.
        setTimeout(() => this.level.disconnect(), 100);
    }
}
