/**
 * Whether the full player is open; meanwhile, the mini player's visualizer is paused.
 *
 * Visualizers share a single instance. Events: 'change'.
 */
export class FullView extends EventTarget {
    /** @type {Set<object>} */
    #open = new Set();

    get isOpen() {
        return this.#open.size > 0;
    }

    /** @param {object} visualizer */
    opened(visualizer) {
        this.#open.add(visualizer);
        this.dispatchEvent(new Event('change'));
    }

    /** @param {object} visualizer */
    closed(visualizer) {
        if (this.#open.delete(visualizer)) this.dispatchEvent(new Event('change'));
    }
}

/** The shared instance. */
export const fullView = new FullView();
