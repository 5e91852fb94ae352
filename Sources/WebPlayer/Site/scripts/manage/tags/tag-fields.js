import { t } from '../../texts/text.js';

/** Editable fields, in the order of the form. */
export const tagFields = () => [
    { name: 'title', label: t('Title'), isSingle: true },
    { name: 'artist', label: t('Artist') },
    { name: 'album', label: t('Album') },
    { name: 'album_artist', label: t('Album artist') },
    { name: 'track_number', label: t('Track', { as: 'number' }), isNumber: true, isSingle: true },
    { name: 'track_total', label: t('Tracks', { as: 'number' }), isNumber: true },
    { name: 'disc_number', label: t('Disc'), isNumber: true },
    { name: 'disc_total', label: t('Discs'), isNumber: true },
    { name: 'year', label: t('Year'), isNumber: true },
    { name: 'genre', label: t('Genre') },
    { name: 'composer', label: t('Composer') },
    { name: 'comment', label: t('Comment'), isLong: true },
];

/**
 * Returns the values that several files have in common, and the different ones, empty for files without a value.
 *
 * @param {Record<string, any>[]} files
 * @returns {Record<string, {value: string, isMixed: boolean, values: string[]}>}
 */
export function commonValues(files) {
    /** @type {Record<string, {value: string, isMixed: boolean, values: string[]}>} */
    const common = {};
    for (const { name } of tagFields()) {
        const values = [...new Set(files.map((file) => String(file[name] ?? '')))];
        common[name] = values.length === 1 ? { value: values[0], isMixed: false, values } : { value: '', isMixed: true, values };
    }
    return common;
}

/**
 * Returns the changes made in a form: edited fields whose value differs. Emptied fields become null, which removes them.
 *
 * @param {Record<string, {value: string, isMixed: boolean}>} before
 * @param {Record<string, string>} now values of the edited fields
 * @returns {{changes: Record<string, string | number | null>, wrong: string | null}} `wrong` names a field that must be a number
 */
export function changesOf(before, now) {
    /** @type {Record<string, string | number | null>} */
    const changes = {};
    for (const [name, text] of Object.entries(now)) {
        const field = tagFields().find((each) => each.name === name);
        const value = field?.isLong ? text : text.trim();
        if (!field || (!before[name].isMixed && value === before[name].value)) continue;
        if (value === '') {
            changes[name] = null;
        } else if (field.isNumber) {
            if (!/^\d{1,5}$/.test(value)) return { changes: {}, wrong: name };
            changes[name] = Number(value);
        } else {
            changes[name] = value;
        }
    }
    return { changes, wrong: null };
}
