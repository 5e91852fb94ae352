/**
 * The list of songs of a large library that a view shows: the same one until the view asks for another.
 */
export class WindowedSongs {
    #catalogue;
    #changed;
    /** @type {import('../../library/host-tracks.js').HostTracks | null} */
    #list = null;
    #listeners = new AbortController();

    /**
     * @param {import('../../library/catalogue.js').Catalogue} catalogue
     * @param {() => void} changed called when the number of songs has become known or has changed
     */
    constructor(catalogue, changed) {
        this.#catalogue = catalogue;
        this.#changed = changed;
    }

    /**
     * Returns a list, whose number of songs is read.
     * @param {import('../../library/large-library.js').Selection} selection
     * @param {string} [column] to sort by, descending with a minus
     */
    show(selection, column) {
        const list = this.#catalogue.songs(selection, column);
        if (list !== this.#list) {
            this.close();
            this.#listeners = new AbortController();
            this.#list = list;
            list.addEventListener('length', () => this.#changed(), { signal: this.#listeners.signal });
        }
        // After changes of the library, it is read again.
        list.ready().catch(() => {});
        return list;
    }

    close() {
        this.#listeners.abort();
    }
}
