import { h } from './dom.js';
import { iconButton, textButton } from './buttons.js';
import { t } from '../../texts/text.js';

/**
 * Shows a modal sheet above the page.
 * @param {string} title
 * @param {(HTMLElement | string)[]} content
 * @param {{className?: string}} options
 * @returns {HTMLDialogElement} it dispatches 'close'
 */
export function showSheet(title, content, { className = '' } = {}) {
    const body = h('div.sheet-body', null, content);
    // The keyboard scrolls only what has the focus.
    if (!body.querySelector('a, button, input, select, textarea')) body.tabIndex = 0;
    const sheet = /** @type {HTMLDialogElement} */ (h(
        `dialog.sheet${className ? `.${className}` : ''}`,
        { 'aria-label': title },
        h('header', null, h('h2', null, title), iconButton('close', t('Close'), () => sheet.close())),
        body,
    ));
    sheet.addEventListener('click', (event) => {
        if (event.target === sheet) sheet.close();
    });
    sheet.addEventListener('close', () => sheet.remove());
    document.body.append(sheet);
    sheet.showModal();
    return sheet;
}

/** Asks for a text. @returns {Promise<string | null>} null if cancelled */
export function askText(title, { label, value = '', action = t('Save') }) {
    return new Promise((resolve) => {
        let answer = null;
        const input = h('input.field', {
            type: 'text',
            value,
            'aria-label': label,
            placeholder: label,
            maxlength: '200',
            required: true,
        });
        const form = h(
            'form.stack',
            {
                onsubmit: (event) => {
                    event.preventDefault();
                    answer = input.value.trim() || null;
                    sheet.close();
                },
            },
            input,
            h(
                'div.row.end',
                null,
                textButton(t('Cancel'), () => sheet.close()),
                h('button.text-button.is-main', { type: 'submit' }, action),
            ),
        );
        const sheet = showSheet(title, [form], { className: 'is-small' });
        sheet.addEventListener('close', () => resolve(answer));
        input.focus();
        input.select();
    });
}

/**
 * Asks for a new password, twice, since it is not shown.
 * @param {string} title
 * @param {{needsCurrent?: boolean}} options whether to ask for the current one, too
 * @returns {Promise<{password: string, current: string} | null>} null if cancelled
 */
export function askPassword(title, { needsCurrent = false } = {}) {
    return new Promise((resolve) => {
        let answer = null;
        const field = (
            label,
            autocomplete,
        ) => /** @type {HTMLInputElement} */ (h('input.field', {
            type: 'password',
            'aria-label': label,
            placeholder: label,
            required: true,
            autocomplete,
        }));
        const current = field(t('Current password'), 'current-password');
        const [first, second] = [field(t('New password'), 'new-password'), field(t('Repeat the new password'), 'new-password')];
        first.minLength = 8;
        const check = () => second.setCustomValidity(first.value === second.value ? '' : t('The passwords differ.'));
        for (const input of [first, second]) input.addEventListener('input', check);
        const form = h(
            'form.stack',
            {
                onsubmit: (event) => {
                    event.preventDefault();
                    answer = { password: first.value, current: current.value };
                    sheet.close();
                },
            },
            needsCurrent && current,
            first,
            second,
            h('p.page-text', null, t('At least 8 characters.')),
            h(
                'div.row.end',
                null,
                textButton(t('Cancel'), () => sheet.close()),
                h('button.text-button.is-main', { type: 'submit' }, t('Save')),
            ),
        );
        const sheet = showSheet(title, [form], { className: 'is-small' });
        sheet.addEventListener('close', () => resolve(answer));
        (needsCurrent ? current : first).focus();
    });
}

/** Asks for confirmation. @param {{kind?: string}} [options] style of the confirm button @returns {Promise<boolean>} */
export function confirmed(title, text, action, { kind = 'is-danger' } = {}) {
    return new Promise((resolve) => {
        let answer = false;
        const sheet = showSheet(title, [
            h('p', null, text),
            h(
                'div.row.end',
                null,
                textButton(t('Cancel'), () => sheet.close()),
                textButton(action, () => {
                    answer = true;
                    sheet.close();
                }, { kind }),
            ),
        ], { className: 'is-small' });
        sheet.addEventListener('close', () => resolve(answer));
    });
}
