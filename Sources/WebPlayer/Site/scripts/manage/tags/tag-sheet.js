import { errorText } from '../../host/code-texts.js';
import { textButton } from '../../views/parts/buttons.js';
import { showSheet } from '../../views/parts/dialog.js';
import { h } from '../../views/parts/dom.js';
import { changesOf, commonValues, tagFields } from './tag-fields.js';
import { offerUndo } from './undo-offer.js';
import { t } from '../../texts/text.js';

/** Timeout for writing many files, in milliseconds. */
const TIMEOUT = 3_600_000;
/** Maximum size of a cover in bytes, as limited by the host. */
const COVER_LIMIT = 16 << 20;
/** Files whose tags are read at the same time. */
const AT_ONCE = 6;

/**
 * Shows a sheet that edits the tags of one or several tracks.
 * @param {{client: Pick<import('../../host/host-client.js').HostClient, 'json'>, history: import('./edit-history.js').EditHistory}} parts
 * @param {{id: number}[]} tracks
 * @returns {Promise<void>} resolves when the form is filled
 */
export function showTagSheet(parts, tracks) {
    return new TagSheet(parts, tracks).open();
}

/** The form of the sheet. For several tracks, only edited fields are changed. */
class TagSheet {
    #client;
    #history;
    #tracks;
    #files = [];
    /** @type {ReturnType<typeof commonValues>} */
    #common = {};
    #touched = new Set();
    #inputs = new Map();
    /** @type {string | null | undefined} */
    #cover = undefined;
    #note = h('p.tag-note', { role: 'status' });
    #results = h('ul.manage-results');
    #path = h('p.page-text');
    #grid = h('div.tag-fields');
    #saveButton = h('button.text-button.is-main', { type: 'submit', disabled: true }, t('Save'));
    #sheet;

    constructor({ client, history }, tracks) {
        this.#client = client;
        this.#history = history;
        this.#tracks = tracks;
        const form = h(
            'form.stack',
            { onsubmit: (event) => this.#submit(event) },
            this.#path,
            this.#grid,
            this.#note,
            this.#results,
            h('div.row.end', null, textButton(t('Cancel'), () => this.#sheet.close()), this.#saveButton),
        );
        const title = tracks.length === 1 ? t('Edit tags') : t('Edit tags of {count} songs', { count: tracks.length });
        this.#sheet = showSheet(title, [form], { className: 'is-tags' });
    }

    /** Loads the tags into the form. */
    async open() {
        this.#note.textContent = t('Loading tags…');
        try {
            for (let at = 0; at < this.#tracks.length; at += AT_ONCE) {
                const read = ({ id }) => this.#client.json('/edit-metadata', { query: { id } });
                this.#files.push(...await Promise.all(this.#tracks.slice(at, at + AT_ONCE).map(read)));
            }
        } catch (error) {
            this.#note.textContent = error.message;
            return;
        }
        this.#path.textContent = this.#files.length === 1
            ? this.#files[0].relative_path
            : t('Only the fields that you change are written.');
        this.#fill();
        this.#note.textContent = '';
        this.#saveButton.disabled = false;
        this.#inputs.get(this.#files.length === 1 ? 'title' : 'artist')?.focus();
    }

    #fill() {
        const isMany = this.#files.length > 1;
        this.#common = commonValues(this.#files);
        const fields = tagFields().filter((field) => !(isMany && field.isSingle)).map((field) => this.#field(field));
        const isCompilation = this.#files.map((file) => file.is_compilation);
        const compilation = h('input', {
            type: 'checkbox',
            checked: isCompilation.every(Boolean),
            indeterminate: new Set(isCompilation).size > 1,
            onchange: () => this.#touched.add('is_compilation'),
        });
        this.#inputs.set('is_compilation', compilation);
        this.#grid.replaceChildren(
            ...fields,
            h('label.check.is-long', null, compilation, h('span', null, t('Compilation'))),
            this.#coverField(),
        );
    }

    /**
     * Creates the input of a field. Different values are listed in it, and offered as suggestions.
     * @param {{name: string, label: string, isLong?: boolean, isNumber?: boolean}} field
     */
    #field({ name, label, isLong, isNumber }) {
        const { value, isMixed, values } = this.#common[name];
        const mixed = t('{count} values: {list}', {
            count: values.length,
            list: values.map((each) => each || t('(none)')).join(', '),
        });
        const list = isMixed && !isLong ? `tag-values-${name}` : undefined;
        const input = h(`${isLong ? 'textarea' : 'input'}.field`, {
            value,
            name,
            list,
            placeholder: isMixed ? mixed : '',
            title: isMixed ? mixed : undefined,
            inputmode: isNumber ? 'numeric' : undefined,
            autocomplete: 'off',
            oninput: () => {
                this.#touched.add(name);
                /** @type {HTMLInputElement} */ (input).placeholder = isMixed ? t('Removed from all files') : '';
            },
        });
        this.#inputs.set(name, input);
        return h(
            `label.tag-field${isNumber ? '.is-number' : isLong ? '.is-long' : ''}`,
            null,
            h('span', null, label),
            input,
            list && h('datalist', { id: list }, values.filter(Boolean).map((each) => h('option', { value: each }))),
        );
    }

    #coverField() {
        const note = h(
            'small',
            { role: 'status' },
            t('{number} of {count} files with a cover', {
                number: this.#files.filter((file) => file.has_cover).length,
                count: this.#files.length,
            }),
        );
        const chooser = h('input.is-hidden', {
            type: 'file',
            accept: 'image/jpeg,image/png',
            'aria-label': t('Cover image'),
            tabindex: '-1',
            onchange: async () => {
                const [file] = chooser.files ?? [];
                if (!file) return;
                if (file.size > COVER_LIMIT) {
                    note.textContent = t('The image is larger than 16 MiB. Choose a smaller one.');
                    return;
                }
                this.#cover = await base64Of(file);
                note.textContent = t('New cover: {name}', { name: file.name });
            },
        });
        const remove = textButton(t('Remove cover'), () => {
            this.#cover = null;
            note.textContent = t('The cover will be removed.');
        });
        return h(
            'div.tag-field.is-long',
            { role: 'group', 'aria-label': t('Cover') },
            h('span', null, t('Cover')),
            h('div.row', null, textButton(t('Choose image…'), () => chooser.click()), remove, note),
            chooser,
        );
    }

