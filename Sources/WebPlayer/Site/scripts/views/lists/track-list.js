import { clock, h } from '../parts/dom.js';
import { icon } from '../parts/icons.js';
import { iconButton } from '../parts/buttons.js';
import { cover } from '../parts/cover.js';
import { downloadMark } from '../parts/download-mark.js';
import { onMenu } from '../parts/menu.js';
import { artistOf, titleOf } from '../../library/track-text.js';
import { VirtualList } from './virtual-list.js';
import { play, playNext, trackMenu } from './track-menu.js';

/**
 * Tracks in rows: tap or Enter plays from there on.
 *
 * @param {any} app
 * @param {object} options
 * @param {() => any[]} options.tracks
 * @param {string} options.label
 * @param {'cover' | 'number'} [options.lead] what stands before the title
 * @param {boolean} [options.hasAlbum] whether the album has a column
 * @param {(track: any, index: number) => any[]} [options.menu] what else the menu of a row has
 * @param {(index: number, event: KeyboardEvent) => void} [options.onKey]
 */
export function trackList(app, { tracks, label, lead = 'cover', hasAlbum = true, menu, onKey }) {
    const listeners = new AbortController();
    const start = index => {
        if (tracks()[index]) play(app, tracks(), index, { shuffle: app.player.queue.shuffle ? undefined : false });
    };
    const showMenu = (index, at) => {
        const track = tracks()[index];
        if (track) trackMenu(app, [track], at, { more: menu?.(track, index) });
    };
    const make = index => {
        const track = tracks()[index];
        const isCurrent = app.player.current?.id === track.id;
        const isStarred = app.favourites.isStarred('tracks', track.id);
        const row = h('div.track-row', { 'aria-label': `${titleOf(track)}, ${artistOf(track)}, ${clock(track.duration_seconds)}`, 'aria-current': isCurrent ? 'true' : undefined, 'data-track': track.id },
            h('div.track-lead', null,
                lead === 'cover' ? cover(app.covers, track, 44) : h('span.track-number', null, track.track_number ?? '·'),
                h('button.track-play', { type: 'button', tabindex: '-1', 'aria-label': `Play ${titleOf(track)}`, onclick: event => {
                    event.stopPropagation();
                    if (app.player.current?.id === track.id) app.player.toggle();
                    else start(index);
                } }, icon('play'), h('i.bars', { 'aria-hidden': 'true' }, h('b'), h('b'), h('b')))),
            h('div.track-names', null, h('span.track-title', null, titleOf(track)), h('span.track-artist', null,
                track.artist_id ? h('a', { href: `#/artists/${track.artist_id}`, tabindex: '-1' }, artistOf(track)) : artistOf(track))),
            hasAlbum && h('div.track-album', null, track.album_id ? h('a', { href: `#/albums/${track.album_id}`, tabindex: '-1' }, track.album) : track.album ?? ''),
            h('div.track-marks', null, app.downloads && downloadMark(app.downloads, track.id), isStarred && icon('starred', 'track-starred')),
            h('div.track-time', null, clock(track.duration_seconds)),
            iconButton('more', `More for ${titleOf(track)}`, event => {
                event.stopPropagation();
                showMenu(index, event.currentTarget);
            }, { tabindex: '-1' }));
        row.addEventListener('click', event => {
            if (event.target.closest('a, button')) return;
            // A finger taps to play; a mouse first chooses, and plays by a double click.
            if (matchMedia('(pointer: coarse)').matches) start(index);
            else row.focus({ preventScroll: true });
        });
        onMenu(row, at => showMenu(index, at));
        return row;
    };
    const list = new VirtualList({
        scroller: app.scroller, count: () => tracks().length, make, label, className: `tracks${hasAlbum ? '' : '.no-album'}`,
        rowHeight: () => (app.settings.get('appearance.density') === 'compact' ? 46 : 58),
        onOpen: start,
        onKey: (index, event) => {
            const track = tracks()[index];
            if (!track) return;
            if (event.key === ' ' ) return;
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
    const mark = () => {
        const id = app.player.current?.id;
        const state = app.player.state;
        for (const [, row] of list.rows) {
            const isCurrent = Number(row.dataset.track) === id;
            if (isCurrent) row.setAttribute('aria-current', 'true');
            else row.removeAttribute('aria-current');
            row.classList.toggle('is-playing', isCurrent && state === 'playing');
        }
    };
    app.player.addEventListener('track', mark, { signal });
    app.player.addEventListener('state', mark, { signal });
    app.favourites.addEventListener('change', () => list.refresh(), { signal });
    app.downloads?.addEventListener('progress', ({ detail }) => {
        for (const [, row] of list.rows) {
            const id = Number(row.dataset.track);
            if (detail.id !== undefined && detail.id !== id) continue;
            const place = row.querySelector('.track-marks');
            place.querySelector('.ring, .track-downloaded')?.remove();
            const mark = downloadMark(app.downloads, id);
            if (mark) place.prepend(mark);
        }
    }, { signal });
    requestAnimationFrame(() => requestAnimationFrame(mark));
    return { element: list.element, list, refresh: () => { list.refresh(); mark(); }, close: () => {
        listeners.abort();
        list.close();
    } };
}
