/** Diacritics, which sorting ignores. Vowel signs of Indic scripts are combining marks too, but are kept as letters. */
const ACCENTS = /[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\u3099-\u309a\ufe20-\ufe2f]/g;
/** Letters without a Unicode decomposition, and typographic punctuation. */
const LETTERS = {
    ß: 'ss',
    æ: 'ae',
    œ: 'oe',
    ø: 'o',
    đ: 'd',
    ð: 'd',
    þ: 'th',
    ł: 'l',
    ħ: 'h',
    ı: 'i',
    ŋ: 'n',
    ŧ: 't',
    '\u2019': "'",
    '\u2018': "'",
    '\u201c': '"',
    '\u201d': '"',
    '\u2013': '-',
    '\u2014': '-',
    '\u2010': '-',
    '\u2011': '-',
};
const WHITE = /\p{White_Space}/u;

/**
 * Returns the host's sort key of a name, so that changed items are inserted where the host's lists have them. Case and diacritics
 * are ignored; numbers are compared by value.
 * @param {string | undefined} name
 */
export function sortKey(name) {
    let key = '';
    let digits = '';
    let isSpacePending = false;
    const flush = () => {
        if (!digits) return;
        const value = digits.replace(/^0+/, '');
        // Longer numbers are larger: prefix the digit count, itself encoded in digits so that numbers still sort before letters.
        const count = Math.min(Math.max(1, value.length), 999);
        key += (count < 10 ? String(count - 1) : `9${count < 100 ? '0' : ''}${count}`) + (value || '0');
        digits = '';
    };
    for (const character of folded(name ?? '')) {
        if (WHITE.test(character)) {
            isSpacePending = true;
            continue;
        }
        const isDigit = character >= '0' && character <= '9';
        if (!isDigit || isSpacePending) flush();
        if (isSpacePending && key) key += ' ';
        isSpacePending = false;
        if (isDigit) digits += character;
        else key += character;
    }
    flush();
    return key;
}

/** Returns the sort key of a track: of its title, or of its file name if it has none. */
export function trackKey(track) {
    return sortKey(track.title ?? track.relative_path.split('/').pop().replace(/\.(mp3|flac|opus|ogg|oga)$/i, ''));
}

/** Compares keys by their UTF-8 bytes, which is code point order. */
export function compareKeys(a, b) {
    const length = Math.min(a.length, b.length);
    for (let index = 0; index < length; index++) {
        const [one, other] = [a.charCodeAt(index), b.charCodeAt(index)];
        if (one !== other) return place(one) - place(other);
    }
    return a.length - b.length;
}

/** Maps UTF-16 code units so that they sort in code point order: surrogates are not the largest units. */
function place(unit) {
    return unit >= 0xe000 ? unit - 0x800 : unit >= 0xd800 ? unit + 0x2000 : unit;
}

function folded(name) {
    if (/^[\0-\x7f]*$/.test(name)) return name.toLowerCase();
    // Letter by letter, so that no letter depends on its position in the word (as the Greek sigma does).
    const small = Array.from(name, (character) => character.toLowerCase()).join('');
    return Array.from(small.normalize('NFKD').replace(ACCENTS, ''), (character) => LETTERS[character] ?? character).join('');
}
