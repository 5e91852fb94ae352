import { orToast, toast } from '../../views/parts/toast.js';
import { t } from '../../texts/text.js';

/**
 * Undoes an edit, and reports the result.
 * @param {import('./edit-history.js').EditHistory} history
 * @param {import('./edit-history.js').Edit} edit
 */
export async function undoEdit(history, edit) {
    const result = await orToast(() => history.undo(edit));
    if (!result) return;
    const { restored, failed } = result;
    toast(
        failed === 0
            ? t('{count} files restored', { count: restored })
            : t('{count} files restored, {failed} failed; see Manage, Trash', { count: restored, failed }),
    );
}

/**
 * Reports an edit, and offers to undo it.
 * @param {import('./edit-history.js').EditHistory} history
 * @param {string} text
 * @param {import('./edit-history.js').Edit | null} edit null if nothing can be undone
 */
export function offerUndo(history, text, edit) {
    toast(text, edit ? { label: t('Undo'), action: () => undoEdit(history, edit) } : undefined);
}
