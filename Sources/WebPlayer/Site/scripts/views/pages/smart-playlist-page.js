import { h } from '../parts/dom.js';
import { lengthText } from '../parts/texts.js';
import { textButton } from '../parts/buttons.js';
import { empty } from '../parts/empty.js';
import { drawChildren } from '../parts/redraw.js';
import { markBusy, placeholder } from '../parts/placeholder.js';
import { orToast } from '../parts/toast.js';
import { groupOf, newCondition, ruleAt, rulesOf } from '../../library/smart-rules.js';
import { select } from '../smart/condition-row.js';
import { ruleEditor } from '../smart/rule-editor.js';
import { page } from './page.js';
import { labelled } from '../../library/rule-fields.js';
import { t } from '../../texts/text.js';

/** @typedef {Pick<import('../../app.js').App, 'go' | 'playlists'>} Parts what this module uses of the page */

/** Milliseconds after the last change until the songs are counted. */
const PAUSE = 250;

/**
 * The page that creates or edits a smart playlist.
 * @param {Parts} app
 * @param {{id: string}} parameters `id` of the playlist, or `new`
 */
export function smartPlaylistPage(app, { id: text }) {
    const { playlists } = app;
    // New ones may start with the rules of a filter.
    const isNew = text.startsWith('new');
    const start = text.slice('new?'.length);
    const id = Number(text);
    const listeners = new AbortController();
    const title = isNew ? t('New smart playlist') : t('Edit rules');
    const { element, lead } = page(title, { className: 'smart' });
    const body = h('div.stack');
    element.append(body);
    lead.textContent = t('The songs of a smart playlist follow from rules.');
    const read = async () => {
        markBusy(element, true);
        drawChildren(body, [{ key: placeholder, make: () => placeholder('settings') }]);
        try {
            const [fields, found] = await Promise.all([playlists.fields(), isNew ? null : playlists.one(id)]);
            if (listeners.signal.aborted) return;
            if (found && !found.playlist.rules) throw new Error(t('This playlist has songs of its own instead of rules.'));
            const form = smartForm(app, {
                fields: labelled(fields),
                playlist: found?.playlist ?? null,
                start: isNew ? parsed(start) : null,
                signal: listeners.signal,
            });
            drawChildren(body, [{ key: 'form', make: () => form }]);
        } catch (error) {
            drawChildren(body, [{ key: 'failure', make: () => empty('smart', t('Could not load the rules'), error.message) }]);
        }
        markBusy(element, false);
    };
    read();
    return { element, title, close: () => listeners.abort() };
}

/** Returns the rules in an address; null if there are no valid ones. @param {string | undefined} text */
function parsed(text) {
    try {
        const rules = JSON.parse(text ?? '');
        return Array.isArray(rules?.all) ? { all: rules.all } : null;
    } catch {
        return null;
    }
}

/**
 * The form with name, rules, order and limit.
 * @param {Parts} app
 * @param {{fields: import('../../library/smart-rules.js').Field[], playlist: any, start: any, signal: AbortSignal}} options `start`: the rules of a new playlist
 */
