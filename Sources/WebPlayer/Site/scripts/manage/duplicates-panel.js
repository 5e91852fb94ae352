import { errorText } from '../host/code-texts.js';
import { textButton } from '../views/parts/buttons.js';
import { confirmed } from '../views/parts/dialog.js';
import { h } from '../views/parts/dom.js';
import { endPlaceholders, markBusy, startPlaceholders } from '../views/parts/placeholder.js';
import { settingsGroup } from '../views/parts/setting-rows.js';
import { bitRateText, clock, sizeText } from '../views/parts/texts.js';
import { t } from '../texts/text.js';

/** Groups per request. */
const LIMIT = 50;
const TIMEOUT = 600_000;

/** Files with the same recording: shows what differs, and moves those that are not kept to the trash. */
export class DuplicatesPanel {
    title = t('Duplicates');
    #client;
    #note = h('p.manage-note', { role: 'status' });
    #list = h('div.manage-groups');
    #all;
    #more;
    /** Counts requests: answers to older ones are dropped. */
    #turn = 0;

    constructor({ client }) {
        this.#client = client;
        this.#all = textButton(t('Move all copies to the trash…'), async () => {
            const text = t('The best file of each group is kept. Groups that may be another mix are left as they are.');
            if (await confirmed(t('Move all copies to the trash?'), text, t('Move to trash'))) this.#remove({ all: true });
        }, { kind: 'is-danger' });
        this.#all.disabled = true;
        this.#more = textButton(t('Show more'), () => this.#load(this.#list.childElementCount), { hidden: true });
        this.element = h(
            'div.manage-panel',
            {},
            h('p.manage-hint', {
                textContent: t(
                    'Files with the same recording, whatever their tags and bit rates. Stars, plays and playlist entries go to the file that is kept; the others can be restored from the trash.',
                ),
            }),
            h('div.manage-actions', {}, this.#all),
            this.#note,
            this.#list,
            this.#more,
        );
    }

    open() {
        this.#load(0);
    }

    close() {
        this.#turn += 1;
    }

    /** @param {number} offset 0 starts again @param {string} [said] shown before the counts */
    async #load(offset, said = '') {
        const turn = ++this.#turn;
        if (offset === 0 && !said) this.#note.textContent = t('Comparing recordings…');
        startPlaceholders('settings', this.#list);
        markBusy(this.element, true);
        try {
            const page = await this.#client.json('/duplicates', { query: { limit: LIMIT, offset }, timeout: TIMEOUT });
            if (turn !== this.#turn) return;
            const rows = page.items.map((group) => this.#group(group));
            markBusy(this.element, false);
            if (offset === 0) this.#list.replaceChildren(...rows);
            else this.#list.append(...rows);
            this.#more.hidden = this.#list.childElementCount >= page.total;
            this.#all.disabled = page.copy_count === 0;
            const found = page.total === 0
                ? t('No recording is in more than one file.')
                : t('{count} recordings in several files: {copies}, {size}.', {
                    count: page.total,
                    copies: t('{count} copies', { count: page.copy_count }),
                    size: sizeText(page.copy_bytes),
                });
            this.#note.textContent = [said, found].filter(Boolean).join(' ');
        } catch (error) {
            if (turn !== this.#turn) return;
            markBusy(this.element, false);
            endPlaceholders(this.#list);
            this.#note.textContent = error.message;
        }
    }

    /** A group: one file is kept, the ticked others go to the trash. */
    #group({ best, copies }) {
        const files = [best, ...copies];
        const name = `keep-${best.track_id}`;
        const choices = files.map((file) => ({
            file,
            keep: h('input', { type: 'radio', name, checked: file === best, onchange: () => update() }),
            remove: h('input', { type: 'checkbox', checked: file.is_certain === true, onchange: () => update() }),
        }));
        const update = () => {
            for (const { keep, remove } of choices) {
                remove.disabled = keep.checked;
                if (keep.checked) remove.checked = false;
            }
            button.disabled = !choices.some(({ remove }) => remove.checked);
        };
        const button = textButton(t('Move to trash…'), async () => {
            const kept = choices.find(({ keep }) => keep.checked)?.file.track_id;
            const removed = choices.filter(({ remove }) => remove.checked).map(({ file }) => file.track_id);
            const text = t('Stars, plays and playlist entries go to the file that is kept.');
            if (await confirmed(t('Move {count} files to the trash?', { count: removed.length }), text, t('Move to trash'))) {
                this.#remove({ groups: [{ kept_id: kept, removed_ids: removed }] });
            }
        }, { kind: 'is-danger' });
        update();
        const heading = [best.artist, best.title].filter(Boolean).join(' – ') || best.relative_path;
        const rows = choices.map(({ file, keep, remove }) =>
            h(
                'div.setting',
                null,
                h(
                    'div.setting-name',
                    null,
                    h('span', null, file.relative_path),
                    h('small', null, facts(file).join(' · ')),
                ),
                h(
                    'div.setting-control',
                    null,
                    h('label.check', null, keep, h('span', null, t('Keep'))),
                    h('label.check', null, remove, h('span', null, t('Trash', { as: 'action' }))),
                ),
            )
        );
        const group = settingsGroup(heading, h('div.settings-box', null, rows), h('div.manage-actions', null, button));
        group.classList.add('manage-duplicates');
        return group;
    }

    async #remove(choice) {
        try {
            const answer = await this.#client.json('/duplicates/removal', {
                method: 'POST',
                body: { ...choice, dry_run: false },
                timeout: TIMEOUT,
            });
            const failed = answer.results.filter((result) => result.error);
            const said = [
                t('{count} files moved to the trash.', { count: answer.changed_count }),
                ...failed.slice(0, 3).map((result) => errorText(result.error)),
                failed.length > 3 && t('{count} more errors.', { count: failed.length - 3 }),
            ];
            await this.#load(0, said.filter(Boolean).join(' '));
        } catch (error) {
            this.#note.textContent = error.message;
        }
    }
}

/** Returns texts in which the files of a group differ. */
function facts(file) {
    const texts = [];
    if (file.album) texts.push(file.album);
    if (file.average_bit_rate_bps) texts.push(bitRateText(file.average_bit_rate_bps));
    if (file.duration_seconds) texts.push(clock(file.duration_seconds));
    texts.push(sizeText(file.file_size_bytes));
    if (file.damaged_frame_count) texts.push(t('{count} damaged frames', { count: file.damaged_frame_count }));
    if (file.difference === 0) texts.push(t('same audio'));
    if (file.is_certain === false) texts.push(t('may be another mix: listen to both'));
    return texts;
}
