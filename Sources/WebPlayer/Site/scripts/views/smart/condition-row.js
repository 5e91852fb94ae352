import { h } from '../parts/dom.js';
import { iconButton } from '../parts/buttons.js';
import { hasValue, initialValue, operatorTexts, playlistField } from '../../library/smart-rules.js';
import { t } from '../../texts/text.js';

/** @typedef {import('../../library/smart-rules.js').Field} Field */

/**
 * The inputs of a condition.
 *
 * @param {import('../../library/smart-rules.js').Condition} condition changed by the inputs
 * @param {object} options
 * @param {Field[]} options.fields
 * @param {any[]} options.playlists that a condition may name
 * @param {string} options.problem what the host says is wrong; empty if nothing is
 * @param {() => void} options.changed called after a value has changed
 * @param {() => void} options.redraw called after the field or the operator has changed
 * @param {() => void} options.remove
 */
export function conditionRow(condition, { fields, playlists, problem, changed, redraw, remove }) {
    const field = fieldOf(condition, fields);
    const choose = (name) => {
        const wanted = fields.find((each) => each.name === name);
        if (!wanted) return;
        condition.field = wanted.name;
        if (!wanted.operators.includes(condition.operator)) [condition.operator] = wanted.operators;
        condition.value = initialValue(wanted, condition.operator);
        redraw();
    };
    const compare = (operator) => {
        const isSame = typeof initialValue(field, operator) === typeof condition.value &&
            Array.isArray(initialValue(field, operator)) === Array.isArray(condition.value) &&
            hasValue(operator) === hasValue(condition.operator) && isDays(operator) === isDays(condition.operator);
        condition.operator = operator;
        if (!isSame) condition.value = initialValue(field, operator);
        redraw();
    };
    const names = field.kind === 'flag' ? ['is'] : field.operators;
    return h(
        'div.rule',
        { role: 'group', 'aria-label': t('Condition on {field}', { field: field.label }) },
        select(t('Field'), fields.map((each) => [each.name, each.label]), field.name, choose, 'rule-field'),
        select(
            t('Comparison'),
            [...new Set([...names, condition.operator])].map((name) => [name, wordsOf(field, name)]),
            condition.operator,
            compare,
            'rule-operator',
        ),
        h('div.rule-value', null, valueInputs(condition, field, playlists, changed, problem)),
        iconButton('close', t('Remove the condition on {field}', { field: field.label }), remove),
        problem && h('p.rule-problem', { role: 'alert' }, problem),
    );
}

function wordsOf(field, operator) {
    if (field.kind === 'number' && operator === 'before') return operatorTexts().lt;
    if (field.kind === 'number' && operator === 'after') return operatorTexts().gt;
    return operatorTexts()[operator] ?? operator;
}

/** @returns {Field} also for a field that this host does not know */
function fieldOf(condition, fields) {
    if (condition.operator.endsWith('nPlaylist')) return playlistField();
    return fields.find(({ name }) => name === condition.field) ??
        { name: condition.field, label: condition.field, kind: 'text', unit: '', operators: [condition.operator] };
}

const isDays = (operator) => operator === 'inTheLast' || operator === 'notInTheLast';

function valueInputs(condition, field, playlists, changed, problem) {
    if (!hasValue(condition.operator)) return [];
    const put = (value) => {
        condition.value = value;
        changed();
    };
    if (field.kind === 'playlist') {
        const known = playlists.map((one) => [String(one.id), one.name]);
        const current = String(condition.value).replace(/^pl-/, '');
        const options = known.some(([id]) => id === current)
            ? known
            : [[current, current ? t('Playlist {id}', { id: current }) : t('Choose…')], ...known];
        return [select(t('Playlist'), options, current, put, 'rule-choice')];
    }
    if (field.kind === 'flag') return [select(field.label, [['true', t('Yes')], ['false', t('No')]], String(condition.value), put)];
    if (isDays(condition.operator)) return [input(field, 'number', condition.value, put, problem), h('span', null, t('days'))];
    const type = field.kind === 'text' ? 'text' : field.kind;
    if (condition.operator === 'inTheRange') {
        const value = Array.isArray(condition.value) ? condition.value : ['', ''];
        const part = (index) =>
            input(
                field,
                type,
                value[index],
                (text) => put(value.with(index, text)),
                problem,
                index ? t('{field} to', { field: field.label }) : t('{field} from', { field: field.label }),
            );
        return [
            part(0),
            h('span', null, t('and', { as: 'between two values' })),
            part(1),
            field.unit && h('span', null, field.unit),
        ];
    }
    // Several values, as files from elsewhere may have.
    if (Array.isArray(condition.value)) {
        const split = (text) => put(text.split(',').map((each) => each.trim()).filter(Boolean));
        return [input(field, 'text', condition.value.join(', '), split, problem)];
    }
    if (field.choices) {
        const options = field.choices.map((each) => [each, each]);
        const isKnown = field.choices.includes(condition.value);
        return [select(field.label, isKnown ? options : [[condition.value, condition.value], ...options], condition.value, put)];
    }
    return [input(field, type, condition.value, put, problem), field.unit && h('span', null, field.unit)];
}

function input(field, type, value, put, problem, label = field.label) {
    return h('input.field', {
        type,
        step: type === 'number' ? 'any' : null,
        value: value ?? '',
        'aria-label': label,
        'aria-invalid': problem ? 'true' : null,
        maxlength: type === 'text' ? '1000' : null,
        oninput: (event) => put(event.currentTarget.value),
    });
}

/** Creates a menu of options. @param {string[][]} options pairs of value and text @param {(value: string) => void} onchange */
export function select(label, options, value, onchange, className = '') {
    return h(
        `select.field${className ? `.${className}` : ''}`,
        { 'aria-label': label, onchange: (event) => onchange(event.currentTarget.value) },
        options.map(([name, text]) => h('option', { value: name, selected: name === value }, text)),
    );
}
