import { t } from '../texts/text.js';

/**
 * A field that rules can compare, as the host lists it.
 * @typedef {{name: string, label: string, kind: 'text' | 'number' | 'flag' | 'date' | 'playlist', unit: string, choices?: string[], operators: string[]}} Field
 *
 * Rules as the host and Navidrome's `.nsp` files have them.
 * @typedef {{all?: any[], any?: any[], sort?: string, order?: string, limit?: number, limitPercent?: number}} Rules
 *
 * A condition that is edited; `value` is what its inputs have: texts, or two of them.
 * @typedef {{kind: 'condition', field: string, operator: string, value: any}} Condition
 *
 * A group of rules that is edited.
 * @typedef {{kind: 'group', match: 'all' | 'any', rules: (Condition | Group)[]}} Group
 */

/** The pseudo field of conditions about other playlists. @returns {Field} */
export const playlistField = () => ({
    name: 'id',
    label: t('Playlist'),
    kind: /** @type {const} */ ('playlist'),
    unit: '',
    operators: ['inPlaylist', 'notInPlaylist'],
});

/** Operators in words. @returns {Record<string, string>} */
export const operatorTexts = () => ({
    is: t('is'),
    isNot: t('is not'),
    gt: t('is greater than'),
    lt: t('is less than'),
    contains: t('contains'),
    notContains: t('does not contain'),
    startsWith: t('starts with'),
    endsWith: t('ends with'),
    inTheRange: t('is between'),
    before: t('is before'),
    after: t('is on or after'),
    inTheLast: t('is in the last'),
    notInTheLast: t('is not in the last'),
    inPlaylist: t('is'),
    notInPlaylist: t('is not'),
    isMissing: t('has no value'),
    isPresent: t('has a value'),
});

/** Operators without a value to enter. */
const WITHOUT_VALUE = new Set(['isMissing', 'isPresent']);

/** Whether a condition needs a value. @param {string} operator */
export const hasValue = (operator) => !WITHOUT_VALUE.has(operator);

/**
 * Returns a new condition with the first operator of a field.
 * @param {Field} field
 * @returns {Condition}
 */
export function newCondition(field) {
    const [operator] = field.operators;
    return { kind: 'condition', field: field.name, operator, value: initialValue(field, operator) };
}

/** Returns the value of a new condition. @param {Field} field @param {string} operator */
export function initialValue(field, operator) {
    if (!hasValue(operator) || field.kind === 'flag') return true;
    if (operator === 'inTheRange') return ['', ''];
    if (operator === 'inTheLast' || operator === 'notInTheLast') return '30';
    return field.choices?.[0] ?? '';
}

/**
 * Returns the group of a rule set, for editing.
 * @param {Rules} rules @param {(name: string) => Field | undefined} fieldNamed
 * @returns {Group}
 */
export function groupOf(rules, fieldNamed) {
    const match = rules.any ? 'any' : 'all';
    return {
        kind: 'group',
        match,
        rules: (rules[match] ?? []).flatMap((rule) =>
            Object.entries(rule).map(([name, content]) => {
                if (name === 'all' || name === 'any') return groupOf({ [name]: content }, fieldNamed);
                const [field, value] = Object.entries(content)[0];
                const known = name.endsWith('nPlaylist') ? playlistField() : fieldNamed(field);
                return {
                    kind: /** @type {const} */ ('condition'),
                    field: known?.name ?? field,
                    operator: name,
                    value: Array.isArray(value) ? value.map(String) : typeof value === 'number' ? String(value) : value,
                };
            })
        ),
    };
}

/**
 * Returns the rules of a group, and the conditions whose value is not complete.
 * @param {Group} group @param {(name: string) => Field | undefined} fieldNamed
 * @returns {{rules: Rules, incomplete: Condition[]}}
 */
export function rulesOf(group, fieldNamed) {
    const incomplete = [];
    const write = (each) => {
        if (each.kind === 'group') return { [each.match]: each.rules.map(write) };
        const field = each.operator.endsWith('nPlaylist') ? playlistField() : fieldNamed(each.field);
        const value = written(each, field);
        if (value === null) incomplete.push(each);
        return { [each.operator]: { [each.field]: value } };
    };
    return { rules: write(group), incomplete };
}

/** Returns the value of a condition as JSON; null if it is not complete. */
function written({ operator, value }, field) {
    if (!hasValue(operator)) return true;
    if (field?.kind === 'flag') return value === true || value === 'true';
    const isNumber = field?.kind === 'number' || operator === 'inTheLast' || operator === 'notInTheLast';
    const one = (text) => {
        const plain = String(text).trim();
        if (plain === '') return null;
        if (!isNumber) return field?.kind === 'playlist' ? plain : String(text);
        return Number.isFinite(Number(plain)) ? Number(plain) : null;
    };
    if (!Array.isArray(value)) return one(value);
    const all = value.map(one);
    return all.includes(null) || !all.length ? null : all;
}

/**
 * Returns the rule at a place that the host names in an error, such as `rules.any[1].all[0].gt.bpm`.
 * @param {Group} group @param {string} place
 * @returns {Condition | Group}
 */
export function ruleAt(group, place) {
    /** @type {Condition | Group} */
    let found = group;
    for (const [, index] of place.matchAll(/(?:all|any)\[(\d+)\]/g)) {
        if (found.kind !== 'group') break;
        found = found.rules[Number(index)] ?? found;
    }
    return found;
}
