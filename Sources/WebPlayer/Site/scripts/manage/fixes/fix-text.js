import { tagFields } from '../tags/tag-fields.js';
import { t } from '../../texts/text.js';

/** The fixes: name, label and explanation. */
export const fixes = () => [
    ['split_compilations', t('Split albums'), t('Gives all tracks of an album the same album artist, and marks compilations.')],
    ['missing_album_artist', t('Missing album artists'), t('Copies the album artist of the album’s other tracks.')],
    ['inconsistent_years', t('Inconsistent years'), t('Uses the year of most of the album’s tracks.')],
    ['trim_white_space', t('White space'), t('Trims spaces in text fields.')],
    ['mojibake', t('Garbled text'), t('Repairs text that was decoded with the wrong encoding, if the original is unambiguous.')],
    ['id3v1_to_id3v2', t('ID3v1 tags only'), t('Adds ID3v2.4 tags (FLAC: Vorbis comments) to files that have only ID3v1.')],
];

/** @typedef {{fix: string, field: string, before?: string, after?: string}} FixChange as in the API */

/** Makes white space at the ends of a text visible: ␣, and ⇥ for a tab. @param {string} text */
export function visibleEnds(text) {
    return text.replace(/^\s+|\s+$/g, (spaces) => [...spaces].map((each) => (each === '\t' ? '⇥' : '␣')).join(''));
}

/**
 * Describes a change for a person: the field, the former value and the new one; empty texts for no value.
 * @param {FixChange} change
 */
export function changeText({ field, before, after }) {
    if (field === 'is_compilation') {
        const name = (value) => (value === 'true' ? t('part of a compilation') : t('not part of a compilation'));
        return { label: t('Album'), before: name(before), after: name(after) };
    }
    const label = field === 'tags' ? t('Tag formats') : tagFields().find(({ name }) => name === field)?.label ?? field;
    return { label, before: visibleEnds(before ?? ''), after: visibleEnds(after ?? '') };
}
