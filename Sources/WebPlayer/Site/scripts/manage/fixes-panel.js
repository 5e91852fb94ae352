import { dangerousButton, textButton } from '../views/parts/buttons.js';
import { h } from '../views/parts/dom.js';
import { counted } from '../views/parts/texts.js';

const FIXES = [
    ['split_compilations', 'Split albums', 'Gives all tracks of an album the same album artist, and marks compilations.'],
    ['missing_album_artist', 'Missing album artists', 'Copies the album artist of the album’s other tracks.'],
    ['inconsistent_years', 'Inconsistent years', 'Uses the year of most of the album’s tracks.'],
    ['trim_white_space', 'White space', 'Trims spaces in text fields.'],
    ['mojibake', 'Garbled text', 'Repairs text that was decoded with the wrong encoding, if the original is unambiguous.'],
    ['id3v1_to_id3v2', 'ID3v1 tags only', 'Adds ID3v2.4 tags (FLAC: Vorbis comments) to files that have only ID3v1.'],
];
/** Tracks per request. */
const LIMIT = 500;
const TIMEOUT = 3_600_000;
/** Maximum number of changes shown; the rest are only counted. */
const SHOWN = 400;

/** Finds common tag defects in the whole library, previews the fixes and applies them after confirmation. */
export class FixesPanel {
    title = 'Fixes';
    #client;
    #boxes = new Map();
    #note = h('p.manage-note', { role: 'status' });
    #body = h('tbody');
    #table;
    #apply;
    /** @type {AbortController | null} */
    #abort = null;

    constructor({ client }) {
        this.#client = client;
        const choices = FIXES.map(([name, label, hint]) => {
            const box = h('input', { type: 'checkbox', checked: true });
            this.#boxes.set(name, box);
            return h(
                'label.manage-check',
                {},
                box,
                h('span', {}, h('strong', { textContent: label }), h('span.manage-hint', { textContent: ` ${hint}` })),
            );
        });
        this.#apply = dangerousButton('Apply changes', 'Change the files?', () => this.#run(false));
        this.#apply.disabled = true;
        this.#table = h(
            'table.manage-table',
            { hidden: true },
            h(
                'thead',
                {},
                h(
                    'tr',
                    {},
                    ...['File', 'Field', 'Current', 'New'].map(
                        (text) => h('th', { textContent: text, scope: 'col' }),
                    ),
                ),
            ),
            this.#body,
        );
        this.element = h(
            'div.manage-panel',
            {},
            h('section.manage-card', {}, h('h3', { textContent: 'Fixes to apply' }), ...choices),
            h('div.manage-actions', {}, textButton('Preview changes', () => this.#run(true), { kind: 'is-main' }), this.#apply),
            this.#note,
            h('div.manage-scroll', {}, this.#table),
        );
    }

    open() {}

    close() {
        this.#abort?.abort();
    }

    /** @param {boolean} isDry */
    async #run(isDry) {
        this.#abort?.abort();
        const abort = this.#abort = new AbortController();
        const fixes = [...this.#boxes].filter(([, box]) => box.checked).map(([name]) => name);
        this.#apply.disabled = true;
        this.#body.replaceChildren();
        this.#table.hidden = true;
        if (fixes.length === 0) {
            this.#note.textContent = 'Select at least one fix.';
            return;
        }
        let [cursor, examined, changed, failed] = [0, 0, 0, 0];
        try {
            while (cursor !== undefined && !abort.signal.aborted) {
                const answer = await this.#client.json('/bulk-fix', {
                    method: 'POST',
                    body: { fixes, all: true, dry_run: isDry, limit: LIMIT, cursor },
                    signal: abort.signal,
                    timeout: TIMEOUT,
                });
                examined += answer.examined_count;
                changed += answer.changed_count;
                failed += answer.failed_count;
                this.#show(answer.results);
                this.#note.textContent = `${counted(examined, 'track')} checked: ${counted(changed, 'file')} ` +
                    `${isDry ? 'would change' : 'changed'}${failed > 0 ? `, ${failed} failed` : ''}.`;
                cursor = answer.cursor;
            }
            this.#apply.disabled = !isDry || changed === 0;
        } catch (error) {
            if (!abort.signal.aborted) this.#note.textContent = error.message;
        }
    }

    #show(results) {
        for (const result of results) {
            if (this.#body.childElementCount >= SHOWN) return;
            this.#table.hidden = false;
            const rows = result.error
                ? [[result.relative_path, '', '', result.error.message, true]]
                : (result.changes ?? []).map(({ field, before, after }) => [result.relative_path, field, before, after, false]);
            for (const [path, field, before, after, isBad] of rows) {
                this.#body.append(h(
                    `tr${isBad ? '.is-bad' : ''}`,
                    {},
                    h('td', { textContent: path ?? '' }),
                    h('td', { textContent: field }),
                    h('td', {}, h('del', { textContent: before ?? '' })),
                    h('td', { textContent: after ?? '—' }),
                ));
            }
        }
    }
}
