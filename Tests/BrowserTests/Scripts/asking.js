// How checks of the real page look at it: put before each of them.

/** Waits until something is so: the page tells nobody from outside. */
async function until(what, condition, seconds = 90) {
    const end = performance.now() + seconds * 1000;
    for (;;) {
        const value = await condition();
        if (value) return value;
        if (performance.now() > end) throw new Error(`never: ${what}`);
        await new Promise(resolve => setTimeout(resolve, 50));
    }
}

const one = selector => document.querySelector(selector);
const all = selector => [...document.querySelectorAll(selector)];

/** All that goes to the loudspeaker is measured too. */
function tap() {
    if (window.tapped) return;
    window.tapped = [];
    const connect = AudioNode.prototype.connect;
    AudioNode.prototype.connect = function (target, ...rest) {
        if (target instanceof AudioDestinationNode && !(this.context instanceof OfflineAudioContext)) {
            const analyser = this.context.createAnalyser();
            connect.call(this, analyser);
            window.tapped.push(analyser);
        }
        return connect.call(this, target, ...rest);
    };
}

/** The highest sample that is heard within the next moments. */
const heard = () => until('sound', () => {
    let peak = 0;
    for (const analyser of window.tapped ?? []) {
        const samples = new Float32Array(analyser.fftSize);
        analyser.getFloatTimeDomainData(samples);
        for (const sample of samples) peak = Math.max(peak, Math.abs(sample));
    }
    return peak > 0.01 ? peak : 0;
});
