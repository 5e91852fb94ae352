import { errorText } from '../../host/code-texts.js';
import { textButton } from '../../views/parts/buttons.js';
import { h } from '../../views/parts/dom.js';
import { rowList, settingsGroup } from '../../views/parts/setting-rows.js';
import { changeText, fixes } from './fix-text.js';
import { t } from '../../texts/text.js';

/** Maximum number of rows shown for a fix; the others are chosen together. */
const SHOWN = 200;

/**
 * The changes of a fix to a file.
 *
 * @typedef {{path: string, fix: string, changes: import('./fix-text.js').FixChange[], isChosen: boolean}} FixChoice
 */

/** The proposed changes by fix, each with a checkbox. */
export class FixChoices {
    element = h('div.manage-panel');
    #changed;
    /** @type {Map<string, {choices: FixChoice[], group: HTMLElement, list: HTMLElement, rest: HTMLElement}>} */
    #groups = new Map();

    /** @param {() => void} changed called when the choice has changed */
    constructor(changed) {
        this.#changed = changed;
    }

    clear() {
        this.#groups.clear();
        this.element.replaceChildren();
        this.#changed();
    }

    get #all() {
        return [...this.#groups.values()].flatMap(({ choices }) => choices);
    }

    /** Number of files with a proposed change. */
    get fileCount() {
        return new Set(this.#all.map(({ path }) => path)).size;
    }

    /** Number of files with a chosen change. */
    get chosenCount() {
        return new Set(this.#all.filter(({ isChosen }) => isChosen).map(({ path }) => path)).size;
    }

    /** The chosen files, grouped by the fixes chosen for them. @returns {{fixes: string[], paths: string[]}[]} */
    get chosen() {
        /** @type {Map<string, string[]>} */
        const fixesOf = new Map();
        for (const { path, fix, isChosen } of this.#all) {
            if (isChosen) fixesOf.set(path, [...(fixesOf.get(path) ?? []), fix]);
        }
        /** @type {Map<string, {fixes: string[], paths: string[]}>} */
        const groups = new Map();
        for (const [path, fixes] of fixesOf) {
            const group = groups.get(fixes.join()) ?? { fixes, paths: [] };
            group.paths.push(path);
            groups.set(fixes.join(), group);
        }
        return [...groups.values()];
    }

    /** Adds the results of a preview. @param {any[]} results */
    add(results) {
        for (const { relative_path: path, changes = [], error } of results) {
            if (error) {
                this.element.append(h('p.is-bad', null, `${path}: ${errorText(error)}`));
                continue;
            }
            for (const fix of new Set(changes.map((change) => change.fix))) {
                this.#addChoice({ path, fix, changes: changes.filter((change) => change.fix === fix), isChosen: true });
            }
        }
        this.#changed();
    }

    /** @param {FixChoice} choice */
    #addChoice(choice) {
        const group = this.#groups.get(choice.fix) ?? this.#addGroup(choice.fix);
        group.choices.push(choice);
        if (group.choices.length <= SHOWN) group.list.append(row(choice, this.#changed));
        else this.#showRest(group);
    }

    #addGroup(fix) {
        const label = fixes().find(([name]) => name === fix)?.[1] ?? fix;
        const list = rowList(label);
        const rest = h('div.setting', { hidden: true });
        const choose = (isChosen) => {
            for (const choice of made.choices) choice.isChosen = isChosen;
            for (const box of made.group.querySelectorAll('input')) box.checked = isChosen;
            this.#changed();
        };
        const made = {
            choices: /** @type {FixChoice[]} */ ([]),
            list,
            rest,
            group: settingsGroup(
                label,
                h(
                    'div.manage-actions.fix-actions',
                    null,
                    textButton(t('Select all'), () => choose(true), { 'aria-label': t('Select all: {label}', { label }) }),
                    textButton(t('Select none'), () => choose(false), { 'aria-label': t('Select none: {label}', { label }) }),
                ),
                list,
                rest,
            ),
        };
        this.#groups.set(fix, made);
        this.element.append(made.group);
        return made;
    }

    /** Shows how many changes have no row of their own; they are chosen together. */
    #showRest({ choices, rest }) {
        const others = choices.slice(SHOWN);
        const box = h('input', {
            type: 'checkbox',
            checked: others.every(({ isChosen }) => isChosen),
            onchange: (event) => {
                for (const choice of choices.slice(SHOWN)) choice.isChosen = event.currentTarget.checked;
                this.#changed();
            },
        });
        rest.hidden = false;
        rest.replaceChildren(
            h('label.check', null, box, t('and {count} more files, which are not shown', { count: others.length })),
        );
    }
}

/** Creates the row of a file. @param {FixChoice} choice @param {() => void} changed */
function row(choice, changed) {
    const box = h('input', {
        type: 'checkbox',
        checked: true,
        onchange: () => {
            choice.isChosen = box.checked;
            changed();
        },
    });
    const lines = choice.changes.map((change) => {
        const { label, before, after } = changeText(change);
        return h(
            'small.fix-change',
            null,
            `${label}: `,
            h('del', null, before || t('(none)')),
            ' → ',
            h('ins', null, after || t('(removed)')),
        );
    });
    return h(
        'div',
        { role: 'listitem' },
        h('label.setting.fix-row', null, box, h('div.setting-name', null, h('span', null, choice.path), lines)),
    );
}
