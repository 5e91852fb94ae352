import { closest, h } from '../parts/dom.js';
import { onMenu } from '../parts/menu.js';
import { selectionBar } from './selection-bar.js';
import { sortedIndexes } from './track-columns.js';
import { dragTracks } from './track-drag.js';
import { trackHead } from './track-head.js';
import { TrackLayout, wide } from './track-layout.js';
import { play, playNext, trackMenu } from './track-menu.js';
import { TrackSelection } from './track-selection.js';
import { TrackRow } from './track-row.js';
import { VirtualList } from './virtual-list.js';
import { t } from '../../texts/text.js';

/** @typedef {Pick<import('../../app.js').App, 'client' | 'covers' | 'downloads' | 'favourites' | 'go' | 'player' | 'playlists' | 'plays' | 'scroller' | 'settings' | 'trackActions'>} Parts what this module uses of the page */

/**
 * A list of tracks. Tapping a row or pressing Enter plays the list from there. In a wide window it is a table whose columns the
 * user chooses, moves, resizes and sorts by. Rows are selected with Shift and the arrow keys or clicks, or with Ctrl,
 * and are dragged to the queue and to playlists.
 *
 * @param {Parts} app
 * @param {object} options
 * @param {() => any[]} options.tracks in the order of the view
 * @param {string} options.label
 * @param {string} [options.view] whose columns it has: a key of the settings
 * @param {'cover' | 'number'} [options.lead] shown before the title
 * @param {boolean} [options.hasAlbum] whether the album is shown
 * @param {(track: any, index: number) => any[]} [options.menu] additional menu items of a row
 * @param {(index: number, event: KeyboardEvent) => void} [options.onKey]
 * @param {boolean} [options.isRanked] whether the table has no head: its order is that of the view
 * @param {(index: number) => any} [options.key] identifies a row, if a track may occur more than once
 */
