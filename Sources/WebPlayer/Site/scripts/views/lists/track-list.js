import { closest } from '../parts/dom.js';
import { onMenu } from '../parts/menu.js';
import { play, playNext, trackMenu } from './track-menu.js';
import { TrackRow } from './track-row.js';
import { VirtualList } from './virtual-list.js';

/** @typedef {Pick<import('../../app.js').App, 'client' | 'covers' | 'downloads' | 'favourites' | 'go' | 'player' | 'playlists' | 'scroller' | 'settings' | 'trackActions'>} Parts what this module uses of the page */

/**
 * A list of tracks. Tapping a row or pressing Enter plays the list from there.
 *
 * @param {Parts} app
 * @param {object} options
 * @param {() => any[]} options.tracks
 * @param {string} options.label
 * @param {'cover' | 'number'} [options.lead] shown before the title
 * @param {boolean} [options.hasAlbum] whether the album has a column
 * @param {(track: any, index: number) => any[]} [options.menu] additional menu items of a row
 * @param {(index: number, event: KeyboardEvent) => void} [options.onKey]
 * @param {(index: number) => any} [options.key] identifies a row, if a track may occur more than once
 */
export function trackList(app, { tracks, label, lead = 'cover', hasAlbum = true, menu, onKey, key }) {
    const listeners = new AbortController();
    const start = (index) => {
        if (tracks()[index]) play(app, tracks(), index, { shuffle: app.player.queue.shuffle ? undefined : false });
    };
    const showMenu = (index, at) => {
        const track = tracks()[index];
        if (track) trackMenu(app, [track], at, { more: menu?.(track, index) });
    };
    /** @type {WeakMap<Element, TrackRow>} */
    const rows = new WeakMap();
    const make = () => {
        const row = new TrackRow(app, { lead, hasAlbum });
        rows.set(row.element, row);
        return row.element;
    };
    const list = new VirtualList({
        scroller: app.scroller,
        count: () => tracks().length,
        make,
        label,
        key: key ?? ((index) => tracks()[index].id),
        state: (index) => [tracks()[index]],
        fill: (element, index, isHurried) => rows.get(element)?.show(tracks()[index], isHurried),
        rest: (element) => rows.get(element)?.finish(),
        className: `tracks${hasAlbum ? '' : '.no-album'}`,
        rowHeight: () => (app.settings.get('appearance.density') === 'compact' ? 46 : 58),
        onOpen: start,
        onKey: (index, event) => {
            const track = tracks()[index];
            if (!track) return;
            if (event.key === ' ') return;
            if (event.key === 'm' || event.key === 'ContextMenu' || (event.shiftKey && event.key === 'F10')) {
                showMenu(index, event.target);
                event.preventDefault();
                event.stopPropagation();
            } else if (event.key === 'f' && !event.ctrlKey && !event.metaKey) {
                app.favourites.star('tracks', track.id, !app.favourites.isStarred('tracks', track.id));
                event.stopPropagation();
            } else if (event.key === 'x') {
                playNext(app, [track]);
                event.stopPropagation();
            } else onKey?.(index, event);
        },
    });
    const { signal } = listeners;
    list.element.addEventListener('click', (event) => {
        const element = closest(event, '[data-index]');
        if (!element || closest(event, 'a[href]')) return;
        const index = Number(element.dataset.index);
        const button = closest(event, 'button');
        if (button?.classList.contains('track-play')) {
            if (app.player.current?.id === tracks()[index]?.id) app.player.toggle();
            else start(index);
        } else if (button) showMenu(index, button);
        // A tap plays; a mouse click only selects, and a double click plays.
        else if (matchMedia('(pointer: coarse)').matches) start(index);
        else element.focus({ preventScroll: true });
    });
    onMenu(list.element, (at, event) => {
        const element = closest(event, '[data-index]');
        if (element) showMenu(Number(element.dataset.index), at);
    });
    const mark = () => {
        for (const [, element] of list.rows) rows.get(element)?.mark();
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
    app.downloads.addEventListener('progress', (/** @type {any} */ { detail }) => markDownloads(detail.track), { signal });
    return {
        element: list.element,
        list,
        refresh: (options) => list.refresh(options),
        close: () => {
            listeners.abort();
            list.close();
        },
    };
}
