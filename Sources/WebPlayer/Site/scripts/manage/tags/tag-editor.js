import { textButton } from '../../views/parts/buttons.js';
import { h } from '../../views/parts/dom.js';
import { counted } from '../../views/parts/texts.js';
import { changesOf, commonValues, TAG_FIELDS } from './tag-fields.js';

/** Timeout for writing many files, in milliseconds. */
const TIMEOUT = 3_600_000;
/** Maximum size of a cover in bytes, as limited by the host. */
const COVER_LIMIT = 16 << 20;

/**
 * The form that edits the tags of one or several tracks. For several tracks, only edited fields are changed.
 *
 * Events: 'saved' after the host has written changes, 'closed'.
 */
export class TagEditor extends EventTarget {
    #client;
    #files = [];
    /** @type {ReturnType<typeof commonValues>} */
    #common = {};
    #touched = new Set();
    #inputs = new Map();
    /** @type {string | null | undefined} */
    #cover = undefined;
    #note = h('p.manage-note', { role: 'status' });
    #results = h('ul.manage-results');
    #heading = h('h3');
    #grid = h('div.manage-fields');
    #saveButton;

    constructor({ client }) {
        super();
        this.#client = client;
        this.#saveButton = h('button.text-button.is-main', { type: 'submit' }, 'Save');
        this.element = h(
            'form.manage-card.manage-editor',
            { onsubmit: (event) => this.#submit(event), hidden: true },
            this.#heading,
            this.#grid,
            this.#note,
            this.#results,
            h('div.manage-actions', {}, this.#saveButton, textButton('Close', () => this.#leave())),
        );
    }

    /** Loads the tags of tracks into the form. @param {{id: number, relative_path: string}[]} tracks */
    async open(tracks) {
        this.element.hidden = false;
        this.#results.replaceChildren();
        this.#grid.replaceChildren();
        this.#heading.textContent = tracks.length === 1 ? tracks[0].relative_path : counted(tracks.length, 'track');
        this.#saveButton.disabled = true;
        this.#note.textContent = 'Loading tags…';
        try {
            this.#files = [];
            for (const track of tracks) {
                this.#files.push(await this.#client.json('/edit-metadata', { query: { id: track.id } }));
            }
        } catch (error) {
            this.#note.textContent = error.message;
            return;
        }
        this.#fill();
        this.#note.textContent = '';
        this.#saveButton.disabled = false;
        this.#inputs.get(tracks.length === 1 ? 'title' : 'artist')?.focus();
    }

    #fill() {
        const isMany = this.#files.length > 1;
        this.#common = commonValues(this.#files);
        this.#touched.clear();
        this.#inputs.clear();
        this.#cover = undefined;
        const fields = TAG_FIELDS.filter((field) => !(isMany && field.isSingle)).map((field) => {
            const { value, isMixed } = this.#common[field.name];
            const input = h(field.isLong ? 'textarea' : 'input', {
                value,
                placeholder: isMixed ? 'Multiple values' : '',
                name: field.name,
                inputMode: field.isNumber ? 'numeric' : undefined,
                autocomplete: 'off',
                oninput: () => {
                    this.#touched.add(field.name);
                    input.placeholder = isMixed ? 'Will be removed from all files' : '';
                },
            });
            this.#inputs.set(field.name, input);
            const kind = field.isNumber ? '.is-number' : field.isLong ? '.is-long' : '';
            return h(`label.manage-field${kind}`, {}, h('span', { textContent: field.label }), input);
        });
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
            h('label.manage-check', {}, compilation, h('span', { textContent: 'Compilation' })),
            this.#coverField(),
        );
    }

    #coverField() {
        const note = h('span.manage-hint', {
            textContent: `${this.#files.filter((file) => file.has_cover).length} of ${this.#files.length} with cover`,
        });
        const chooser = h('input', {
            type: 'file',
            accept: 'image/jpeg,image/png',
            onchange: async () => {
                const [file] = chooser.files ?? [];
                if (!file) return;
                if (file.size > COVER_LIMIT) {
                    note.textContent = 'The image is larger than 16 MiB.';
                    return;
                }
                this.#cover = await base64Of(file);
                note.textContent = `New cover: ${file.name}`;
            },
        });
        const remove = textButton('Remove cover', () => {
            this.#cover = null;
            note.textContent = 'The cover will be removed.';
        });
        return h('label.manage-field.is-long', {}, h('span', { textContent: 'Cover' }), chooser, remove, note);
    }

    /** @param {SubmitEvent} event */
    async #submit(event) {
        event.preventDefault();
        /** @type {Record<string, string>} */
        const now = {};
        for (const name of this.#touched) if (name !== 'is_compilation') now[name] = this.#inputs.get(name).value;
        const { changes, wrong } = changesOf(this.#common, now);
        if (wrong) {
            const field = TAG_FIELDS.find(({ name }) => name === wrong);
            this.#note.textContent = `${field?.label} must be a whole number.`;
            this.#inputs.get(wrong).focus();
            return;
        }
        if (this.#touched.has('is_compilation')) changes.is_compilation = this.#inputs.get('is_compilation').checked;
        if (this.#cover !== undefined) changes.cover = this.#cover;
        if (Object.keys(changes).length === 0) {
            this.#note.textContent = 'No changes to save.';
            return;
        }
        this.#saveButton.disabled = true;
        this.#note.textContent = 'Saving…';
        try {
            if (this.#files.length === 1) await this.#saveOne(changes);
            else await this.#saveMany(changes);
        } catch (error) {
            this.#note.textContent = error.status === 412
                ? 'The file has changed in the meantime. Close the form and open it again.'
                : error.message;
            if (error.field) this.#inputs.get(error.field)?.focus();
        }
        this.#saveButton.disabled = false;
    }

    async #saveOne(changes) {
        const [file] = this.#files;
        this.#files = [
            await this.#client.json('/edit-metadata', {
                method: 'PATCH',
                body: { relative_path: file.relative_path, etag: file.etag, ...changes },
                timeout: TIMEOUT,
            }),
        ];
        this.#fill();
        this.#note.textContent = 'Saved.';
        this.dispatchEvent(new Event('saved'));
    }

    async #saveMany(changes) {
        // Each edit carries the ETag of the shown state, so that changes made meanwhile are not overwritten.
        const edits = this.#files.map((file) => ({ relative_path: file.relative_path, etag: file.etag, ...changes }));
        const answer = await this.#client.json('/batch-edit-metadata', { method: 'PATCH', body: { edits }, timeout: TIMEOUT });
        this.#note.textContent = `${counted(answer.changed_count, 'file')} changed, ` +
            `${answer.unchanged_count} unchanged, ${answer.failed_count} failed.`;
        this.#results.replaceChildren(
            ...answer.results.filter(({ error }) => error).map((result) =>
                h('li.is-bad', {
                    textContent: `${result.relative_path ?? result.id}: ${result.error.message}`,
                })
            ),
        );
        for (const result of answer.results) {
            const file = this.#files.find((each) => each.relative_path === result.relative_path);
            if (!file || result.error) continue;
            if (result.etag) file.etag = result.etag;
            for (const [name, value] of Object.entries(changes)) {
                if (name === 'cover') file.has_cover = value !== null;
                else if (value === null) delete file[name];
                else file[name] = value;
            }
        }
        this.#fill();
        if (answer.changed_count > 0) this.dispatchEvent(new Event('saved'));
    }

    #leave() {
        this.element.hidden = true;
        this.dispatchEvent(new Event('closed'));
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
