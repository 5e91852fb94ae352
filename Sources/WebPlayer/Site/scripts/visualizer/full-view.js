/**
 * Whether the full player is open: the mini player's visualizer rests for so long.
 *
 * One for the page; visualizers tell it and ask it.
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

/** The page's. */
export const fullView = new FullView();
