import { AnalysisPanel } from './analysis-panel.js';
import { DuplicatesPanel } from './duplicates-panel.js';
import { h } from '../views/parts/dom.js';
import { FixesPanel } from './fixes-panel.js';
import { StatusPanel } from './status-panel.js';
import { TagsPanel } from './tags/tags-panel.js';
import { TrashPanel } from './trash-panel.js';
import { UploadPanel } from './uploads/upload-panel.js';

/**
 * Management of the host: analysis, uploads, tags, fixes, duplicates, trash and status.
 *
 * Panels exist as long as the view: uploads continue and failures are collected, whichever panel is shown.
 */
export class ManageView {
    /** @type {Map<string, {title: string, element: HTMLElement, open(): void, close(): void}>} */
    #panels;
    #tags;
    #upload;
    #tabs;
    #body = h('div.manage-body');
    /** @type {string} */
    #shown = '';
    #isOpen = false;

    /**
     * @param {HTMLElement} host container of the view
     * @param {{client: import('../host/host-client.js').HostClient, events: import('../host/host-events.js').HostEvents}} parts
     */
    constructor(host, parts) {
        this.#tags = new TagsPanel(parts);
        this.#upload = new UploadPanel(parts);
        this.#panels = new Map(Object.entries({
            status: new StatusPanel(parts),
            analysis: new AnalysisPanel(parts),
            upload: this.#upload,
            tags: this.#tags,
            fixes: new FixesPanel(parts),
            duplicates: new DuplicatesPanel(parts),
            trash: new TrashPanel(parts),
        }));
        this.#tabs = new Map();
        const list = h('div.manage-tabs', { role: 'tablist', 'aria-label': 'Manage', onkeydown: (event) => this.#key(event) });
        for (const [name, panel] of this.#panels) {
            const tab = h('button.manage-tab', {
                type: 'button',
                role: 'tab',
                id: `manage-tab-${name}`,
                'aria-controls': `manage-${name}`,
                textContent: panel.title,
                onclick: () => this.show(name),
            });
            this.#tabs.set(name, tab);
            list.append(tab);
            panel.element.id = `manage-${name}`;
            panel.element.setAttribute('role', 'tabpanel');
            panel.element.setAttribute('aria-labelledby', `manage-tab-${name}`);
        }
        host.classList.add('manage');
        host.replaceChildren(list, this.#body);
    }

    /** Starts updating the shown panel. */
    open() {
        this.#isOpen = true;
        this.show(this.#shown || 'status');
    }

    /** Stops updating the panel; uploads continue. */
    close() {
        this.#isOpen = false;
        this.#panels.get(this.#shown)?.close();
    }

    /** Shows a panel. @param {'status' | 'analysis' | 'upload' | 'tags' | 'fixes' | 'duplicates' | 'trash'} name */
    show(name) {
        const panel = this.#panels.get(name);
        if (!panel) return;
        this.#panels.get(this.#shown)?.close();
        this.#shown = name;
        for (const [each, tab] of this.#tabs) {
            tab.setAttribute('aria-selected', String(each === name));
            tab.tabIndex = each === name ? 0 : -1;
        }
        this.#tabs.get(name).scrollIntoView({ block: 'nearest', inline: 'nearest' });
        this.#body.replaceChildren(panel.element);
        if (this.#isOpen) panel.open();
    }

    /** Edits the tags of tracks selected elsewhere. @param {{id: number, relative_path: string}[]} tracks */
    editTags(tracks) {
        this.show('tags');
        return this.#tags.edit(tracks);
    }

    /** Uploads files dropped elsewhere. @param {File[]} files */
    upload(files) {
        this.show('upload');
        this.#upload.add(files);
    }

    /** @param {KeyboardEvent} event */
    #key(event) {
        const names = [...this.#panels.keys()];
        const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
        if (step === undefined) return;
        const name = names[(names.indexOf(this.#shown) + step + names.length) % names.length];
        this.show(name);
        this.#tabs.get(name).focus();
        event.preventDefault();
    }
}
