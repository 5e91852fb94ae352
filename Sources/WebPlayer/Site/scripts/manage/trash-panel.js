import { dangerousButton, textButton } from '../views/parts/buttons.js';
import { h } from '../views/parts/dom.js';
import { counted, momentText, sizeText } from '../views/parts/texts.js';

const LIMIT = 200;

/** Files in the trash, which can be restored or deleted permanently. */
export class TrashPanel {
    title = 'Trash';
    #client;
    #note = h('p.manage-note', { role: 'status' });
    #list = h('div.manage-list', { role: 'list' });
    #empty;

    constructor({ client }) {
        this.#client = client;
        this.#empty = dangerousButton(
            'Empty trash',
            'Delete all permanently?',
            () => this.#act('/trash', 'DELETE', 'The trash is empty.'),
        );
        this.element = h(
            'div.manage-panel',
            {},
            h('div.manage-actions', {}, this.#empty),
            this.#note,
            this.#list,
        );
    }

    open() {
        this.#load('');
    }

    close() {}

    async #load(said) {
        try {
            const { items, total } = await this.#client.json('/trash', { query: { limit: LIMIT } });
            this.#empty.disabled = total === 0;
            this.#note.textContent = said || (total > items.length ? `Latest ${items.length} of ${counted(total, 'file')}` : '');
            this.#list.replaceChildren(
                ...(items.length > 0
                    ? items.map((item) => this.#row(item))
                    : [h('p.manage-empty', { textContent: 'The trash is empty.' })]),
            );
        } catch (error) {
            this.#note.textContent = error.message;
        }
    }

    #row(item) {
        const path = `/trash/${item.trash_id}`;
        return h(
            'div.manage-row',
            { role: 'listitem' },
            h(
                'div.manage-row-text',
                {},
                h('strong', { textContent: item.relative_path }),
                h('span', { textContent: `${sizeText(item.file_size_bytes)} · deleted ${momentText(item.trashed_at)}` }),
            ),
            textButton('Restore', () => this.#act(`${path}/restore`, 'POST', `${item.relative_path} restored.`)),
            dangerousButton('Delete', 'Delete permanently?', () => this.#act(path, 'DELETE', `${item.relative_path} deleted.`)),
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
}
