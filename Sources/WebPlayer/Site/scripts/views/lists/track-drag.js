import { h } from '../parts/dom.js';
import { titleOf } from '../../library/track-text.js';
import { t } from '../../texts/text.js';

/** The type of dragged tracks. Its data is never read: the tracks stay in this page. */
const TYPE = 'application/x-tracks';

/** The tracks that are being dragged. @type {any[]} */
let dragged = [];

/**
 * Lets rows be dragged to the elements that `takeTracks` has prepared.
 * @param {HTMLElement} element around the rows, which have the attribute `draggable`
 * @param {(event: DragEvent) => any[]} tracksOf the tracks that are dragged
 */
export function dragTracks(element, tracksOf) {
    element.addEventListener('dragstart', (event) => {
        const tracks = tracksOf(event);
        if (!tracks.length || !event.dataTransfer) return;
        dragged = tracks;
        event.dataTransfer.setData(TYPE, String(tracks.length));
        event.dataTransfer.effectAllowed = 'copy';
        const image = h(
            'div.drag-image',
            null,
            tracks.length === 1 ? titleOf(tracks[0]) : t('{count} songs', { count: tracks.length }),
        );
        document.body.append(image);
        event.dataTransfer.setDragImage(image, -12, -8);
        // Browsers end a drag whose surroundings change while it starts.
        setTimeout(() => {
            image.remove();
            document.body.classList.toggle('is-dragging-tracks', dragged.length > 0);
        });
        // A row that has left the page meanwhile gets no event: then the drag ends with the next press.
        for (const type of ['dragend', 'pointerdown']) addEventListener(type, end, { once: true });
    });
}

function end() {
    dragged = [];
    document.body.classList.remove('is-dragging-tracks');
}

/**
 * Lets dragged tracks be dropped on an element.
 * @param {HTMLElement} element
 * @param {(tracks: any[]) => void} take
 * @param {AbortSignal} [signal] removes it
 */
export function takeTracks(element, take, signal) {
    const isMeant = (/** @type {DragEvent} */ event) => dragged.length > 0 && event.dataTransfer?.types.includes(TYPE);
    const over = (/** @type {DragEvent} */ event) => {
        if (!isMeant(event)) return;
        event.preventDefault();
        if (event.dataTransfer) event.dataTransfer.dropEffect = 'copy';
        element.classList.add('is-drop');
    };
    element.classList.add('takes-tracks');
    element.addEventListener('dragenter', over, { signal });
    element.addEventListener('dragover', over, { signal });
    element.addEventListener('dragleave', (event) => {
        if (!(event.relatedTarget instanceof Node && element.contains(event.relatedTarget))) element.classList.remove('is-drop');
    }, { signal });
    element.addEventListener('drop', (event) => {
        element.classList.remove('is-drop');
        if (!isMeant(event)) return;
        event.preventDefault();
        const tracks = dragged;
        end();
        take(tracks);
    }, { signal });
}
