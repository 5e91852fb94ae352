import { orToast, toast } from '../../views/parts/toast.js';
import { t } from '../../texts/text.js';

/**
 * Undoes an edit, and reports the result.
 * @param {import('./edit-history.js').EditHistory} history
 * @param {number} id the edit
 */
export async function undoEdit(history, id) {
    const result = await orToast(() => history.undo(id));
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
 * @param {number | undefined} id the edit; undefined if nothing can be undone
 */
export function offerUndo(history, text, id) {
    history.noteEdit();
    toast(text, id === undefined ? undefined : { label: t('Undo'), action: () => undoEdit(history, id) });
}
