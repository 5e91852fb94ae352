import { h } from '../parts/dom.js';
import { t } from '../../texts/text.js';

/** Number of hues; groups beyond them share one. */
const HUES = 12;
/** Largest magnification. */
const CLOSEST = 24;
/** Distance in CSS pixels within which a pointer hits a point. */
const REACH = 14;
/** Movement in CSS pixels that makes a press a drag. */
const DRAG = 5;
/** Number of points from which on they are drawn translucently. */
const DENSE = 4000;
/** Space around the points in CSS pixels. */
const MARGIN = 28;

/**
 * A map of points in a canvas: glowing dots, coloured by group, that can be magnified, moved and clicked.
 */
export class SoundMap {
    #canvas = h('canvas.map-canvas', {
        tabindex: '0',
        role: 'img',
        'aria-label': t('Map of all songs. Use search to find a song; the map can only be used with a pointer.'),
    });
    #pick;
    #point;
    /** @type {{track_ids: number[], x: number[], y: number[], groups: number[]}} */
    #places = { track_ids: [], x: [], y: [], groups: [] };
    /** @type {Uint8Array} */
    #hues = new Uint8Array(0);
    #current = -1;
    #pointed = -1;
    /** The view: magnification, and the point of the map in its centre. */
    #scale = 1;
    #centre = { x: 0.5, y: 0.5 };
    /** Pointers that are down, by their id. @type {Map<number, {x: number, y: number}>} */
    #pointers = new Map();
    #dragged = 0;
    #frame = 0;
    #observer = new ResizeObserver(() => this.#later());
    #theme = new MutationObserver(() => this.#later());
    #scheme = matchMedia('(prefers-color-scheme: dark)');
    #listeners = new AbortController();

    /** @param {{pick: (id: number) => void, point: (id: number) => void}} options called for a click and for the point under the pointer */
    constructor({ pick, point }) {
        this.#pick = pick;
        this.#point = point;
        this.#observer.observe(this.#canvas);
        const { signal } = this.#listeners;
        const on = (type, handler) => this.#canvas.addEventListener(type, handler, { signal, passive: false });
        on('wheel', (event) => this.#wheel(event));
        on('pointerdown', (event) => this.#down(event));
        on('pointermove', (event) => this.#move(event));
        on('pointerup', (event) => this.#up(event));
        on('pointercancel', (event) => this.#pointers.delete(event.pointerId));
        on('pointerleave', () => this.#pointAt(-1));
        on('dblclick', (event) => event.preventDefault());
        this.#scheme.addEventListener('change', () => this.#later(), { signal });
        // The theme is an attribute of the page.
        this.#theme.observe(document.documentElement, { attributes: true });
    }

    get element() {
        return this.#canvas;
    }

    /** Shows points. @param {{track_ids: number[], x: number[], y: number[], groups: number[]}} places the largest group is 0 */
    show(places) {
        this.#places = places;
        // The largest groups get hues of their own.
        this.#hues = Uint8Array.from(places.groups, (group) => group % HUES);
        this.#later();
    }

    /** Marks the song that plays. @param {number | undefined} id */
    mark(id) {
        this.#current = id === undefined ? -1 : this.#places.track_ids.indexOf(id);
        this.#later();
    }

    close() {
        this.#listeners.abort();
        this.#observer.disconnect();
        this.#theme.disconnect();
        cancelAnimationFrame(this.#frame);
    }

    // ---- Drawing

    #later() {
        cancelAnimationFrame(this.#frame);
        this.#frame = requestAnimationFrame(() => this.#draw());
    }

    #size() {
        return { width: this.#canvas.clientWidth, height: this.#canvas.clientHeight };
    }

    /** Returns the place of a point in CSS pixels. @param {number} index */
    #placeOf(index, { width, height } = this.#size()) {
        return {
            x: width / 2 + (this.#places.x[index] - this.#centre.x) * (width - 2 * MARGIN) * this.#scale,
            y: height / 2 + (this.#places.y[index] - this.#centre.y) * (height - 2 * MARGIN) * this.#scale,
        };
    }

    #draw() {
        const size = this.#size();
        const ratio = devicePixelRatio || 1;
        const canvas = /** @type {HTMLCanvasElement} */ (this.#canvas);
        canvas.width = Math.round(size.width * ratio);
        canvas.height = Math.round(size.height * ratio);
        const context = canvas.getContext('2d');
        if (!context || !size.width) return;
        const style = getComputedStyle(canvas);
        const isDark = isLight(style.color);
        context.scale(ratio, ratio);
        const count = this.#places.track_ids.length;
        const radius = Math.max(1.6, Math.min(5, 60 / Math.sqrt(count + 1))) * Math.min(2.2, Math.sqrt(this.#scale));
        const sprites = Array.from({ length: HUES }, (_, hue) => sprite(hue * (360 / HUES), radius, ratio, isDark));
        context.globalCompositeOperation = isDark ? 'lighter' : 'multiply';
        const half = sprites[0].width / ratio / 2;
        // Many points on top of each other would have no colour.
        context.globalAlpha = Math.min(1, Math.max(0.08, (DENSE / (count + 1)) * this.#scale));
        for (let index = 0; index < count; index++) {
            const { x, y } = this.#placeOf(index, size);
            if (x < -half || y < -half || x > size.width + half || y > size.height + half) continue;
            context.drawImage(sprites[this.#hues[index]], x - half, y - half, 2 * half, 2 * half);
        }
        context.globalCompositeOperation = 'source-over';
        context.globalAlpha = 1;
        const text = style.color;
        if (this.#current >= 0) this.#ring(context, this.#placeOf(this.#current, size), radius + 5, text, 2.5);
        if (this.#pointed >= 0) this.#ring(context, this.#placeOf(this.#pointed, size), radius + 3, text, 1.5);
    }

    #ring(context, { x, y }, radius, colour, width) {
        context.beginPath();
        context.arc(x, y, radius, 0, 2 * Math.PI);
        context.lineWidth = width;
        context.strokeStyle = colour;
        context.stroke();
    }

    // ---- Pointer

    /** @param {MouseEvent} event */
    #at(event) {
        const box = this.#canvas.getBoundingClientRect();
        return { x: event.clientX - box.left, y: event.clientY - box.top };
    }

    #nearest(at) {
        const size = this.#size();
        let best = -1;
        let least = REACH * REACH;
        for (let index = 0; index < this.#places.track_ids.length; index++) {
            const { x, y } = this.#placeOf(index, size);
            const square = (x - at.x) ** 2 + (y - at.y) ** 2;
            if (square < least) [best, least] = [index, square];
        }
        return best;
    }

    #pointAt(index) {
        if (index === this.#pointed) return;
        this.#pointed = index;
        this.#canvas.style.cursor = index < 0 ? '' : 'pointer';
        this.#point(this.#places.track_ids[index]);
        this.#later();
    }

    /** Magnifies around a place. */
    #zoom(factor, at) {
        const { width, height } = this.#size();
        const before = this.#scale;
        this.#scale = Math.min(CLOSEST, Math.max(1, before * factor));
        const share = 1 / before - 1 / this.#scale;
        this.#pan((at.x - width / 2) * share * this.#scale, (at.y - height / 2) * share * this.#scale);
    }

    /** Moves the view by CSS pixels. */
    #pan(x, y) {
        const { width, height } = this.#size();
        const edge = 0.5 / this.#scale;
        const within = (value) => Math.min(1 - edge, Math.max(edge, value));
        this.#centre.x = within(this.#centre.x + x / ((width - 2 * MARGIN) * this.#scale));
        this.#centre.y = within(this.#centre.y + y / ((height - 2 * MARGIN) * this.#scale));
        this.#later();
    }

    #wheel(event) {
        event.preventDefault();
        this.#zoom(Math.exp(-event.deltaY / 300), this.#at(event));
    }

    #down(event) {
        this.#canvas.setPointerCapture(event.pointerId);
        this.#pointers.set(event.pointerId, this.#at(event));
        if (this.#pointers.size === 1) this.#dragged = 0;
    }

    #move(event) {
        const at = this.#at(event);
        const before = this.#pointers.get(event.pointerId);
        if (!before) return this.#pointAt(this.#nearest(at));
        this.#pointers.set(event.pointerId, at);
        this.#dragged += Math.hypot(at.x - before.x, at.y - before.y);
        const other = [...this.#pointers].find(([id]) => id !== event.pointerId)?.[1];
        if (other) {
            const factor = Math.hypot(at.x - other.x, at.y - other.y) /
                Math.max(1, Math.hypot(before.x - other.x, before.y - other.y));
            this.#zoom(factor, { x: (at.x + other.x) / 2, y: (at.y + other.y) / 2 });
        } else if (this.#dragged > DRAG) this.#pan(before.x - at.x, before.y - at.y);
    }

    #up(event) {
        this.#pointers.delete(event.pointerId);
        if (this.#dragged > DRAG || this.#pointers.size) return;
        const index = this.#nearest(this.#at(event));
        this.#pointAt(index);
        if (index >= 0) this.#pick(this.#places.track_ids[index]);
    }
}

/** Whether a colour is light: text is, on a dark page. @param {string} colour as computed by the browser */
function isLight(colour) {
    const [red, green, blue] = colour.match(/[\d.]+/g)?.map(Number) ?? [255, 255, 255];
    return red + green + blue > 382;
}

/** Draws a glowing dot once, to be copied for each point. */
function sprite(hue, radius, ratio, isDark) {
    const size = Math.ceil(radius * 6 * ratio);
    const canvas = document.createElement('canvas');
    canvas.width = size;
    canvas.height = size;
    const context = canvas.getContext('2d');
    if (!context) return canvas;
    const centre = size / 2;
    const glow = context.createRadialGradient(centre, centre, 0, centre, centre, centre);
    const colour = (lightness, alpha) => `hsl(${hue} 85% ${lightness}% / ${alpha})`;
    glow.addColorStop(0, colour(isDark ? 72 : 48, 0.95));
    glow.addColorStop(0.3, colour(isDark ? 60 : 55, 0.85));
    glow.addColorStop(0.38, colour(isDark ? 55 : 62, 0.22));
    glow.addColorStop(1, colour(50, 0));
    context.fillStyle = glow;
    context.fillRect(0, 0, size, size);
    return canvas;
}
