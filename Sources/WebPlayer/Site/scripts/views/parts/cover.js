import { h } from './dom.js';
import { plain } from '../../library/track-text.js';

/** Hues of covers that there are none of: the same for an album each time. */
function hueOf(text) {
    let hash = 7;
    for (const letter of text) hash = (hash * 31 + letter.codePointAt(0)) >>> 0;
    return hash % 12;
}

/** A cover, or a stand-in with the first letter while there is none; of one thing after another. */
export class CoverView {
    #covers;
    #pixels;
    #letter = document.createTextNode('');
    #thing = null;
    #image = null;

    /**
     * @param {import('../../library/covers.js').Covers} covers
     * @param {number} size pixels that it is shown at, at most
     * @param {string} [className]
     */
    constructor(covers, size, className = '') {
        this.#covers = covers;
        this.#pixels = [64, 128, 256, 512, 1024].find(step => step >= size * Math.min(devicePixelRatio || 1, 2)) ?? 1024;
        this.element = h(`div.cover${className ? `.${className}` : ''}`, { 'aria-hidden': 'true' }, h('span', null, this.#letter));
    }

    /**
     * @param {{cover_url?: string, title?: string, album?: string, name?: string, artist?: string} | null} thing
     * @param {boolean} [isHurried] whether the picture may wait for `finish`
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

    /** Shows the picture, as soon as it is there. */
    finish() {
        const thing = this.#thing;
        if (!thing?.cover_url || this.#image) return;
        const known = this.#covers.known(thing.cover_url, this.#pixels);
        if (known !== undefined) {
            this.#picture(known, false);
            return;
        }
        // A row that was scrolled past before its turn is not worth a request. It gets its place in the page only after this.
        const isWanted = () => this.#thing?.cover_url === thing.cover_url && this.element.isConnected;
        this.#covers.get(thing.cover_url, this.#pixels, isWanted).then(url => {
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

/** A cover of one thing. */
export function cover(covers, thing, size, className) {
    const view = new CoverView(covers, size, className);
    view.show(thing);
    return view.element;
}
