import { h } from '../parts/dom.js';
import { textButton } from '../parts/buttons.js';
import { KEYS, noFilter, passing, rulesOfFilter } from '../../library/track-filter.js';
import { t } from '../../texts/text.js';

/** @typedef {import('../../library/track-filter.js').TrackFilter} TrackFilter */

/**
 * Inputs that narrow a list of tracks, hidden until the filter button is pressed.
 *
 * @param {object} options
 * @param {() => string[]} options.genres none while they are not known
 * @param {(id: number) => number} options.ratingOf
 * @param {() => void} options.changed
 * @param {(filter: TrackFilter) => void} options.save makes a smart playlist of it
 */
export function filterBar({ genres, ratingOf, changed, save }) {
    let filter = noFilter();
    /** @param {keyof TrackFilter} name @param {any} value */
    const put = (name, value) => {
        filter = { ...filter, [name]: value };
        end.hidden = !passing(filter, ratingOf);
        changed();
    };
    /** @param {keyof TrackFilter} name */
    const number = (name, label, placeholder) =>
        h('input.field', {
            type: 'number',
            min: '0',
            'aria-label': label,
            placeholder,
            oninput: (event) => put(name, event.currentTarget.value),
        });
    /** @param {keyof TrackFilter} name @param {string[][]} options pairs of value and text */
    const menu = (name, label, options) =>
        h(
            'select.field',
            { 'aria-label': label, onchange: (event) => put(name, event.currentTarget.value) },
            options.map(([value, text]) => h('option', { value }, text)),
        );
    const near = h('input', {
        type: 'checkbox',
        checked: true,
        onchange: (event) => put('withNeighbours', event.currentTarget.checked),
    });
    const end = h(
        'div.row',
        { hidden: true },
        textButton(t('Clear filter'), () => clear(), { name: 'close' }),
        textButton(t('Save as smart playlist'), () => save(filter), { name: 'smart' }),
    );
    const inputs = h('div.filter-inputs');
    const genreOptions = () => [['', t('All genres')], ...genres().map((name) => [name, name])];
    const draw = () =>
        inputs.replaceChildren(
            menu('genre', t('Genre'), genreOptions()),
            h(
                'div.filter-range',
                null,
                number('yearFrom', t('Year from'), t('Year from')),
                number('yearTo', t('Year to'), t('to', { as: 'end of a range' })),
            ),
            h(
                'div.filter-range',
                null,
                number('bpmFrom', t('Tempo from'), t('BPM from')),
                number('bpmTo', t('Tempo to'), t('to', { as: 'end of a range' })),
            ),
            menu('key', t('Key', { as: 'music' }), [['', t('All keys')], ...KEYS.map((key) => [key, key])]),
            h('label.check', null, near, t('and matching keys')),
            menu('rating', t('Rating'), [
                ['', t('Any rating')],
                ...[1, 2, 3, 4, 5].map((stars) => [String(stars), t('{stars} or more', { stars: '★'.repeat(stars) })]),
            ]),
            h(
                'label.check',
                null,
                h('input', { type: 'checkbox', onchange: (event) => put('damagedFrames', event.currentTarget.checked) }),
                t('Damaged files only'),
            ),
            end,
        );
    const clear = () => {
        filter = noFilter();
        near.checked = true;
        end.hidden = true;
        draw();
        changed();
    };
    const element = h('div.filter-bar', { role: 'group', 'aria-label': t('Filter'), hidden: true }, inputs);
    const button = textButton(t('Filter'), () => {
        element.hidden = !element.hidden;
        button.setAttribute('aria-expanded', String(!element.hidden));
        if (element.hidden) clear();
        else {
            draw();
            /** @type {HTMLElement | null} */ (inputs.querySelector('select'))?.focus();
        }
    }, { name: 'filter', 'aria-expanded': 'false' });
    return {
        element,
        button,
        /** Shows the genres once they are known. */
        update: () => {
            const select = /** @type {HTMLSelectElement | null} */ (inputs.querySelector('select'));
            if (!select || select.options.length > 1) return;
            select.append(...genreOptions().slice(1).map(([value, text]) => h('option', { value }, text)));
        },
        /** The rules that the tracks meet; null if nothing is filtered. */
        get rules() {
            return passing(filter, ratingOf) ? rulesOfFilter(filter) : null;
        },
        /** The tracks that pass. @param {any[]} tracks */
        apply: (tracks) => {
            const test = passing(filter, ratingOf);
            return test ? tracks.filter(test) : tracks;
        },
    };
}
