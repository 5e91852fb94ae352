import { AnalysisPanel } from './analysis-panel.js';
import { DuplicatesPanel } from './duplicates-panel.js';
import { h } from '../views/parts/dom.js';
import { FixesPanel } from './fixes/fixes-panel.js';
import { StatusPanel } from './status-panel.js';
import { TagsPanel } from './tags/tags-panel.js';
import { TrashPanel } from './trash-panel.js';
import { UploadPanel } from './uploads/upload-panel.js';
import { t } from '../texts/text.js';

/**
 * Management of the host: analysis, uploads, tags, fixes, duplicates, trash and status. Dispatches 'show' when the user chooses
 * another panel.
 *
 * Panels exist as long as the view: uploads continue and failures are collected, whichever panel is shown.
 */
export class ManageView extends EventTarget {
    /** @type {Map<string, {title: string, element: HTMLElement, open(): void, close(): void}>} */
    #panels;
    #upload;
    #tabs;
    #body = h('div.manage-body');
    #shown = 'status';
    #isOpen = false;

    /**
     * @param {HTMLElement} host container of the view
     * @param {object} parts
     * @param {import('../host/host-client.js').HostClient} parts.client
     * @param {import('../host/host-events.js').HostEvents} parts.events
     * @param {import('./tags/edit-history.js').EditHistory} parts.history
     * @param {import('./tags/tags-panel.js').Songs} parts.songs
     */
    constructor(host, parts) {
        super();
        this.#upload = new UploadPanel(parts);
        this.#panels = new Map(Object.entries({
            status: new StatusPanel(parts),
            analysis: new AnalysisPanel(parts),
            upload: this.#upload,
            tags: new TagsPanel(parts),
            fixes: new FixesPanel(parts),
            duplicates: new DuplicatesPanel(parts),
            trash: new TrashPanel(parts),
        }));
        this.#tabs = new Map();
        const list = h('div.manage-tabs', { role: 'tablist', 'aria-label': t('Manage'), onkeydown: (event) => this.#key(event) });
        for (const [name, panel] of this.#panels) {
            const tab = h('button.manage-tab', {
                type: 'button',
                role: 'tab',
                id: `manage-tab-${name}`,
                'aria-controls': `manage-${name}`,
                textContent: panel.title,
                onclick: () => this.#choose(name),
            });
            this.#tabs.set(name, tab);
            list.append(tab);
            panel.element.id = `manage-${name}`;
            panel.element.setAttribute('role', 'tabpanel');
            panel.element.setAttribute('aria-labelledby', `manage-tab-${name}`);
        }
        host.replaceChildren(list, this.#body);
    }

    /** Name of the shown panel. */
    get shown() {
        return this.#shown;
    }

    /** Starts updating the shown panel. @param {string} [name] another panel to show; unknown ones are ignored */
    open(name = this.#shown) {
        this.#isOpen = true;
        this.show(this.#panels.has(name) ? name : this.#shown);
    }

    /** Stops updating the panel; uploads continue. */
    close() {
        this.#isOpen = false;
        this.#panels.get(this.#shown)?.close();
    }

    /** Shows a panel. @param {string} name `status`, `analysis`, `upload`, `tags`, `fixes`, `duplicates` or `trash` */
    show(name) {
        const panel = this.#panels.get(name);
        if (!panel) return;
        this.#panels.get(this.#shown)?.close();
        this.#shown = name;
        for (const [each, tab] of this.#tabs) {
            tab.setAttribute('aria-selected', String(each === name));
            tab.tabIndex = each === name ? 0 : -1;
        }
        // The view may not be in the page yet.
        queueMicrotask(() => this.#tabs.get(name).scrollIntoView({ block: 'nearest', inline: 'nearest' }));
        this.#body.replaceChildren(panel.element);
        if (this.#isOpen) panel.open();
    }

    /** Whether files are being uploaded. */
    get isUploading() {
        return this.#upload.isUploading;
    }

    /** Uploads files dropped elsewhere. @param {File[]} files */
    upload(files) {
        this.#upload.add(files);
    }

    #choose(name) {
        this.show(name);
        this.dispatchEvent(new Event('show'));
    }

    /** @param {KeyboardEvent} event */
    #key(event) {
        const names = [...this.#panels.keys()];
        const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
        if (step === undefined) return;
        const name = names[(names.indexOf(this.#shown) + step + names.length) % names.length];
        this.#choose(name);
        this.#tabs.get(name).focus();
        event.preventDefault();
    }
}
