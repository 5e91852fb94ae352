import { plain } from './track-text.js';

/** The texts in which a search finds tracks. They are computed once per track. */
export class SearchTexts {
    /** Texts of the tracks of the last list. @type {Map<any, string>} */
    #texts = new Map();
    /** @type {{tracks: any[], texts: string[]}} */
    #last = { tracks: [], texts: [] };

    /** Returns the texts of tracks in their order. @param {any[]} tracks @returns {string[]} */
    of(tracks) {
        if (tracks === this.#last.tracks) return this.#last.texts;
        const known = this.#texts;
        const texts = tracks.map((track) => known.get(track) ?? searched(track));
        this.#texts = new Map(tracks.map((track, index) => [track, texts[index]]));
        this.#last = { tracks, texts };
        return texts;
    }
}

function searched(track) {
    return `${plain(track.title || track.relative_path)}\n${plain(track.artist)}\n${plain(track.album)}\n${
        plain(track.album_artist)
    }\n${plain(track.composer)}`;
}
