import { errorText } from '../../host/code-texts.js';
import { textButton } from '../../views/parts/buttons.js';
import { confirmed } from '../../views/parts/dialog.js';
import { h } from '../../views/parts/dom.js';
import { settingsGroup } from '../../views/parts/setting-rows.js';
import { offerUndo } from '../tags/undo-offer.js';
import { FixChoices } from './fix-choices.js';
import { fixes as allFixes } from './fix-text.js';
import { t } from '../../texts/text.js';

/** Tracks per request. */
const LIMIT = 500;
const TIMEOUT = 3_600_000;

/** Finds common tag defects in the whole library, previews the fixes, and applies the chosen ones. */
export class FixesPanel {
    title = t('Fixes');
    #client;
    #history;
    #boxes = new Map();
    #note = h('p.manage-note', { role: 'status' });
    #errors = h('ul.manage-results');
    #choices = new FixChoices(() => this.#count());
    #apply;
    /** @type {AbortController | null} */
    #abort = null;

    constructor({ client, history }) {
        this.#client = client;
        this.#history = history;
        const rows = allFixes().map(([name, label, hint]) => {
            const box = h('input.switch', { type: 'checkbox', role: 'switch', checked: true, 'aria-label': label });
            this.#boxes.set(name, box);
            return h(
                'label.setting',
                null,
                h('div.setting-name', null, h('span', null, label), h('small', null, hint)),
                h('div.setting-control', null, box),
            );
        });
        this.#apply = textButton(t('Apply'), () => this.#ask(), { kind: 'is-main', disabled: true });
        this.element = h(
            'div.manage-panel',
            null,
            settingsGroup(t('Fixes to look for'), h('div.settings-box', null, rows)),
            h('div.manage-actions', null, textButton(t('Preview changes'), () => this.#preview()), this.#apply),
            this.#note,
            this.#errors,
            this.#choices.element,
        );
    }

    open() {}

    close() {
        this.#abort?.abort();
    }

    /** Lists the changes that the host would make. */
    async #preview() {
        const fixes = [...this.#boxes].filter(([, box]) => box.checked).map(([name]) => name);
        this.#choices.clear();
        this.#errors.replaceChildren();
        if (fixes.length === 0) {
            this.#note.textContent = t('Select at least one fix.');
            return;
        }
        this.#note.textContent = t('Reading tags…');
        let examined = 0;
        await this.#run({ fixes, all: true, dry_run: true }, (answer) => {
            examined += answer.examined_count;
            this.#choices.add(answer.results);
            const { fileCount } = this.#choices;
            this.#note.textContent = fileCount === 0
                ? t('{count} tracks checked: nothing to fix.', { count: examined })
                : t('{tracks} checked: {count} files can be fixed.', {
                    tracks: t('{count} tracks', { count: examined }),
                    count: fileCount,
                });
        });
    }

    #count() {
        const { chosenCount } = this.#choices;
        this.#apply.disabled = chosenCount === 0;
        /** @type {HTMLElement} */ (this.#apply.firstElementChild).textContent = chosenCount === 0
            ? t('Apply')
            : t('Apply to {count} files', { count: chosenCount });
    }

    async #ask() {
        const text = t(
            'Only tags are rewritten; the audio stays as it is. Former values can be restored in the trash, except for trimmed spaces, control characters and tag formats.',
        );
        if (await confirmed(t('Fix {count} files?', { count: this.#choices.chosenCount }), text, t('Apply'), { kind: 'is-main' })) {
            await this.#applyChosen();
        }
    }

    /** Applies the chosen fixes: one request for all files with the same fixes. */
    async #applyChosen() {
        const done = [];
        const errors = [];
        this.#apply.disabled = true;
        this.#note.textContent = t('Changing files…');
        let isComplete = true;
        /** All requests are one edit in the history. @type {number | undefined} */
        let editID;
        for (const { fixes, paths } of this.#choices.chosen) {
            for (let at = 0; isComplete && at < paths.length; at += LIMIT) {
                const body = { fixes, relative_paths: paths.slice(at, at + LIMIT), dry_run: false, edit_id: editID };
                isComplete = await this.#run(body, ({ results, edit_id }) => {
                    editID = edit_id ?? editID;
                    errors.push(...results.filter(({ error }) => error));
                    done.push(...results.filter(({ error, changed }) => !error && changed));
                });
            }
        }
        const text = errors.length
            ? t('{count} files changed, {failed} failed', { count: done.length, failed: errors.length })
            : t('{count} files changed', { count: done.length });
        // After a failed request, its message stays.
        if (isComplete) this.#note.textContent = `${text}.`;
        this.#errors.replaceChildren(
            ...errors.map(({ relative_path: path, error }) => h('li.is-bad', null, `${path}: ${errorText(error)}`)),
        );
        this.#choices.clear();
        if (done.length) offerUndo(this.#history, text, editID);
    }

    /** Sends a request and its continuations. @returns {Promise<boolean>} whether all were answered */
    async #run(body, take) {
        this.#abort?.abort();
        const abort = this.#abort = new AbortController();
        let cursor = 0;
        try {
            while (cursor !== undefined && !abort.signal.aborted) {
                const answer = await this.#client.json('/bulk-fix', {
                    method: 'POST',
                    body: { ...body, limit: LIMIT, cursor },
                    // A change that has begun is not interrupted: its results are shown.
                    signal: body.dry_run ? abort.signal : undefined,
                    timeout: TIMEOUT,
                });
                take(answer);
                cursor = answer.cursor;
            }
            return true;
        } catch (error) {
            if (!abort.signal.aborted) this.#note.textContent = error.message;
            return false;
        }
    }
}