export function trackList(
    app,
    { tracks, label, view = 'other', lead = 'cover', hasAlbum = true, isRanked = false, menu, onKey, key },
) {
    const listeners = new AbortController();
    const { signal } = listeners;
    const layout = new TrackLayout(app.settings, view);
    const shown = new ShownTracks(app, layout, tracks, isRanked);
    const keyOf = (index) => (key ? key(shown.place(index)) : shown.tracks[index]?.id);
    const selection = new TrackSelection({ count: () => shown.tracks.length, key: keyOf });
    const selected = () => selection.indexes.map((index) => shown.tracks[index]);
    const start = (index) => {
        if (shown.tracks[index]) play(app, shown.tracks, index, { shuffle: app.player.queue.shuffle ? undefined : false });
    };
    /** The tracks that an action on a row is for: all selected ones if it is one of them. */
    const targets = (index) => (selection.has(index) && selection.size > 1 ? selected() : [shown.tracks[index]]);
    const showMenu = (index, at) => {
        const track = shown.tracks[index];
        if (!track) return;
        const chosen = targets(index);
        const more = chosen.length > 1 ? [] : [
            {
                label: selection.has(index) ? t('Deselect') : t('Select'),
                icon: 'check',
                action: () => selection.toggle(index),
            },
            ...(menu?.(track, shown.place(index)) ?? []),
        ];
        trackMenu(app, chosen, at, { more });
    };
    /** @type {WeakMap<Element, TrackRow>} */
    const rows = new WeakMap();
    const make = () => {
        const row = new TrackRow(app, { lead, hasAlbum }, layout);
        rows.set(row.element, row);
        return row.element;
    };
    const list = new VirtualList({
        scroller: app.scroller,
        count: () => shown.tracks.length,
        make,
        label,
        key: keyOf,
        state: (index) => [shown.tracks[index], layout.isTable, layout.version],
        fill: (element, index, isHurried) => rows.get(element)?.show(shown.tracks[index], isHurried, selection.has(index)),
        rest: (element) => rows.get(element)?.finish(),
        className: `tracks${hasAlbum ? '' : '.no-album'}`,
        rowHeight: () =>
            layout.isTable
                ? (app.settings.get('appearance.density') === 'compact' ? 34 : 40)
                : (app.settings.get('appearance.density') === 'compact' ? 46 : 58),
        onOpen: start,
        onMove: (index, event) => {
            if (event.shiftKey) selection.extend(index);
            else selection.start(index);
        },
        onKey: (index, event) => {
            const track = shown.tracks[index];
            if (!track) return;
            const isCommand = event.ctrlKey || event.metaKey;
            if (event.key === ' ' && !isCommand) return;
            if (event.key === ' ') selection.toggle(index);
            else if (event.key === 'a' && isCommand) selection.all();
            else if (event.key === 'Escape' && selection.size) selection.clear();
            else if (event.key === 'm' || event.key === 'ContextMenu' || (event.shiftKey && event.key === 'F10')) {
                showMenu(index, event.target);
            } else if (event.key === 'f' && !isCommand) star(app, targets(index));
            else if (event.key === 'x' && !isCommand) playNext(app, targets(index));
            else {
                onKey?.(shown.place(index), event);
                return;
            }
            event.preventDefault();
            event.stopPropagation();
        },
    });
    const head = trackHead(layout);
    const bar = selectionBar(app, selection, selected);
    const element = h('div.track-table', null, head, list.element, bar);
    const style = () => {
        element.style.setProperty('--track-columns', layout.template);
        element.classList.toggle('is-table', layout.isTable);
        head.hidden = !layout.isTable || isRanked;
        if (layout.isTable && layout.columns.some(({ name }) => name === 'plays')) app.plays.need();
    };
    const redraw = () => {
        style();
        shown.forget();
        list.refresh({ isAnchored: false });
    };
    layout.addEventListener('change', redraw);
    layout.addEventListener('resize', style);
    wide.addEventListener('change', redraw, { signal });
    style();
    selection.addEventListener('change', () => {
        for (const [index, row] of list.rows) rows.get(row)?.select(selection.has(index));
    });
    list.element.addEventListener('click', (event) => {
        const row = closest(event, '[data-index]');
        if (!row || closest(event, 'a[href]')) return;
        const index = Number(row.dataset.index);
        const button = closest(event, 'button');
        if (button?.classList.contains('track-play')) {
            if (app.player.current?.id === shown.tracks[index]?.id) app.player.toggle();
            else start(index);
        } else if (button) showMenu(index, button);
        else if (event.ctrlKey || event.metaKey) selection.toggle(index);
        else if (event.shiftKey) selection.extend(index);
        // A tap plays; a mouse click only selects, and a double click plays.
        else if (matchMedia('(pointer: coarse)').matches && !selection.size) start(index);
        else if (matchMedia('(pointer: coarse)').matches) selection.toggle(index);
        else {
            selection.start(index);
            row.focus({ preventScroll: true });
        }
    });
    dragTracks(list.element, (event) => {
        const row = closest(event, '[data-index]');
        return row ? targets(Number(row.dataset.index)) : [];
    });
    // Shift and a click would select the page's text.
    list.element.addEventListener('mousedown', (event) => {
        if (event.shiftKey) event.preventDefault();
    });
    onMenu(list.element, (at, event) => {
        const row = closest(event, '[data-index]');
        if (row) showMenu(Number(row.dataset.index), at);
    });
    const mark = () => {
        for (const [, row] of list.rows) rows.get(row)?.mark();
    };
    app.player.addEventListener('track', mark, { signal });
    app.player.addEventListener('state', mark, { signal });
    const markDownloads = (track) => {
        for (const [, element] of list.rows) {
            const row = rows.get(element);
            if (!track || track.audio_hash === row?.track?.audio_hash) row?.markDownload();
        }
    };
    app.favourites.addEventListener('change', () => markDownloads(), { signal });
    app.plays.addEventListener('change', () => {
        if (layout.order?.column.name === 'plays') {
            shown.forget();
            list.refresh();
        }
        markDownloads();
    }, { signal });
    app.downloads.addEventListener('progress', (/** @type {any} */ { detail }) => markDownloads(detail.track), { signal });
    return {
        element,
        list,
        selection,
        selected,
        refresh: (options) => {
            // On the page of an album, its artist is above the list.
            const [first] = tracks();
            if (!hasAlbum) layout.omit('artist', Boolean(first) && tracks().every((track) => track.artist === first.artist));
            shown.forget();
            list.refresh(options);
            selection.prune();
        },
        close: () => {
            listeners.abort();
            list.close();
        },
    };
}

/** Adds tracks to the favourites, or removes them if all of them are there. */
function star(app, tracks) {
    const isStarred = tracks.every((track) => app.favourites.isStarred('tracks', track.id));
    for (const track of tracks) app.favourites.star('tracks', track.id, !isStarred);
}

/** The tracks of a list in the order of the table. */
class ShownTracks {
    #app;
    #layout;
    #source;
    #isRanked;
    /** @type {{source: any[], tracks: any[], places: number[] | null} | null} */
    #known = null;

    /**
     * @param {Parts} app @param {TrackLayout} layout @param {() => any[]} source the tracks in the order of the view
     * @param {boolean} isRanked whether they stay in this order
     */
    constructor(app, layout, source, isRanked) {
        this.#app = app;
        this.#layout = layout;
        this.#source = source;
        this.#isRanked = isRanked;
    }

    /** The tracks are sorted again when they are asked for. */
    forget() {
        this.#known = null;
    }

    get tracks() {
        return this.#sorted().tracks;
    }

    /** Returns the place of a row in the order of the view. @param {number} index */
    place(index) {
        return this.#sorted().places?.[index] ?? index;
    }

    #sorted() {
        const source = this.#source();
        if (this.#known?.source === source) return this.#known;
        const order = this.#isRanked ? null : this.#layout.order;
        const places = order ? sortedIndexes(source, order.column, order.isDescending, this.#app) : null;
        this.#known = { source, tracks: places ? places.map((index) => source[index]) : source, places };
        return this.#known;
    }
}
