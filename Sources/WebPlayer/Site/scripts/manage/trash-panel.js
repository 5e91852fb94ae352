import { textButton } from '../views/parts/buttons.js';
import { confirmed } from '../views/parts/dialog.js';
import { h } from '../views/parts/dom.js';
import { emptyRow, listRow, rowList, settingsGroup } from '../views/parts/setting-rows.js';
import { counted, momentText, sizeText } from '../views/parts/texts.js';
import { undoEdit } from './tags/undo-offer.js';

/** Deleted files and edits listed. */
const LIMIT = 200;
/** Files named in the row of an edit. */
const NAMED = 3;

/** Files in the trash, which can be restored or deleted permanently, and edits of tags, which can be undone. */
export class TrashPanel {
    title = 'Trash';
    #client;
    #history;
    #note = h('p.manage-note', { role: 'status' });
    #list = rowList('Deleted files');
    #edits = rowList('Edited tags');
    #empty;
    #onEdit = () => this.#loadEdits();

    constructor({ client, history }) {
        this.#client = client;
        this.#history = history;
        this.#empty = textButton('Empty trash…', async () => {
            const text = 'The files are deleted permanently, with the playlist entries of their tracks.';
            if (await confirmed('Empty the trash?', text, 'Delete all')) this.#act('/trash', 'DELETE', 'The trash is empty.');
        }, { kind: 'is-danger' });
        this.element = h(
            'div.manage-panel',
            null,
            this.#note,
            settingsGroup('Deleted files', this.#list),
            h('div.manage-actions', null, this.#empty),
            settingsGroup(
                'Edited tags',
                h(
                    'p.manage-hint',
                    null,
                    'Edits and fixes made in this browser. Undoing one leaves files that have changed since as they are.',
                ),
                this.#edits,
            ),
        );
    }

    open() {
        this.#history.addEventListener('change', this.#onEdit);
        this.#load('');
        this.#loadEdits();
    }

    close() {
        this.#history.removeEventListener('change', this.#onEdit);
    }

    async #load(said) {
        try {
            const { items, total } = await this.#client.json('/trash', { query: { limit: LIMIT } });
            this.#empty.disabled = total === 0;
            this.#note.textContent = said || (total > items.length ? `Latest ${items.length} of ${counted(total, 'file')}` : '');
            this.#list.replaceChildren(
                ...(items.length > 0 ? items.map((item) => this.#row(item)) : [emptyRow('The trash is empty.')]),
            );
        } catch (error) {
            this.#note.textContent = error.message;
        }
    }

    #row(item) {
        const path = `/trash/${item.trash_id}`;
        const name = item.relative_path;
        return listRow(
            name,
            [`${sizeText(item.file_size_bytes)} · deleted ${momentText(item.trashed_at)}`],
            textButton('Restore', () => this.#act(`${path}/restore`, 'POST', `${name} restored.`), {
                'aria-label': `Restore ${name}`,
            }),
            textButton('Delete…', async () => {
                if (await confirmed('Delete permanently?', `${name} cannot be restored afterwards.`, 'Delete')) {
                    this.#act(path, 'DELETE', `${name} deleted.`);
                }
            }, { kind: 'is-danger', 'aria-label': `Delete ${name} permanently` }),
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
        const edits = (await this.#history.list()).slice(0, LIMIT);
        this.#edits.replaceChildren(
            ...(edits.length ? edits.map((edit) => this.#editRow(edit)) : [emptyRow('No edits in this browser.')]),
        );
    }

    /** @param {import('./tags/edit-history.js').Edit} edit */
    #editRow(edit) {
        const { files } = edit;
        const names = files.slice(0, NAMED).map(({ relative_path }) => relative_path).join(', ');
        const others = files.length > NAMED ? ` and ${counted(files.length - NAMED, 'more file')}` : '';
        const failures = files.filter(({ failure }) => failure);
        const undo = textButton('Undo', async () => {
            undo.disabled = true;
            await undoEdit(this.#history, edit);
            undo.disabled = false;
        }, { 'aria-label': `Undo ${edit.text}` });
        return listRow(
            edit.text,
            [
                `${names}${others} · ${momentText(edit.made_at)}`,
                failures.length > 0 &&
                h('small.is-bad', null, `Not undone: ${failures[0].relative_path}: ${failures[0].failure}`),
            ],
            undo,
            failures.length > 0 &&
                textButton('Dismiss', () => this.#history.remove(edit), { 'aria-label': `Dismiss ${edit.text}` }),
        );
    }
}
