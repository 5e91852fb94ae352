import { t } from '../texts/text.js';
import { listText } from '../views/parts/texts.js';
import { fixes as allFixes } from './fixes/fix-text.js';
import { tagFields } from './tags/tag-fields.js';

/** Names what an edit has changed. @param {import('./tags/edit-history.js').Edit} edit */
export function editText({ kind, fields, fixes }) {
    if (kind === 'fix') {
        const labels = allFixes().filter(([name]) => fixes.includes(name)).map(([, label]) => label);
        return t('Fixes: {list}', { list: listText(labels) });
    }
    const labels = tagFields().filter(({ name }) => fields.includes(name)).map(({ label }) => label);
    if (fields.includes('cover')) labels.push(t('Cover'));
    if (fields.includes('is_compilation')) labels.push(t('Compilation'));
    if (fields.some((name) => name.startsWith('replaygain_'))) labels.push('ReplayGain');
    if (fields.includes('bpm')) labels.push(t('Tempo'));
    if (fields.includes('initial_key')) labels.push(t('Key', { as: 'music' }));
    return labels.join(', ');
}
