/** Maximum pixel density and number of pixels: more are not noticeable in a moving picture. */
const DENSITY_LIMIT = 2;
const MOST_PIXELS = 1_400_000;

/**
 * A canvas whose resolution matches its displayed size, and which knows whether it is visible.
 */
export class Stage extends EventTarget {
    width = 0;
    height = 0;
    #canvas;
    #share = 1;
    #isOnScreen = true;
    #sizes;
    #sights;
    #visibility = () => this.dispatchEvent(new Event('visibility'));
    #scheme = matchMedia('(prefers-color-scheme: dark)');
    /** A chosen theme is set on the root element. */
    #themes = new MutationObserver(this.#visibility);
    #probe;

    /** @param {HTMLCanvasElement} canvas */
    constructor(canvas) {
        super();
        this.#canvas = canvas;
        this.context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
        const probe = document.createElement('canvas');
        probe.width = probe.height = 1;
        this.#probe = /** @type {CanvasRenderingContext2D} */ (probe.getContext('2d', { willReadFrequently: true }));
        this.#sizes = new ResizeObserver(() => {
            this.#fit();
            this.dispatchEvent(new Event('size'));
        });
        this.#sights = new IntersectionObserver((entries) => {
            this.#isOnScreen = entries[entries.length - 1].isIntersecting;
            this.#visibility();
        });
    }

    /** Starts observing the canvas. */
    open() {
        this.#fit();
        this.#sizes.observe(this.#canvas);
        this.#sights.observe(this.#canvas);
        document.addEventListener('visibilitychange', this.#visibility);
        this.#scheme.addEventListener('change', this.#visibility);
        this.#themes.observe(document.documentElement, { attributeFilter: ['class', 'data-theme', 'style'] });
    }

    /** Stops observing the canvas. */
    close() {
        this.#sizes.disconnect();
        this.#sights.disconnect();
        document.removeEventListener('visibilitychange', this.#visibility);
        this.#scheme.removeEventListener('change', this.#visibility);
        this.#themes.disconnect();
    }

    /** Whether the canvas is visible. */
    get isSeen() {
        return this.#isOnScreen && !document.hidden && this.width > 0 && this.height > 0;
    }

    /**
     * The brightness of the background, derived from the text colour.
     *
     * @returns {'dark' | 'light'}
     */
    get ground() {
        // Read from a pixel, because CSS has many notations for a colour.
        const probe = this.#probe;
        probe.clearRect(0, 0, 1, 1);
        probe.fillStyle = getComputedStyle(this.#canvas).color;
        probe.fillRect(0, 0, 1, 1);
        const [red, green, blue] = probe.getImageData(0, 0, 1, 1).data;
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 127 ? 'dark' : 'light';
    }

    /** Share of the full pixel density; less is faster to draw. @param {number} share */
    set share(share) {
        this.#share = share;
        this.#fit();
    }

    /** Clears the canvas. */
    clear() {
        this.context.clearRect(0, 0, this.width, this.height);
    }

    #fit() {
        const { clientWidth: width, clientHeight: height } = this.#canvas;
        const density = this.#share *
            Math.min(DENSITY_LIMIT, devicePixelRatio || 1, Math.sqrt(MOST_PIXELS / Math.max(1, width * height)));
        const [pixelWidth, pixelHeight] = [Math.round(width * density), Math.round(height * density)];
        this.width = width;
        this.height = height;
        if (this.#canvas.width === pixelWidth && this.#canvas.height === pixelHeight) return;
        this.#canvas.width = pixelWidth;
        this.#canvas.height = pixelHeight;
        this.context.setTransform(density, 0, 0, density, 0, 0);
    }
}
