import { textButton } from '../../views/parts/buttons.js';
import { h } from '../../views/parts/dom.js';
import { moveToTrash } from './tag-actions.js';
import { showTagSheet } from './tag-sheet.js';
import { t } from '../../texts/text.js';

/** @typedef {import('../../library/host-tracks.js').HostTracks} HostTracks */

/**
 * The songs of the library, and the list that shows them.
 *
 * @typedef {object} Songs
 * @property {(text: string) => any[] | HostTracks} find songs that match a search; all for an empty one
 * @property {EventTarget} source dispatches 'change' when songs have changed
 * @property {(tracks: () => any[] | HostTracks) => {element: HTMLElement, selection: EventTarget & {size: number},
 *     selected: () => any[], refresh: (options?: object) => void, close: () => void}} list creates a list
 */

/** Finds songs, edits the tags of the selected ones and moves them to the trash. */
export class TagsPanel {
    title = t('Tags');
    #client;
    /** @type {Songs} */
    #songs;
    #search;
    #note = h('p.manage-hint', { role: 'status' });
    #edit;
    #trash;
    #place = h('div');
    /** @type {any[] | HostTracks} */
    #tracks = [];
    /** @type {ReturnType<Songs['list']> | null} */
    #list = null;
    #listeners = new AbortController();

    constructor({ client, history, songs }) {
        this.#client = client;
        this.#songs = songs;
        this.#search = h('input.field.manage-search', {
            type: 'search',
            placeholder: t('Title, artist, album…'),
            'aria-label': t('Search songs'),
            autocomplete: 'off',
            oninput: () => this.#find({ isAnchored: false }),
        });
        const parts = { client, history };
        this.#edit = textButton(t('Edit tags…'), () => showTagSheet(parts, this.#list?.selected() ?? []), {
            name: 'edit',
            kind: 'is-main',
        });
        this.#trash = textButton(t('Move to trash…'), () => moveToTrash(this.#client, this.#list?.selected() ?? []), {
            name: 'trash',
            kind: 'is-danger',
        });
        this.element = h(
            'div.manage-panel.manage-tags',
            null,
            h('div.manage-actions', null, this.#search, this.#edit, this.#trash),
            this.#note,
            this.#place,
        );
    }

    open() {
        const list = this.#list = this.#songs.list(() => this.#tracks);
        this.#listeners = new AbortController();
        const { signal } = this.#listeners;
        list.selection.addEventListener('change', () => this.#count(), { signal });
        this.#songs.source.addEventListener('change', () => this.#find(), { signal });
        this.#place.replaceChildren(list.element);
        this.#find();
    }

    close() {
        this.#listeners.abort();
        this.#list?.close();
        this.#list = null;
        this.#place.replaceChildren();
    }

    #find(options) {
        this.#tracks = this.#songs.find(this.#search.value.trim());
        this.#list?.refresh(options);
        this.#count();
    }

    #count() {
        const size = this.#list?.selection.size ?? 0;
        this.#edit.disabled = size === 0;
        this.#trash.disabled = size === 0;
        const facts = { count: this.#tracks.length, selected: size };
        this.#note.textContent = size === 0
            ? t('{count} songs. Select songs with a click, Shift or Ctrl.', facts)
            : t('{count} songs. {selected} selected.', facts);
    }
}
