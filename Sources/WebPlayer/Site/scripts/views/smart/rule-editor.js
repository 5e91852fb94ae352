import { h } from '../parts/dom.js';
import { iconButton, textButton } from '../parts/buttons.js';
import { newCondition, playlistField } from '../../library/smart-rules.js';
import { conditionRow, select } from './condition-row.js';
import { t } from '../../texts/text.js';

/** The deepest nesting of groups, as the host accepts it. */
const DEPTH = 8;

/**
 * Edits a group of rules in place.
 *
 * @param {import('../../library/smart-rules.js').Group} root
 * @param {object} options
 * @param {import('../../library/smart-rules.js').Field[]} options.fields
 * @param {() => any[]} options.playlists that conditions may name
 * @param {() => void} options.changed called after every change
 */
export function ruleEditor(root, { fields, playlists, changed }) {
    const element = h('div.rule-editor');
    const all = [...fields, playlistField()];
    /** @type {{rule: any, message: string}} */
    let problem = { rule: null, message: '' };
    const edited = () => {
        problem = { rule: null, message: '' };
        changed();
    };
    const redraw = (focus) => {
        edited();
        draw();
        focus?.();
    };
    /** Focuses the first input of a rule. */
    const focusOn = (rule) => () =>
        /** @type {HTMLElement | null} */ (element.querySelector(`[data-rule="${numbers.get(rule)}"] select`))?.focus();
    /** @type {Map<any, number>} */
    const numbers = new Map();
    const numbered = (rule, node) => {
        if (!numbers.has(rule)) numbers.set(rule, numbers.size);
        node.dataset.rule = String(numbers.get(rule));
        return node;
    };
    const group = (node, depth, remove) => {
        const add = (rule) => {
            node.rules.push(rule);
            redraw(focusOn(rule));
        };
        const condition = (rule, index) =>
            numbered(
                rule,
                conditionRow(rule, {
                    fields: all,
                    playlists: playlists(),
                    problem: problem.rule === rule ? problem.message : '',
                    changed: edited,
                    redraw: () => redraw(focusOn(rule)),
                    remove: () => removeAt(index),
                }),
            );
        const removeAt = (index) => {
            node.rules.splice(index, 1);
            redraw(focusOn(node.rules[Math.min(index, node.rules.length - 1)] ?? node));
        };
        return numbered(
            node,
            h(
                'fieldset.rule-group',
                { 'aria-label': depth === 1 ? t('Rules') : t('Group of rules') },
                h(
                    'div.rule-head',
                    null,
                    select(
                        t('Songs match'),
                        [['all', t('All of these rules')], ['any', t('Any of these rules')]],
                        node.match,
                        (match) => {
                            node.match = match;
                            edited();
                        },
                    ),
                    remove && iconButton('close', t('Remove the group'), remove),
                ),
                node.rules.map((rule, index) =>
                    rule.kind === 'group' ? group(rule, depth + 1, () => removeAt(index)) : condition(rule, index)
                ),
                problem.rule === node && h('p.rule-problem', { role: 'alert' }, problem.message),
                h(
                    'div.rule-actions',
                    null,
                    textButton(t('Add a rule'), () => add(newCondition(fields[0])), { name: 'plus' }),
                    depth < DEPTH && textButton(t('Add a group'), () =>
                        add({
                            kind: 'group',
                            match: node.match === 'all' ? 'any' : 'all',
                            rules: [newCondition(fields[0])],
                        }), { name: 'plus' }),
                ),
            ),
        );
    };
    const draw = () => element.replaceChildren(group(root, 1, null));
    draw();
    return {
        element,
        /** Shows what is wrong with a rule. */
        show: (rule, message) => {
            if (problem.rule === rule && problem.message === message) return;
            const focused = /** @type {HTMLElement | null} */ (document.activeElement);
            // The focused input stays: it is being typed in.
            const place = focused ? [...element.querySelectorAll('select, input, button')].indexOf(focused) : -1;
            const selection = focused instanceof HTMLInputElement && focused.type === 'text' ? focused.selectionStart : null;
            problem = { rule, message };
            draw();
            const again = element.querySelectorAll('select, input, button')[place];
            if (again instanceof HTMLElement) again.focus();
            if (selection !== null && again instanceof HTMLInputElement) again.setSelectionRange(selection, selection);
        },
    };
}
