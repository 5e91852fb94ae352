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
