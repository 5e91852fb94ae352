import { errorText } from '../../host/code-texts.js';
import { ACCEPTED } from '../../library/audio-files.js';
import { textButton } from '../../views/parts/buttons.js';
import { h } from '../../views/parts/dom.js';
import { listRow, rowList } from '../../views/parts/setting-rows.js';
import { percentText, sizeText } from '../../views/parts/texts.js';
import { droppedFiles, isWanted } from './dropped-files.js';
import { UploadTask } from './upload-task.js';
import { t } from '../../texts/text.js';

const stateTexts = () => ({
    waiting: t('queued'),
    sending: t('uploading'),
    checking: t('checking'),
    paused: t('waiting for the network'),
    done: t('done'),
    failed: t('failed'),
    cancelled: t('cancelled'),
});
const resultTexts = () => ({
    stored: t('added'),
    duplicate: t('duplicate'),
    refused: t('rejected'),
    ignored: t('skipped'),
});

/** Uploads files, dropped or selected, one after the other. */
export class UploadPanel {
    title = t('Upload');
    #client;
    #drop;
    #list = rowList(t('Uploads'));
    #summary = h('p.manage-note', { role: 'status' });
    /** @type {UploadTask[]} */
    #tasks = [];
    #isRunning = false;
    /** Number of files skipped because they are neither music nor zip. */
    #passedOver = 0;

    constructor({ client }) {
        this.#client = client;
        const chooser = h('input', {
            type: 'file',
            multiple: true,
            accept: `${ACCEPTED},.zip,audio/*,application/zip`,
            id: 'upload-files',
            onchange: () => {
                this.add([...(chooser.files ?? [])]);
                chooser.value = '';
            },
        });
        this.#drop = h(
            'label.manage-drop',
            { for: 'upload-files' },
            chooser,
            h('strong', { textContent: t('Drop music files, folders or zip archives here') }),
            h('span', {
                textContent: t('or choose files. They are checked and named after their tags; existing files are never replaced.'),
            }),
        );
        for (const type of ['dragenter', 'dragover']) {
            this.#drop.addEventListener(type, (event) => {
                event.preventDefault();
                this.#drop.classList.add('is-over');
            });
        }
        this.#drop.addEventListener('dragleave', () => this.#drop.classList.remove('is-over'));
        this.#drop.addEventListener('drop', async (event) => {
            event.preventDefault();
            this.#drop.classList.remove('is-over');
            if (event.dataTransfer) this.add(await droppedFiles(event.dataTransfer));
        });
        this.#list.hidden = true;
        this.element = h('div.manage-panel', {}, this.#drop, this.#summary, this.#list);
    }

    open() {}

    close() {}

    /** All uploads: queued, running and finished. @returns {readonly UploadTask[]} */
    get tasks() {
        return this.#tasks;
    }

    /** Queues files. @param {File[]} files */
    add(files) {
        const wanted = files.filter((file) => isWanted(file.name));
        for (const file of wanted) {
            const task = new UploadTask(this.#client, file);
            this.#tasks.push(task);
            this.#list.append(this.#row(task));
            this.#list.hidden = false;
        }
        this.#passedOver += files.length - wanted.length;
        this.#emit();
        this.#run();
    }

    async #run() {
        if (this.#isRunning) return;
        this.#isRunning = true;
        try {
            for (;;) {
                const next = this.#tasks.find(({ state }) => state === 'waiting');
                if (!next) return;
                await next.run();
                this.#emit();
            }
        } finally {
            this.#isRunning = false;
        }
    }

    /** Whether files are being uploaded. */
    get isUploading() {
        return this.#isRunning;
    }

    #emit() {
        const over = this.#tasks.filter(({ isOver }) => isOver).length;
        const stored = this.#tasks.reduce((sum, { report }) => sum + (report?.stored_count ?? 0), 0);
        const parts = this.#tasks.length === 0 ? [] : [t('{done} of {count} files', { done: over, count: this.#tasks.length })];
        if (stored > 0) parts.push(t('{count} tracks added', { count: stored }));
        if (this.#passedOver > 0) parts.push(t('{count} files skipped (not music or zip)', { count: this.#passedOver }));
        this.#summary.textContent = parts.join(' · ');
    }

    /** @param {UploadTask} task */
    #row(task) {
        const state = h('small');
        const bar = h('progress.manage-progress', { max: 1, value: 0, 'aria-label': task.file.name });
        const cancel = textButton(t('Cancel'), () => task.cancel());
        const results = h('ul.manage-results');
        const row = listRow(task.file.name, [state, bar, results], cancel);
        const show = () => {
            const part = task.file.size > 0 ? task.sent / task.file.size : 0;
            bar.value = part;
            bar.hidden = task.isOver;
            cancel.hidden = task.isOver;
            state.classList.toggle('is-bad', task.state === 'failed');
            row.classList.toggle('is-good', task.state === 'done');
            const facts = [sizeText(task.file.size), stateTexts()[task.state], task.state === 'sending' && percentText(part)];
            state.textContent = [facts.filter(Boolean).join(' · '), task.message].filter(Boolean).join(': ');
            if (task.report) results.replaceChildren(...task.report.files.map(resultLine));
        };
        task.addEventListener('change', show);
        show();
        return row;
    }
}

/** Formats the result for one file. */
function resultLine(file) {
    const name = file.relative_path ?? file.file_name;
    const reason = errorText(file);
    return h(`li${file.status === 'refused' ? '.is-bad' : ''}`, {
        textContent: `${name}: ${resultTexts()[file.status] ?? file.status}${reason && ` (${reason})`}`,
    });
}
