import { plain } from './track-text.js';
import { allowsTypo, corrections, vocabulary } from './typos.js';

/** Maximum number of albums and of artists shown next to the songs. */
const FEW = 12;
/** Below this number of matching tracks, words may have a typo. */
const FEW_MATCHES = 10;

/**
 * Finds tracks, albums and artists as the user types. Every word must occur in one of the item's texts, in any order.
 *
 * Prefix matches come first. When the query is extended, only the previous results are searched. If few tracks match, words of five letters or more may have
 * a typo; exact matches come first.
 */
export class Search {
    #catalogue;
    /** @type {{text: string, tracks: number[], state: any[] | null}} */
    #last = { text: '', tracks: [], state: null };
    /** @type {{state: any[] | null, all: Set<string>}} */
    #words = { state: null, all: new Set() };

    /** @param {import('./catalogue.js').Catalogue} catalogue */
    constructor(catalogue) {
        this.#catalogue = catalogue;
    }

    /**
     * Finds albums and artists of a large library, whose songs are not here: the host finds them.
     * @param {import('../host/host-client.js').Client} client @param {string} typed @param {AbortSignal} signal
     */
    async namesFrom(client, typed, signal) {
        const { albumById, artistById } = this.#catalogue;
        const query = { q: typed, limit: FEW };
        const read = async (path, known) =>
            (await client.json(path, { query, signal })).items.map((item) => known.get(item.id) ?? item);
        const [albums, artists] = await Promise.all([read('/api/albums', albumById), read('/api/artists', artistById)]);
        return { albums, artists };
    }

    /** @param {string} typed */
    find(typed) {
        const text = plain(typed).trim();
        const words = text.split(/\s+/).filter(Boolean);
        if (!words.length) return { tracks: [], albums: [], artists: [] };
        const has = words.length === 1
            ? (texts) => texts.includes(words[0])
            : (texts) => words.every((word) => texts.includes(word));
        const exact = this.#matches(text, has, this.#tracks(text, has));
        if (exact.tracks.length >= FEW_MATCHES || !words.some(allowsTypo)) return exact;
        const hasLike = this.#withTypos(words);
        if (!hasLike) return exact;
        const { tracks, haystacks } = this.#catalogue;
        const like = this.#matches(text, hasLike, tracks.filter((_, index) => hasLike(haystacks[index])));
        return {
            tracks: joined(exact.tracks, like.tracks),
            albums: joined(exact.albums, like.albums).slice(0, FEW),
            artists: joined(exact.artists, like.artists).slice(0, FEW),
        };
    }

    #matches(text, has, tracks) {
        const { albums, artists } = this.#catalogue;
        return {
            tracks,
            albums: best(
                albums.filter((album) => has(`${plain(album.title)}\n${plain(album.artist)}`)),
                text,
                (album) => album.title,
            ),
            artists: best(artists.filter((artist) => has(plain(artist.name))), text, (artist) => artist.name),
        };
    }

    /** Returns a test for texts that contain all words, with at most one typo in each long one; null if the library has no words like these. */
    #withTypos(words) {
        const { tracks, haystacks } = this.#catalogue;
        if (this.#words.state !== tracks) this.#words = { state: tracks, all: vocabulary(haystacks) };
        const forms = words.map((word) =>
            allowsTypo(word) ? corrections(word, this.#words.all).map((form) => new RegExp(`(?<!\\p{L})${form}`, 'u')) : []
        );
        if (forms.every((each) => !each.length)) return null;
        return (texts) => words.every((word, index) => texts.includes(word) || forms[index].some((form) => form.test(texts)));
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

/** Returns the items of two lists once, those of the first list first. */
function joined(first, second) {
    return [...new Set([...first, ...second])];
}

function best(items, text, name) {
    const begins = (item) => (plain(name(item)).startsWith(text) ? 0 : 1);
    return items.sort((a, b) => begins(a) - begins(b)).slice(0, FEW);
}
