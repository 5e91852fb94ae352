import { h } from './dom.js';
import { plain } from '../../library/track-text.js';

/** Hues of covers that there are none of: the same for an album each time. */
function hueOf(text) {
    let hash = 7;
    for (const letter of text) hash = (hash * 31 + letter.codePointAt(0)) >>> 0;
    return hash % 12;
}

/**
 * A cover, or a stand-in with the first letter while there is none.
 *
 * @param {import('../../library/covers.js').Covers} covers
 * @param {{cover_url?: string, title?: string, album?: string, name?: string, artist?: string} | null} thing
 * @param {number} size pixels that it is shown at, at most
 * @param {string} [className]
 */
export function cover(covers, thing, size, className = '') {
    const name = thing?.album || thing?.title || thing?.name || '';
    const element = h(`div.cover${className ? `.${className}` : ''}`, { 'data-hue': hueOf(name + (thing?.artist ?? '')), 'aria-hidden': 'true' },
        h('span', null, [...plain(name).trim()][0]?.toUpperCase() ?? '♪'));
    if (!thing?.cover_url) return element;
    const pixels = [64, 128, 256, 512, 1024].find(step => step >= size * Math.min(devicePixelRatio || 1, 2)) ?? 1024;
    const show = (url, isNew) => {
        if (!url) return;
        const image = h('img', { alt: '', draggable: 'false' });
        image.decoding = 'async';
        if (isNew) image.className = 'is-new';
        image.addEventListener('error', () => image.remove());
        image.src = url;
        element.append(image);
    };
    const known = covers.known(thing.cover_url, pixels);
    if (known !== undefined) show(known, false);
    else {
        // A row that was scrolled past before its turn is not worth a request. It gets its place in the page only after this.
        covers.get(thing.cover_url, pixels, () => element.isConnected).then(url => show(url, true));
    }
    return element;
}
