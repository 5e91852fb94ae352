import { dangerousButton, textButton } from '../../views/parts/buttons.js';
import { h } from '../../views/parts/dom.js';
import { counted } from '../../views/parts/texts.js';
import { TagEditor } from './tag-editor.js';

/** Maximum number of search results, and the delay in milliseconds between typing and the search. */
const FOUND = 200;
const DELAY = 200;

/** Finds tracks, edits their tags and moves tracks to the trash. */
export class TagsPanel {
    title = 'Tags';
    #client;
    #search;
    #list = h('div.manage-list.is-short', { role: 'list', 'aria-label': 'Tracks' });
    #note = h('p.manage-note', { role: 'status' });
    #edit;
    #editor;
    #found = [];
    /** @type {Map<number, {id: number, relative_path: string}>} */
    #chosen = new Map();
    #timer = 0;

    constructor({ client }) {
        this.#client = client;
        this.#search = h('input.manage-search', {
            type: 'search',
            placeholder: 'Title, artist, album…',
            'aria-label': 'Search tracks',
            autocomplete: 'off',
            oninput: () => {
                clearTimeout(this.#timer);
                this.#timer = setTimeout(() => this.#find(), DELAY);
            },
        });
        this.#edit = textButton('Edit', () => this.#editor.open([...this.#chosen.values()]), { kind: 'is-main' });
        const all = textButton('Select all', () => this.#choose(this.#found.length > this.#chosen.size ? this.#found : []));
        const trash = dangerousButton('Move to trash', 'Move to trash?', () => this.#remove());
        this.#editor = new TagEditor({ client });
        this.#editor.addEventListener('saved', () => this.#find());
        this.element = h(
            'div.manage-panel',
            {},
            h('div.manage-actions', {}, this.#search, all, this.#edit, trash),
            this.#note,
            this.#list,
            this.#editor.element,
        );
    }

    open() {
        this.#find();
    }

    close() {
        clearTimeout(this.#timer);
    }

    /** Opens the form for tracks selected elsewhere. @param {{id: number, relative_path: string}[]} tracks */
    edit(tracks) {
        this.#choose(tracks);
        return this.#editor.open(tracks);
    }

    async #find() {
        const q = this.#search.value.trim();
        try {
            const { items, total } = await this.#client.json('/api/tracks', { query: { q: q || undefined, limit: FOUND } });
            if (q !== this.#search.value.trim()) return;
            this.#found = items;
            this.#note.textContent = total > items.length
                ? `First ${items.length} of ${counted(total, 'track')}`
                : counted(total, 'track');
            this.#show();
        } catch (error) {
            this.#note.textContent = error.message;
        }
    }

    #show() {
        this.#list.replaceChildren(...this.#found.map((track) => {
            const box = h('input', {
                type: 'checkbox',
                checked: this.#chosen.has(track.id),
                onchange: () => {
                    if (box.checked) this.#chosen.set(track.id, track);
                    else this.#chosen.delete(track.id);
                    this.#count();
                },
            });
            return h(
                'div.manage-row',
                { role: 'listitem' },
                h(
                    'label.manage-choice',
                    {},
                    box,
                    h(
                        'div.manage-row-text',
                        {},
                        h('strong', { textContent: track.title ?? track.relative_path }),
                        h('span', { textContent: [track.artist, track.album].filter(Boolean).join(' · ') }),
                    ),
                ),
                textButton('Edit', () => this.#editor.open([track])),
            );
        }));
        this.#count();
    }

    #choose(tracks) {
        this.#chosen = new Map(tracks.map((track) => [track.id, track]));
        this.#show();
    }

    #count() {
        this.#edit.textContent = this.#chosen.size === 0 ? 'Edit' : `Edit ${this.#chosen.size}`;
        this.#edit.disabled = this.#chosen.size === 0;
    }

    async #remove() {
        const tracks = [...this.#chosen.values()];
        let count = 0;
        try {
            for (const track of tracks) {
                await this.#client.json(`/tracks/${track.id}`, { method: 'DELETE' });
                this.#chosen.delete(track.id);
                count++;
            }
        } catch (error) {
            this.#note.textContent = error.message;
        }
        await this.#find();
        if (count > 0) this.#note.textContent = `${counted(count, 'track')} moved to trash.`;
    }
}
