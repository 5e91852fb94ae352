import { errorText } from '../host/code-texts.js';
import { textButton } from '../views/parts/buttons.js';
import { confirmed } from '../views/parts/dialog.js';
import { h } from '../views/parts/dom.js';
import { endPlaceholders, markBusy, startPlaceholders } from '../views/parts/placeholder.js';
import { emptyRow, listRow, rowList, settingsGroup } from '../views/parts/setting-rows.js';
import { momentText, sizeText } from '../views/parts/texts.js';
import { orToast } from '../views/parts/toast.js';
import { editText } from './edit-text.js';
import { undoEdit } from './tags/undo-offer.js';
import { t } from '../texts/text.js';

/** Deleted files and edits listed. */
const LIMIT = 200;
/** Files in the trash, which can be restored or deleted permanently, and edits of tags, which can be undone. */
export class TrashPanel {
    title = t('Trash');
    #client;
    #history;
    #note = h('p.manage-note', { role: 'status' });
    #list = rowList(t('Deleted files'));
    #edits = rowList(t('Edited tags'));
    #empty;
    #onEdit = () => this.#loadEdits();

    constructor({ client, history }) {
        this.#client = client;
        this.#history = history;
        this.#empty = textButton(t('Empty trash…'), async () => {
            const text = t('The files are deleted permanently, with the playlist entries of their tracks.');
            if (await confirmed(t('Empty the trash?'), text, t('Delete all'))) {
                this.#act('/trash', 'DELETE', t('The trash is empty.'));
            }
        }, { kind: 'is-danger' });
        this.element = h(
            'div.manage-panel',
            null,
            this.#note,
            settingsGroup(t('Deleted files'), this.#list),
            h('div.manage-actions', null, this.#empty),
            settingsGroup(
                t('Edited tags'),
                h(
                    'p.manage-hint',
                    null,
                    t('Edits, fixes and measurements written to files. Undoing one leaves files that have changed since as they are.'),
                ),
                this.#edits,
            ),
        );
    }

    open() {
        this.#history.addEventListener('change', this.#onEdit);
        startPlaceholders('setting', this.#list, this.#edits);
        markBusy(this.element, true);
        Promise.all([this.#load(''), this.#loadEdits()]).then(() => markBusy(this.element, false));
    }

    close() {
        this.#history.removeEventListener('change', this.#onEdit);
    }

    async #load(said) {
        try {
            const { items, total } = await this.#client.json('/trash', { query: { limit: LIMIT } });
            this.#empty.disabled = total === 0;
            this.#note.textContent = said ||
                (total > items.length ? t('Latest {number} of {count} files', { number: items.length, count: total }) : '');
            this.#list.replaceChildren(
                ...(items.length > 0 ? items.map((item) => this.#row(item)) : [emptyRow(t('The trash is empty.'))]),
            );
        } catch (error) {
            this.#showError(this.#list, error);
        }
    }

    #row(item) {
        const path = `/trash/${item.trash_id}`;
        const name = item.relative_path;
        return listRow(
            name,
            [t('{size} · deleted {time}', { size: sizeText(item.file_size_bytes), time: momentText(item.trashed_at) })],
            textButton(t('Restore'), () => this.#act(`${path}/restore`, 'POST', t('{name} restored.', { name })), {
                'aria-label': t('Restore {name}', { name }),
            }),
            textButton(t('Delete…'), async () => {
                if (await confirmed(t('Delete permanently?'), t('{name} cannot be restored afterwards.', { name }), t('Delete'))) {
                    this.#act(path, 'DELETE', t('{name} deleted.', { name }));
                }
            }, { kind: 'is-danger', 'aria-label': t('Delete {name} permanently', { name }) }),
        );
    }

    async #act(path, method, said) {
        try {
            await this.#client.json(path, { method, timeout: 600_000 });
            await this.#load(said);
        } catch (error) {
            this.#note.textContent = error.message;
        }
    }

    async #loadEdits() {
        try {
            const { items } = await this.#history.list(LIMIT);
            this.#edits.replaceChildren(
                ...(items.length ? items.map((edit) => this.#editRow(edit)) : [emptyRow(t('No edited tags.'))]),
            );
        } catch (error) {
            this.#showError(this.#edits, error);
        }
    }

    /** Shows why a list could not be loaded; what it has shown stays. */
    #showError(list, error) {
        endPlaceholders(list);
        this.#note.textContent = error.message;
    }

    /** @param {import('./tags/edit-history.js').Edit} edit */
    #editRow(edit) {
        const { edit_id: id, files, file_count: count, failed_count: failed } = edit;
        const text = editText(edit);
        const names = files.map(({ relative_path }) => relative_path).join(', ');
        const shown = count > files.length ? t('{names} and {count} more files', { names, count: count - files.length }) : names;
        const undo = textButton(t('Undo'), async () => {
            undo.disabled = true;
            await undoEdit(this.#history, id);
            undo.disabled = false;
        }, { 'aria-label': t('Undo {text}', { text }) });
        return listRow(
            text,
            [
                `${shown} · ${momentText(edit.made_at)}`,
                failed > 0 &&
                h(
                    'small.is-bad',
                    null,
                    t('Not undone: {path}: {failure}', {
                        path: files[0].relative_path,
                        failure: errorText({ code: files[0].failure_code, message: files[0].failure }),
                    }),
                ),
            ],
            undo,
            failed > 0 &&
                textButton(t('Dismiss'), () => orToast(() => this.#history.forget(id)), {
                    'aria-label': t('Dismiss {text}', { text }),
                }),
        );
    }
}
