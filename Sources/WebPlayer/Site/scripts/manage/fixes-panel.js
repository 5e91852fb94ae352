import { button, dangerousButton, element } from './element.js';
import { countText } from './sizes.js';

const FIXES = [
    ['split_compilations', 'Albums split by their artists', 'Tracks of one album that name different album artists get one, and a compilation its mark.'],
    ['missing_album_artist', 'Missing album artists', 'The one that the album’s other tracks have.'],
    ['inconsistent_years', 'Years that differ', 'The year that most of the album’s tracks have.'],
    ['trim_white_space', 'White space', 'Spaces around texts go.'],
    ['mojibake', 'Mojibake', 'Letters that were read in the wrong encoding are read rightly, where nothing else can have been meant.'],
    ['id3v1_to_id3v2', 'Old tags only', 'Files with ID3v1 only get ID3v2.4 too.'],
];
/** Tracks that are looked at in a request. */
const LIMIT = 500;
const PATIENCE = 3_600_000;
/** Changes that are shown; more are counted only. */
const SHOWN = 400;

/** Finds common defects of tags in the whole library, shows what it would change, and changes it when told to. */
export class FixesPanel {
    title = 'Fixes';
    #client;
    #boxes = new Map();
    #note = element('p.manage-note', { role: 'status' });
    #body = element('tbody');
    #table;
    #apply;
    #abort = null;

    constructor({ client }) {
        this.#client = client;
        const choices = FIXES.map(([name, label, hint]) => {
            const box = element('input', { type: 'checkbox', checked: true });
            this.#boxes.set(name, box);
            return element('label.manage-check', {}, box, element('span', {},
                element('strong', { textContent: label }), element('span.manage-hint', { textContent: ` ${hint}` })));
        });
        this.#apply = dangerousButton('Change the files', 'Really change them?', () => this.#run(false));
        this.#apply.disabled = true;
        this.#table = element(
            'table.manage-table', { hidden: true },
            element('thead', {}, element('tr', {}, ...['File', 'Field', 'Now', 'Then'].map(
                text => element('th', { textContent: text, scope: 'col' })))), this.#body);
        this.element = element(
            'div.manage-panel', {},
            element('section.manage-card', {}, element('h3', { textContent: 'What to look for' }), ...choices),
            element('div.manage-actions', {}, button('Show what would change', () => this.#run(true), 'is-main'), this.#apply),
            this.#note, element('div.manage-scroll', {}, this.#table));
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
            this.#note.textContent = 'Choose what to look for.';
            return;
        }
        let [cursor, examined, changed, failed] = [0, 0, 0, 0];
        try {
            while (cursor !== undefined && !abort.signal.aborted) {
                const answer = await this.#client.json('/bulk-fix', {
                    method: 'POST', body: { fixes, dry_run: isDry, limit: LIMIT, cursor }, signal: abort.signal, timeout: PATIENCE,
                });
                examined += answer.examined_count;
                changed += answer.changed_count;
                failed += answer.failed_count;
                this.#show(answer.results);
                this.#note.textContent = `${countText(examined, 'track')} looked at: ${countText(changed, 'file')} `
                    + `${isDry ? 'would change' : 'changed'}${failed > 0 ? `, ${failed} could not be dealt with` : ''}.`;
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
                this.#body.append(element(
                    `tr${isBad ? '.is-bad' : ''}`, {}, element('td', { textContent: path ?? '' }), element('td', { textContent: field }),
                    element('td', {}, element('del', { textContent: before ?? '' })), element('td', { textContent: after ?? '—' })));
            }
        }
    }
}