function smartForm(app, { fields, playlist, start, signal }) {
    const { playlists } = app;
    const fieldNamed = (name) => fields.find((each) => each.name.toLowerCase() === String(name).toLowerCase());
    const rules = playlist?.rules ?? start ?? { all: [] };
    const root = groupOf(rules, fieldNamed);
    if (!root.rules.length) root.rules.push(newCondition(fields[0]));
    const name = h('input.field', {
        type: 'text',
        value: playlist?.name ?? '',
        placeholder: t('Name'),
        'aria-label': t('Name'),
        maxlength: '200',
        required: true,
    });
    const count = h('p.rule-count', { role: 'status' });
    const order = orderInputs(fields, rules, () => later());
    let timer = 0;
    let asking = new AbortController();
    const current = () => {
        const { rules, incomplete } = rulesOf(root, fieldNamed);
        return { rules: { ...rules, ...order.rules() }, incomplete };
    };
    const ask = async () => {
        asking.abort();
        asking = new AbortController();
        const { signal } = asking;
        const { rules, incomplete } = current();
        save.disabled = incomplete.length > 0 || !root.rules.length;
        if (save.disabled) {
            count.textContent = root.rules.length ? t('Fill in all values.') : t('Add a rule.');
            return;
        }
        try {
            const found = await playlists.count(rules, signal);
            if (signal.aborted) return;
            const songs = t('{count} songs', { count: found.track_count });
            count.textContent = found.track_count < found.matching_count
                ? t('{songs} of {number} that match', { songs, number: found.matching_count })
                : `${songs} · ${lengthText(found.duration_seconds)}`;
        } catch (error) {
            if (signal.aborted) return;
            show(error);
        }
    };
    const show = (error) => {
        if (error.field?.startsWith('rules.a')) {
            count.textContent = '';
            editor.show(ruleAt(root, error.field), error.message.replace(/^\S+: /, ''));
        } else count.textContent = error.message;
    };
    const later = () => {
        clearTimeout(timer);
        timer = setTimeout(ask, PAUSE);
    };
    const editor = ruleEditor(root, {
        fields,
        playlists: () => playlists.all.filter((one) => one.id !== playlist?.id),
        changed: later,
    });
    const save = h('button.text-button.is-main', { type: 'submit' }, playlist ? t('Save') : t('Create'));
    const store = async () => {
        const { rules } = current();
        const wanted = name.value.trim();
        try {
            const made = playlist
                ? await playlists.changeSmart(playlist.id, wanted, rules)
                : await playlists.makeSmart(wanted, rules);
            app.go(`/playlists/${playlist?.id ?? made.id}`);
        } catch (error) {
            if (error.field?.startsWith('rules')) show(error);
            else await orToast(() => Promise.reject(error));
        }
    };
    signal.addEventListener('abort', () => {
        clearTimeout(timer);
        asking.abort();
    });
    ask();
    return h(
        'form.smart-form',
        {
            onsubmit: (event) => {
                event.preventDefault();
                store();
            },
        },
        name,
        editor.element,
        order.element,
        h(
            'div.smart-end',
            null,
            count,
            textButton(t('Cancel'), () => app.go(playlist ? `/playlists/${playlist.id}` : '/playlists')),
            save,
        ),
    );
}

/** The inputs of order and limit. */
function orderInputs(fields, rules, changed) {
    const first = rules.sort ?? 'title';
    // An order by several fields, from a file, is kept as it is until another one is chosen.
    const single = first.match(/^([+-]?)([A-Za-z]+)$/);
    let sort = single ? fields.find(({ name }) => name.toLowerCase() === single[2].toLowerCase())?.name ?? single[2] : first;
    let isDescending = (single?.[1] === '-') !== (rules.order === 'desc');
    let unit = rules.limitPercent && !rules.limit ? 'limitPercent' : 'limit';
    const limit = h('input.field', {
        type: 'number',
        min: '1',
        step: '1',
        value: rules.limit ?? rules.limitPercent ?? '',
        placeholder: t('No limit'),
        'aria-label': t('Limit'),
        oninput: changed,
    });
    const options = fields.map(({ name, label }) => [name, label]);
    if (!options.some(([name]) => name === sort) && sort !== 'random') options.unshift([sort, sort]);
    const element = h(
        'div.smart-order',
        null,
        h('span', null, t('Sorted by')),
        select(t('Sort by'), [...options, ['random', t('Random, new each day')]], sort, (value) => {
            sort = value;
            changed();
        }),
        select(t('Direction'), [['asc', t('Ascending')], ['desc', t('Descending')]], isDescending ? 'desc' : 'asc', (value) => {
            isDescending = value === 'desc';
            changed();
        }),
        h('span', null, t('at most')),
        limit,
        select(t('Unit of the limit'), [['limit', t('songs')], ['limitPercent', t('percent')]], unit, (value) => {
            unit = value;
            changed();
        }),
    );
    return {
        element,
        rules: () => ({
            sort,
            ...(isDescending ? { order: 'desc' } : {}),
            ...(limit.value ? { [unit]: Number(limit.value) } : {}),
        }),
    };
}
