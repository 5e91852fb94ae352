/** Fewest letters of a word in which a typo is allowed: shorter words differ from too many others by one letter. The host's search has the same rules. */
const SHORTEST = 5;
const LONGEST = 40;
/** The most corrections of a word. */
const LIMIT = 50;
const LETTERS = /^\p{L}+$/u;

/** Returns the words of texts that a mistyped word may mean. @param {string[]} texts as they are searched */
export function vocabulary(texts) {
    const words = new Set();
    for (const text of texts) {
        for (const word of text.split(/[^\p{L}]+/u)) if (word.length >= SHORTEST - 1 && word.length <= LONGEST) words.add(word);
    }
    return words;
}

/** Whether a typo is allowed in a word. @param {string} word */
export function allowsTypo(word) {
    return word.length >= SHORTEST && word.length <= LONGEST && LETTERS.test(word);
}

/** Returns the words, or starts of words, that differ from a word by exactly one typo. @param {string} word @param {Set<string>} words @returns {string[]} */
export function corrections(word, words) {
    const found = new Set();
    for (const candidate of words) {
        const length = matchingLength(word, candidate);
        if (length) found.add(candidate.slice(0, length));
        if (found.size === LIMIT) break;
    }
    return [...found];
}

/**
 * Compares a word with the start of a candidate. A typo is one letter too many, one too few, a wrong one, or two neighbours in the wrong order. One in the
 * word's last letter counts only if the candidate ends there.
 *
 * @param {string} word @param {string} candidate
 * @returns {number} how many of the candidate's letters match with one typo; 0 if it takes none or more than one
 */
export function matchingLength(word, candidate) {
    const count = word.length;
    const length = candidate.length;
    if (length < count - 1) return 0;
    let place = 0;
    while (place < count && place < length && word[place] === candidate[place]) place++;
    if (place === length) return place === count - 1 ? length : 0;
    if (place === count) return 0;
    const continues = (own, other) => candidate.startsWith(word.slice(own), other);
    if (place === count - 1) return length === count ? count : continues(place, place + 1) ? count + 1 : 0;
    if (word[place] === candidate[place + 1] && word[place + 1] === candidate[place] && continues(place + 2, place + 2)) {
        return count;
    }
    if (continues(place + 1, place + 1)) return count;
    if (continues(place, place + 1)) return count + 1;
    return continues(place + 1, place) ? count - 1 : 0;
}
