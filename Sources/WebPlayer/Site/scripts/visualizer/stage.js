/** More pixels than this a CSS pixel nobody sees in a moving picture. */
const DENSITY_LIMIT = 2;

/**
 * A canvas that has as many pixels as it is shown with, and knows whether it is seen at all.
 */
export class Stage extends EventTarget {
    width = 0;
    height = 0;
    #canvas;
    #densityLimit = DENSITY_LIMIT;
    #isOnScreen = true;
    #sizes;
    #sights;
    #visibility = () => this.dispatchEvent(new Event('visibility'));
    #scheme = matchMedia('(prefers-color-scheme: dark)');

    /** @param {HTMLCanvasElement} canvas */
    constructor(canvas) {
        super();
        this.#canvas = canvas;
        this.context = canvas.getContext('2d');
        this.#sizes = new ResizeObserver(() => {
            this.#fit();
            this.dispatchEvent(new Event('size'));
        });
        this.#sights = new IntersectionObserver(entries => {
            this.#isOnScreen = entries[entries.length - 1].isIntersecting;
            this.#visibility();
        });
    }

    /** Begins to look after the canvas. */
    open() {
        this.#fit();
        this.#sizes.observe(this.#canvas);
        this.#sights.observe(this.#canvas);
        document.addEventListener('visibilitychange', this.#visibility);
        this.#scheme.addEventListener('change', this.#visibility);
    }

    /** Leaves the canvas alone. */
    close() {
        this.#sizes.disconnect();
        this.#sights.disconnect();
        document.removeEventListener('visibilitychange', this.#visibility);
        this.#scheme.removeEventListener('change', this.#visibility);
    }

    /** Whether anybody can see it. */
    get isSeen() {
        return this.#isOnScreen && !document.hidden && this.width > 0 && this.height > 0;
    }

    /**
     * Whether it lies on dark or on light ground: told by the colour of the text that would be in it.
     *
     * @returns {'dark' | 'light'}
     */
    get ground() {
        const text = /rgba?\(([\d.]+),\s*([\d.]+),\s*([\d.]+)/.exec(getComputedStyle(this.#canvas).color);
        if (!text) return 'dark';
        return 0.2126 * Number(text[1]) + 0.7152 * Number(text[2]) + 0.0722 * Number(text[3]) > 127 ? 'dark' : 'light';
    }

    /** Most pixels of the canvas a CSS pixel: fewer are drawn faster. @param {number} limit */
    set densityLimit(limit) {
        this.#densityLimit = Math.min(DENSITY_LIMIT, limit);
        this.#fit();
    }

    /** Makes it empty. */
    clear() {
        this.context.clearRect(0, 0, this.width, this.height);
    }

    #fit() {
        const density = Math.min(this.#densityLimit, devicePixelRatio || 1);
        const { clientWidth: width, clientHeight: height } = this.#canvas;
        const [pixelWidth, pixelHeight] = [Math.round(width * density), Math.round(height * density)];
        this.width = width;
        this.height = height;
        if (this.#canvas.width === pixelWidth && this.#canvas.height === pixelHeight) return;
        this.#canvas.width = pixelWidth;
        this.#canvas.height = pixelHeight;
        this.context.setTransform(density, 0, 0, density, 0, 0);
    }
}
