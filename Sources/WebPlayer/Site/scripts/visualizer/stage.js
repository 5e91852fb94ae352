/** More pixels than this a CSS pixel, and in all, nobody sees in a moving picture. */
const DENSITY_LIMIT = 2;
const MOST_PIXELS = 1_400_000;

/**
 * A canvas that has as many pixels as it is shown with, and knows whether it is seen at all.
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
    /** Themes that are chosen are marked on the root. */
    #themes = new MutationObserver(this.#visibility);
    #probe;

    /** @param {HTMLCanvasElement} canvas */
    constructor(canvas) {
        super();
        this.#canvas = canvas;
        this.context = canvas.getContext('2d');
        const probe = document.createElement('canvas');
        probe.width = probe.height = 1;
        this.#probe = probe.getContext('2d', { willReadFrequently: true });
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
        this.#themes.observe(document.documentElement, { attributeFilter: ['class', 'data-theme', 'style'] });
    }

    /** Leaves the canvas alone. */
    close() {
        this.#sizes.disconnect();
        this.#sights.disconnect();
        document.removeEventListener('visibilitychange', this.#visibility);
        this.#scheme.removeEventListener('change', this.#visibility);
        this.#themes.disconnect();
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
        // Read from a pixel: CSS has many ways to write a colour.
        const probe = this.#probe;
        probe.clearRect(0, 0, 1, 1);
        probe.fillStyle = getComputedStyle(this.#canvas).color;
        probe.fillRect(0, 0, 1, 1);
        const [red, green, blue] = probe.getImageData(0, 0, 1, 1).data;
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 127 ? 'dark' : 'light';
    }

    /** How dense its pixels are, as a share of what could be: fewer are drawn faster. @param {number} share */
    set share(share) {
        this.#share = share;
        this.#fit();
    }

    /** Makes it empty. */
    clear() {
        this.context.clearRect(0, 0, this.width, this.height);
    }

    #fit() {
        const { clientWidth: width, clientHeight: height } = this.#canvas;
        const density = this.#share * Math.min(DENSITY_LIMIT, devicePixelRatio || 1, Math.sqrt(MOST_PIXELS / Math.max(1, width * height)));
        const [pixelWidth, pixelHeight] = [Math.round(width * density), Math.round(height * density)];
        this.width = width;
        this.height = height;
        if (this.#canvas.width === pixelWidth && this.#canvas.height === pixelHeight) return;
        this.#canvas.width = pixelWidth;
        this.#canvas.height = pixelHeight;
        this.context.setTransform(density, 0, 0, density, 0, 0);
    }
}