    /** Returns the changes made in the form; null after an invalid input. */
    #changes() {
        /** @type {Record<string, string>} */
        const now = {};
        for (const name of this.#touched) if (name !== 'is_compilation') now[name] = this.#inputs.get(name).value;
        const { changes, wrong } = changesOf(this.#common, now);
        if (wrong) {
            const field = tagFields().find(({ name }) => name === wrong);
            this.#note.textContent = t('{label} must be a whole number.', { label: field?.label });
            this.#inputs.get(wrong).focus();
            return null;
        }
        if (this.#touched.has('is_compilation')) changes.is_compilation = this.#inputs.get('is_compilation').checked;
        if (this.#cover !== undefined) changes.cover = this.#cover;
        return changes;
    }

    /** @param {SubmitEvent} event */
    async #submit(event) {
        event.preventDefault();
        const changes = this.#changes();
        if (!changes) return;
        if (Object.keys(changes).length === 0) {
            this.#note.textContent = t('No changes to save.');
            return;
        }
        this.#saveButton.disabled = true;
        this.#note.textContent = t('Saving…');
        try {
            await this.#save(changes);
        } catch (error) {
            this.#note.textContent = error.message;
            if (error.field) this.#inputs.get(error.field)?.focus();
        }
        this.#saveButton.disabled = false;
    }

    /** Writes the changes. Each edit carries the ETag of the shown state, so that changes made meanwhile are not overwritten. */
    async #save(changes) {
        const edits = this.#files.map((file) => ({ relative_path: file.relative_path, etag: file.etag, ...changes }));
        const answer = await this.#client.json('/batch-edit-metadata', { method: 'PATCH', body: { edits }, timeout: TIMEOUT });
        const failed = answer.results.filter(({ error }) => error);
        const text = t('{count} files changed', { count: answer.changed_count });
        if (failed.length === 0) {
            this.#sheet.close();
            offerUndo(this.#history, text, answer.edit_id);
            return;
        }
        this.#note.textContent = t('{count} files changed, {failed} failed', {
            count: answer.changed_count,
            failed: failed.length,
        });
        this.#results.replaceChildren(...failed.map(({ relative_path: path, status, error }) =>
            h(
                'li.is-bad',
                null,
                `${path}: ${
                    status === 412 ? t('The file has changed in the meantime. Close the form and open it again.') : errorText(error)
                }`,
            )
        ));
        for (const { relative_path: path, etag } of answer.results) {
            const file = this.#files.find((each) => each.relative_path === path);
            if (file && etag) file.etag = etag;
        }
    }
}

/** @param {Blob} blob @returns {Promise<string>} */
function base64Of(blob) {
    return new Promise((resolve, reject) => {
        const reader = new FileReader();
        reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ''));
        reader.onerror = () => reject(reader.error);
        reader.readAsDataURL(blob);
    });
}
