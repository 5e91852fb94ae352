import { h } from './dom.js';
import { textButton } from './buttons.js';
import { toast } from './toast.js';
import { inSentence, t } from '../../texts/text.js';

/**
 * Creates a read-only field with a button that copies its text.
 * @param {string} label
 * @param {string} value
 * @returns {HTMLElement}
 */
export function copiedField(label, value) {
    const id = `copied-${label.toLowerCase().replaceAll(' ', '-')}`;
    const input = /** @type {HTMLInputElement} */ (h('input.field', {
        type: 'text',
        id,
        value,
        readonly: true,
        spellcheck: 'false',
        autocomplete: 'off',
        onfocus: () => input.select(),
    }));
    const copy = async () => {
        input.select();
        // The clipboard's interface exists on encrypted pages only.
        const isCopied = navigator.clipboard
            ? await navigator.clipboard.writeText(value).then(() => true, () => false)
            : document.execCommand('copy');
        toast(isCopied ? t('{label} copied', { label }) : t('Select the text and copy it.'));
    };
    return h(
        'div.copied-field',
        null,
        h('label', { for: id }, label),
        h('div.row', null, input, textButton(t('Copy'), copy, { 'aria-label': t('Copy {label}', { label: inSentence(label) }) })),
    );
}
