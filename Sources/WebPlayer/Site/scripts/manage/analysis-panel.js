import { errorText } from '../host/code-texts.js';
import { textButton } from '../views/parts/buttons.js';
import { h } from '../views/parts/dom.js';
import { endPlaceholders, markBusy, startPlaceholders } from '../views/parts/placeholder.js';
import { emptyRow, listRow, rowList, settingsGroup } from '../views/parts/setting-rows.js';
import { listText, momentText } from '../views/parts/texts.js';
import { t } from '../texts/text.js';

const stateTexts = () => ({
    preparing: t('scanning files'),
    running: t('analysing'),
    finished: t('done'),
    cancelled: t('cancelled'),
});
/** Milliseconds between polls of running jobs while the event connection is down. */
const INTERVAL = 3000;
/** Maximum number of failures listed. */
const FAILURE_LIMIT = 500;

/** Analysis jobs with live progress, and the tracks that failed. */
export class AnalysisPanel {
    title = t('Analysis');
    #client;
    #events;
    #note = h('p.manage-note', { role: 'status' });
    #jobs = rowList(t('Jobs'));
    #failures = rowList(t('Failures'));
    #live = h('p.manage-hint', { role: 'status' });
    /** @type {Map<number, {row: HTMLElement, update: (job: any) => void, job: any}>} */
    #rows = new Map();
    /** @type {Map<string, {relative_path: string, code: string, message: string}>} */
    #failed = new Map();
    #failedCount = 0;
    #ready = 0;
    #timer = 0;
    #onMessage = (event) => this.#take(event.detail);
    #onResync = () => this.#load();

    constructor({ client, events }) {
        this.#client = client;
        this.#events = events;
        this.element = h(
            'div.manage-panel',
            {},
            h(
                'div.manage-actions',
                {},
                textButton(t('Analyse new tracks'), () => this.#start({ all: true }), { kind: 'is-main' }),
                textButton(t('Analyse all again'), () => this.#start({ all: true, force: true })),
            ),
            this.#note,
            this.#live,
            settingsGroup(t('Jobs'), this.#jobs),
            settingsGroup(t('Failures'), this.#failures),
        );
        // Failures are collected even while another panel is shown.
        events?.addEventListener('message', this.#onMessage);
        events?.addEventListener('resync', this.#onResync);
    }

    open() {
        startPlaceholders('setting', this.#jobs, this.#failures);
        markBusy(this.element, true);
        this.#load();
        this.#timer = setInterval(() => {
            const isAtWork = [...this.#rows.values()].some(({ job }) => job.state === 'preparing' || job.state === 'running');
            if (isAtWork && !this.#events?.isOpen) this.#load();
        }, INTERVAL);
    }

    close() {
        clearInterval(this.#timer);
    }

    async #load() {
        try {
            const { jobs } = await this.#client.json('/jobs', { query: { limit: 20 } });
            this.#rows.clear();
            this.#jobs.replaceChildren();
            for (const job of [...jobs].reverse()) this.#showJob(job);
            if (jobs.length === 0) this.#jobs.replaceChildren(emptyRow(t('No jobs yet.')));
            await this.#loadFailures();
            this.#note.textContent = '';
        } catch (error) {
            endPlaceholders(this.#jobs, this.#failures);
            this.#note.textContent = error.message;
        }
        markBusy(this.element, false);
    }

    /** Loads all failures the host knows, including those of earlier jobs. */
    async #loadFailures() {
        const { failures, total } = await this.#client.json('/analysis/failures', { query: { limit: FAILURE_LIMIT } });
        this.#failed.clear();
        for (const failure of failures.reverse()) this.#failed.set(failure.relative_path, failure);
        this.#failedCount = total;
        this.#showFailures();
    }

    async #start(wanted) {
        try {
            this.#showJob(await this.#client.json('/visualizer/precompute', { method: 'POST', body: wanted }));
            this.#note.textContent = '';
        } catch (error) {
            this.#note.textContent = error.message;
        }
    }

    async #end(id) {
        try {
            const job = await this.#client.json(`/jobs/${id}`, { method: 'DELETE' });
            if (job) this.#showJob(job);
        } catch (error) {
            this.#note.textContent = error.message;
        }
    }

    /** Handles an event of the host. */
    #take(message) {
        switch (message?.type) {
            case 'job_progress':
                this.#showJob(message.job);
                if (message.job.state === 'finished' && message.job.failed > 0) this.#loadFailures().catch(() => {});
                break;
            case 'analysis_failed':
                this.#failed.set(message.relative_path, message);
                this.#showFailures();
                break;
            case 'profiles_ready':
                this.#ready += message.tracks.length;
                for (const track of message.tracks) this.#failed.delete(track.relative_path);
                this.#live.textContent = t('{count} tracks analysed since you opened this page; last: {path}', {
                    count: this.#ready,
                    path: message.tracks.at(-1)?.relative_path ?? '',
                });
                this.#showFailures();
                break;
            case 'warning':
                this.#note.textContent = message.message;
                break;
            default:
        }
    }

    #showJob(job) {
        let row = this.#rows.get(job.id);
        if (!row) {
            if (this.#rows.size === 0) this.#jobs.replaceChildren();
            row = this.#jobRow(job);
            this.#rows.set(job.id, row);
            this.#jobs.prepend(row.row);
        }
        row.job = job;
        row.update(job);
    }

    #jobRow(first) {
        const text = h('small');
        const bar = h('progress.manage-progress', { max: 1, 'aria-label': t('Job {id}', { id: String(first.id) }) });
        const end = textButton(t('Cancel'), () => this.#end(first.id));
        const parts = first.parts.map((part) => (part === 'profile' ? t('Profiles') : t('spectra')));
        const row = listRow(`${listText(parts)} · ${momentText(first.created_at)}`, [text, bar], end);
        const update = (job) => {
            const over = job.done + job.failed + job.cancelled;
            const facts = { state: stateTexts()[job.state] ?? job.state, done: job.done, count: job.total, failed: job.failed };
            text.textContent = job.failed > 0
                ? t('{state}: {done} of {count} files, {failed} failed', facts)
                : t('{state}: {done} of {count} files', facts);
            const isOver = job.state === 'finished' || job.state === 'cancelled';
            if (job.state === 'preparing') bar.removeAttribute('value');
            else bar.value = job.total > 0 ? over / job.total : 1;
            bar.hidden = isOver;
            end.hidden = isOver;
        };
        return { row, update, job: first };
    }

    #showFailures() {
        while (this.#failed.size > FAILURE_LIMIT) this.#failed.delete(this.#failed.keys().next().value);
        const rows = [...this.#failed.values()].reverse().map((failure) =>
            listRow(
                failure.relative_path,
                [h('small.is-bad', null, errorText(failure))],
                h('span.manage-badge', null, failure.code),
                textButton(t('Retry'), () => this.#start({ relative_path: failure.relative_path, force: true })),
            )
        );
        const unseen = this.#failedCount - rows.length;
        if (unseen > 0 && rows.length === FAILURE_LIMIT) {
            rows.push(emptyRow(t('And {count} files more.', { count: unseen })));
        }
        this.#failures.replaceChildren(
            ...(rows.length > 0 ? rows : [emptyRow(t('No failures. A failed file is analysed again when it changes.'))]),
        );
    }
}
