import { h } from './dom.js';
import { plain } from '../../library/track-text.js';

/** Returns the hue of a placeholder, from 0 to 11; always the same for the same text. */
function hueOf(text) {
    let hash = 7;
    for (const letter of text) hash = (hash * 31 + letter.codePointAt(0)) >>> 0;
    return hash % 12;
}

/** A cover, or a placeholder with the first letter until it is loaded. It can show one item after another. */
export class CoverView {
    #covers;
    #pixels;
    #letter = document.createTextNode('');
    /** @type {{cover_url?: string, title?: string, album?: string} | null} */
    #thing = null;
    /** @type {HTMLImageElement | null} */
    #image = null;

    /**
     * @param {import('../../library/covers.js').Covers} covers
     * @param {number} size maximum displayed size in pixels
     * @param {string} [className]
     */
    constructor(covers, size, className = '') {
        this.#covers = covers;
        this.#pixels = [64, 128, 256, 512, 1024].find((step) => step >= size * Math.min(devicePixelRatio || 1, 2)) ?? 1024;
        this.element = h(`div.cover${className ? `.${className}` : ''}`, { 'aria-hidden': 'true' }, h('span', null, this.#letter));
    }

    /**
     * @param {{cover_url?: string, title?: string, album?: string, name?: string, artist?: string} | null} thing
     * @param {boolean} [isHurried] whether to leave the image to `finish`
     */
    show(thing, isHurried = false) {
        const name = thing?.album || thing?.title || thing?.name || '';
        const isOther = this.#thing?.cover_url !== thing?.cover_url;
        this.#thing = thing;
        this.element.dataset.hue = String(hueOf(name + (thing?.artist ?? '')));
        this.#letter.data = [...plain(name).trim()][0]?.toUpperCase() ?? '♪';
        if (isOther) {
            this.#image?.remove();
            this.#image = null;
        }
        if (!isHurried) this.finish();
    }

    /** Shows the image as soon as it is available. */
    finish() {
        const thing = this.#thing;
        if (!thing?.cover_url || this.#image) return;
        const known = this.#covers.known(thing.cover_url, this.#pixels);
        if (known !== undefined) {
            this.#picture(known, false);
            return;
        }
        // A row scrolled past before its turn is not worth a request. The element is added to the page only after this call.
        const isWanted = () => this.#thing?.cover_url === thing.cover_url && this.element.isConnected;
        this.#covers.get(thing.cover_url, this.#pixels, isWanted).then((url) => {
            if (isWanted() && !this.#image) this.#picture(url, true);
        });
    }

    #picture(url, isNew) {
        if (!url) return;
        const image = h('img', { alt: '', draggable: 'false' });
        image.decoding = 'async';
        if (isNew) image.className = 'is-new';
        image.addEventListener('error', () => image.remove());
        image.src = url;
        this.#image = image;
        this.element.append(image);
    }
}

/** Creates a cover for one item. */
export function cover(covers, thing, size, className) {
    const view = new CoverView(covers, size, className);
    view.show(thing);
    return view.element;
}
