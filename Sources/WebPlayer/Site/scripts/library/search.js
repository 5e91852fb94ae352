import { plain } from './track-text.js';

/** Maximum number of albums and of artists shown next to the songs. */
const FEW = 12;

/**
 * Finds tracks, albums and artists as the user types. Every word must occur in one of the item's texts, in any order.
 *
 * Prefix matches come first. When the query is extended, only the previous results are searched.
 */
export class Search {
    #catalogue;
    #last = { text: '', tracks: [], state: null };

    /** @param {import('./catalogue.js').Catalogue} catalogue */
    constructor(catalogue) {
        this.#catalogue = catalogue;
    }

    /** @param {string} typed */
    find(typed) {
        const text = plain(typed).trim();
        const words = text.split(/\s+/).filter(Boolean);
        if (!words.length) return { tracks: [], albums: [], artists: [] };
        const { albums, artists } = this.#catalogue;
        const has = words.length === 1 ? texts => texts.includes(words[0]) : texts => words.every(word => texts.includes(word));
        return {
            tracks: this.#tracks(text, has),
            albums: best(albums.filter(album => has(`${plain(album.title)}\n${plain(album.artist)}`)), text, album => album.title),
            artists: best(artists.filter(artist => has(plain(artist.name))), text, artist => artist.name),
        };
    }

    #tracks(text, has) {
        const { tracks, haystacks } = this.#catalogue;
        const last = this.#last;
        const isNarrower = last.state === tracks && last.text && text.startsWith(last.text);
        const found = [];
        if (isNarrower) {
            for (const index of last.tracks) if (has(haystacks[index])) found.push(index);
        } else {
            for (let index = 0; index < tracks.length; index++) if (has(haystacks[index])) found.push(index);
        }
        this.#last = { text, tracks: found, state: tracks };
        const first = [];
        const inTitle = [];
        const others = [];
        for (const index of found) {
            const at = haystacks[index].indexOf(text);
            const titleEnd = haystacks[index].indexOf('\n');
            (at === 0 ? first : at > 0 && at < titleEnd ? inTitle : others).push(tracks[index]);
        }
        return [...first, ...inTitle, ...others];
    }
}

function best(items, text, name) {
    const begins = item => (plain(name(item)).startsWith(text) ? 0 : 1);
    return items.sort((a, b) => begins(a) - begins(b)).slice(0, FEW);
}
