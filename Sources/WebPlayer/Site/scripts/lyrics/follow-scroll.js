const KEYS = new Set(['ArrowUp', 'ArrowDown', 'PageUp', 'PageDown', 'Home', 'End', ' ']);

/**
 * Keeps a line in the middle of a scrolling element until the user scrolls.
 *
 * Events: 'change', when following starts or stops.
 */
export class FollowScroll extends EventTarget {
    #element;
    #isFollowing = true;
    #stillness = matchMedia('(prefers-reduced-motion: reduce)');
    #listeners = new AbortController();

    /** @param {HTMLElement} element the scrolling element */
    constructor(element) {
        super();
        this.#element = element;
        const { signal } = this.#listeners;
        const pause = () => {
            this.isFollowing = false;
        };
        element.addEventListener('wheel', pause, { signal, passive: true });
        element.addEventListener('touchmove', pause, { signal, passive: true });
        element.addEventListener('keydown', (event) => {
            if (KEYS.has(event.key) && event.target === element) pause();
        }, { signal });
        // A press outside the lines is on the scroll bar.
        element.addEventListener('pointerdown', (event) => {
            if (event.target === element) pause();
        }, { signal });
    }

    get isFollowing() {
        return this.#isFollowing;
    }

    set isFollowing(value) {
        if (value === this.#isFollowing) return;
        this.#isFollowing = value;
        this.dispatchEvent(new Event('change'));
    }

    /** Scrolls a line to the middle if following. @param {HTMLElement} line @param {boolean} [atOnce] without animation */
    show(line, atOnce = false) {
        if (!this.#isFollowing) return;
        const box = this.#element.getBoundingClientRect();
        const its = line.getBoundingClientRect();
        const top = this.#element.scrollTop + its.top - box.top - box.height * 0.4 + its.height / 2;
        this.#element.scrollTo({
            top,
            behavior: /** @type {ScrollBehavior} */ (atOnce || this.#stillness.matches ? 'instant' : 'smooth'),
        });
    }

    close() {
        this.#listeners.abort();
    }
}
