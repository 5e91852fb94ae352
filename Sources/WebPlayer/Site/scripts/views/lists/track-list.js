import { closest, h } from '../parts/dom.js';
import { onMenu } from '../parts/menu.js';
import { selectionBar } from './selection-bar.js';
import { dragTracks } from './track-drag.js';
import { trackHead } from './track-head.js';
import { ShownTracks } from './shown-tracks.js';
import { TrackLayout, wide } from './track-layout.js';
import { play, playNext, trackMenu } from './track-menu.js';
import { MOST } from '../../library/host-tracks.js';
import { orToast, toast } from '../parts/toast.js';
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
 * @param {() => any[] | import('../../library/host-tracks.js').HostTracks} options.tracks in the order of the view
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
    const trackAt = (index) => shown.tracks.at(index);
    const keyOf = (index) => (key ? key(shown.place(index)) : shown.peek(index)?.id);
    const selection = new TrackSelection({
        count: () => shown.tracks.length,
        key: keyOf,
        track: (index) => shown.peek(index),
        isWindowed: () => shown.isWindowed,
    });
    const selected = () => selection.tracks;
    const start = (index) => {
        if (trackAt(index)) play(app, shown.tracks, index, { shuffle: app.player.queue.shuffle ? undefined : false });
    };
    /** Selects the rows of a range, which may have to be read first. */
    const selectRange = async (from, to) => {
        const { tracks } = shown;
        if (Array.isArray(tracks)) return;
        if (to - from > MOST) toast(t('At most {number} songs can be selected at once', { number: MOST }));
        else await orToast(async () => selection.choose(from, await tracks.slice(from, to)));
    };
    /** Selects the rows from the last chosen one to another. */
    const selectTo = (index) => {
        const { anchor } = selection;
        if (shown.isWindowed) selectRange(Math.min(anchor, index), Math.max(anchor, index) + 1);
        else selection.extend(index);
    };
    const selectAll = () => {
        if (shown.isWindowed) selectRange(0, shown.tracks.length);
        else selection.all();
    };
    /** The tracks that an action on a row is for: all selected ones if it is one of them. */
    const targets = (index) => (selection.has(index) && selection.size > 1 ? selected() : [trackAt(index)]);
    const showMenu = (index, at) => {
        const track = trackAt(index);
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
        isByIndex: () => shown.isWindowed,
        state: (index) => [trackAt(index), layout.isTable, layout.version],
        fill: (element, index, isHurried) => rows.get(element)?.show(trackAt(index), isHurried, selection.has(index)),
        rest: (element) => rows.get(element)?.finish(),
        className: `tracks${hasAlbum ? '' : '.no-album'}`,
        rowHeight: () =>
            layout.isTable
                ? (app.settings.get('appearance.density') === 'compact' ? 34 : 40)
                : (app.settings.get('appearance.density') === 'compact' ? 46 : 58),
        onOpen: start,
        onMove: (index, event) => {
            if (event.shiftKey) selectTo(index);
            else selection.start(index);
        },
        onKey: (index, event) => {
            const track = trackAt(index);
            if (!track) return;
            const isCommand = event.ctrlKey || event.metaKey;
            if (event.key === ' ' && !isCommand) return;
            if (event.key === ' ') selection.toggle(index);
            else if (event.key === 'a' && isCommand) selectAll();
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
    const head = trackHead(layout, (name) => shown.canSort(name));
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
            if (app.player.current && app.player.current.id === trackAt(index)?.id) app.player.toggle();
            else start(index);
        } else if (button) showMenu(index, button);
        else if (event.ctrlKey || event.metaKey) selection.toggle(index);
        else if (event.shiftKey) selectTo(index);
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
    shown.addEventListener('load', (/** @type {any} */ { detail: { from, to } }) => {
        for (const [index] of [...list.rows]) if (index >= from && index < to) list.update(index);
    });
    shown.addEventListener('length', () => list.refresh({ isAnchored: false }));
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
            const all = tracks();
            if (!hasAlbum && Array.isArray(all)) {
                layout.omit('artist', all.length > 0 && all.every((track) => track.artist === all[0].artist));
            }
            shown.forget();
            list.refresh(options);
            selection.prune();
        },
        close: () => {
            listeners.abort();
            shown.close();
            list.close();
        },
    };
}

/** Adds tracks to the favourites, or removes them if all of them are there. */
function star(app, tracks) {
    const isStarred = tracks.every((track) => app.favourites.isStarred('tracks', track.id));
    for (const track of tracks) app.favourites.star('tracks', track.id, !isStarred);
}
