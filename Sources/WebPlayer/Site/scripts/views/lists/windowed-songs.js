/**
 * The list of songs of a large library that a view shows: the same one until the view asks for another.
 */
export class WindowedSongs {
    #catalogue;
    #changed;
    #key = '';
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
        const key = JSON.stringify([selection, column]);
        if (!this.#list || key !== this.#key) {
            this.close();
            this.#listeners = new AbortController();
            this.#key = key;
            this.#list = this.#catalogue.songs(selection, column);
            this.#list.addEventListener('length', () => this.#changed(), { signal: this.#listeners.signal });
        }
        // After changes of the library, it is read again.
        this.#list.ready().catch(() => {});
        return this.#list;
    }

    close() {
        this.#listeners.abort();
    }
}
