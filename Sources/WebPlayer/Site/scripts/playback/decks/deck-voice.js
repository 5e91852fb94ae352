/** Duration of the fades at cuts, in seconds. */
const EDGE_SECONDS = 0.005;

/**
 * The audio nodes of a deck: consecutive buffers, through the fades at cuts, the fade of a transition and the track's level.
 * Times are whole samples of the context.
 */
export class DeckVoice {
    #isSoftened;

    /**
     * @param {BaseAudioContext} context
     * @param {AudioNode} output
     */
    constructor(context, output) {
        this.context = context;
        this.level = context.createGain();
        this.fade = context.createGain();
        /** The bass of a mix. Without a gain it changes nothing; to insert it later would be heard. */
        this.bass = new BiquadFilterNode(context, { type: 'lowshelf', frequency: 120, gain: 0 });
        this.fade.connect(this.bass).connect(this.level).connect(output);
        /** Scheduled buffers that have not finished. @type {{node: AudioBufferSourceNode, from: number, to: number}[]} */
        this.nodes = [];
        /** Fade node of the buffers scheduled now; null until `begin`. @type {GainNode} */
        this.edge = /** @type {any} */ (null);
        this.#isSoftened = false;
    }

    /** Starts at a time, at full level or with a fade-in of five milliseconds. */
    begin(when, isFaded) {
        this.edge = this.context.createGain();
        this.edge.connect(this.fade);
        this.#isSoftened = false;
        if (isFaded) this.#ramp(0, 1, when);
    }

    /**
     * Schedules samples.
     * @param {Float32Array[]} output one array per channel
     * @param {number} when start, in samples of the context
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

    /** Ends scheduled audio at a time, with a fade-out. */
    end(when) {
        const { sampleRate } = this.context;
        const end = when + Math.round(EDGE_SECONDS * sampleRate);
        this.#ramp(1, 0, when);
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

    /** Fades out before a time at which the audio runs out for lack of data; fades in again if more data has arrived. */
    softenEnd(isEnding, when) {
        if (isEnding === this.#isSoftened || !this.edge) return;
        this.#isSoftened = isEnding;
        if (isEnding) {
            this.#ramp(1, 0, when - Math.round(EDGE_SECONDS * this.context.sampleRate));
        } else {
            this.edge.gain.cancelScheduledValues(0);
            this.edge.gain.setTargetAtTime(1, this.context.currentTime, 0.002);
        }
    }

    #ramp(from, to, when) {
        const { gain } = this.edge;
        const start = Math.max(when / this.context.sampleRate, this.context.currentTime);
        gain.cancelScheduledValues(start);
        gain.setValueAtTime(from, start);
        gain.linearRampToValueAtTime(to, start + EDGE_SECONDS);
    }

    /**
     * Fades along a curve, replacing any previous fade.
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
        // As linear ramps, equivalent to a value curve: Firefox cannot cancel a curve that has begun.
        const start = Math.max(when / sampleRate, currentTime);
        const step = Math.max(seconds, 0.001) / (curve.length - 1);
        gain.setValueAtTime(curve[0], start);
        for (let i = 1; i < curve.length; i++) gain.linearRampToValueAtTime(curve[i], start + i * step);
    }

    /**
     * Changes the bass, replacing any previous change; null leaves it as it is in the file.
     * @param {{hertz: number, from: number, to: number, when: number, seconds: number} | null} change gains in dB, linear over
     *     `seconds` from `when` on
     */
    setBass(change) {
        const { gain, frequency } = this.bass;
        const { sampleRate, currentTime } = this.context;
        gain.cancelScheduledValues(0);
        if (!change) {
            gain.value = 0;
            return;
        }
        frequency.value = change.hertz;
        const begin = change.when / sampleRate;
        const start = Math.max(begin, currentTime);
        const share = change.seconds > 0 ? Math.min(1, (start - begin) / change.seconds) : 1;
        const value = change.from + (change.to - change.from) * share;
        gain.setValueAtTime(change.when > currentTime * sampleRate ? change.from : value, currentTime);
        gain.setValueAtTime(value, start);
        if (share < 1) gain.linearRampToValueAtTime(change.to, begin + change.seconds);
    }

    /** Sets the level: immediately, or over about `seconds` while the track is heard. */
    setLevel(factor, isHeard, seconds = 0.15) {
        const { gain } = this.level;
        if (isHeard) {
            // An exponential approach reaches 95 % after three time constants.
            gain.setTargetAtTime(factor, this.context.currentTime, seconds / 3);
        } else {
            gain.cancelScheduledValues(0);
            gain.value = factor;
        }
    }

    close() {
        // Let the last milliseconds play.
        setTimeout(() => this.level.disconnect(), 100);
    }
}
