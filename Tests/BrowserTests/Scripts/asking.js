// Helpers that are prepended to each script of checks of the real page.

// The page's own files nearly fill the usual record of requests.
performance.setResourceTimingBufferSize(5000);

/** Polls until a condition holds: the page has no events for the outside. */
async function until(what, condition, seconds = 200) {
    const end = performance.now() + seconds * 1000;
    for (;;) {
        const value = await condition();
        if (value) return value;
        if (performance.now() > end) {
            const state = [location.hash, document.readyState, document.documentElement.dataset.ready ? 'started' : 'not started'];
            throw new Error(
                `timed out waiting for: ${what}; the page: ${state.join(', ')}: ${document.body?.innerText.slice(0, 200)}`,
            );
        }
        await new Promise((resolve) => setTimeout(resolve, 50));
    }
}

const one = (selector) => document.querySelector(selector);
const all = (selector) => [...document.querySelectorAll(selector)];

/** The number of queued stars. Plays are queued, too, if a song that an earlier check has started goes on. */
const waitingStars = () =>
    JSON.parse(localStorage.getItem('listening.waiting') ?? '[]').filter(({ action }) => action === 'star').length;

/** Signs in with a key, if the page asks for one, and waits for the library. */
async function signIn(key) {
    const shown = await until('the page', () => one('#connect-key') ?? one('.shell'));
    if (shown.id === 'connect-key') {
        shown.value = key;
        shown.form.requestSubmit();
    }
    await until('the library', () => one('.shell'));
}

/** Connects an analyser to everything that is played, for `heard`. */
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

/** Waits for audible output, and returns its peak. */
const heard = () =>
    until('sound', () => {
        let peak = 0;
        for (const analyser of window.tapped ?? []) {
            const samples = new Float32Array(analyser.fftSize);
            analyser.getFloatTimeDomainData(samples);
            for (const sample of samples) peak = Math.max(peak, Math.abs(sample));
        }
        return peak > 0.01 ? peak : 0;
    });
