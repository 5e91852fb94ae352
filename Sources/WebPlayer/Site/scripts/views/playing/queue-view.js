import { closest, h } from '../parts/dom.js';
import { clock, lengthText } from '../parts/texts.js';
import { icon } from '../parts/icons.js';
import { iconButton, textButton } from '../parts/buttons.js';
import { cover } from '../parts/cover.js';
import { empty } from '../parts/empty.js';
import { onMenu } from '../parts/menu.js';
import { queueMixItems } from '../lists/mix-items.js';
import { playlistItems, trackMenu } from '../lists/track-menu.js';
import { showMenu } from '../parts/menu.js';
import { toast } from '../parts/toast.js';
import { VirtualList } from '../lists/virtual-list.js';
import { artistOf, titleOf } from '../../library/track-text.js';
import { t } from '../../texts/text.js';

/** @typedef {Pick<import('../../app.js').App, 'client' | 'covers' | 'downloads' | 'favourites' | 'go' | 'player' | 'playlists' | 'settings' | 'trackActions'>} Parts what this module uses of the page */

const ROW = 58;
/** Distance from the edges within which dragging a row scrolls the list, in pixels. */
const EDGE = 60;

/**
 * The queue: past, current and upcoming songs. Rows are moved by dragging their grip or with Alt and the arrow keys.
 * @param {Parts} app @param {HTMLElement} scroller
 */
export function queueView(app, scroller) {
    const { player } = app;
    const { queue } = player;
    const listeners = new AbortController();
    const said = h('p.is-hidden', { role: 'status', 'aria-live': 'polite' });
    const summary = h('p.queue-summary');
    const clearButton = textButton(t('Clear queue'), () => {
        const count = queue.items.length;
        const putBack = queue.clear();
        toast(t('{count} songs removed from the queue', { count: count - queue.items.length }), {
            label: t('Undo'),
            action: putBack,
        });
    }, { name: 'trash' });
    const head = h(
        'div.queue-head',
        null,
        summary,
        h(
            'div.row',
            null,
            clearButton,
            iconButton(
                'mix',
                t('Sort for mixing'),
                (event) => showMenu(queueMixItems(app), event.currentTarget, t('Sort for mixing')),
            ),
            iconButton(
                'playlists',
                t('Save queue as playlist'),
                (event) =>
                    showMenu(playlistItems(app, queue.items.map((item) => item.track)), event.currentTarget, t('Save queue to')),
            ),
        ),
    );
    const nothing = empty('queue', t('Queue is empty'), t('Play something, or add songs from their menus.'));
    const move = (from, to) => {
        if (to < 0 || to >= queue.items.length || from === to) return;
        const name = titleOf(queue.items[from].track);
        queue.move(from, to);
        said.textContent = t('{name} moved to position {position} of {number}', {
            name,
            position: to + 1,
            number: queue.items.length,
        });
        list.focusOn(to);
    };
    const menu = (index, at) =>
        trackMenu(app, [queue.items[index].track], at, {
            more: [
                index !== queue.index + 1 && index !== queue.index && {
                    label: t('Move to next'),
                    icon: 'queue',
                    action: () => queue.move(index, index > queue.index ? queue.index + 1 : queue.index),
                },
                { label: t('Remove from queue'), icon: 'trash', isDanger: true, action: () => queue.remove(index) },
            ].filter(Boolean),
        });
    const stateOf = (index) => (index === queue.index ? 'is-current' : index < queue.index ? 'is-past' : 'is-coming');
    const make = (index) => {
        const { track } = queue.items[index];
        const state = stateOf(index);
        const row = h(
            `div.queue-row.${state}`,
            { 'aria-label': `${titleOf(track)}, ${artistOf(track)}`, 'aria-current': index === queue.index ? 'true' : undefined },
            h('div.grip', { 'aria-hidden': 'true', title: t('Drag to move') }, icon('grip')),
            cover(app.covers, track, 44),
            h('div.track-names', null, h('span.track-title', null, titleOf(track)), h('span.track-artist', null, artistOf(track))),
            h('div.track-time', null, clock(track.duration_seconds)),
            iconButton('close', t('Remove {title}', { title: titleOf(track) }), (event) => {
                event.stopPropagation();
                queue.remove(Number(row.dataset.index));
            }, { tabindex: '-1' }),
        );
        row.querySelector('.grip')?.addEventListener('pointerdown', (event) => drag(event, row));
        row.addEventListener('click', (event) => {
            if (closest(event, 'button, .grip')) return;
            if (matchMedia('(pointer: coarse)').matches) jump(Number(row.dataset.index));
        });
        onMenu(row, (at) => menu(Number(row.dataset.index), at));
        return row;
    };
    const jump = (index) => {
        queue.jump(index);
        player.play();
    };
    const list = new VirtualList({
        scroller,
        count: () => queue.items.length,
        make,
        label: t('Queue'),
        key: (index) => queue.items[index].uid,
        state: (index) => [queue.items[index].track, stateOf(index)],
        rowHeight: () => ROW,
        className: 'queue',
        onOpen: jump,
        onKey: (index, event) => {
            const step = event.altKey ? { ArrowUp: -1, ArrowDown: 1 }[event.key] : 0;
            if (step) move(index, index + step);
            else if (event.key === 'Delete' || event.key === 'Backspace') queue.remove(index);
            else if (event.key === 'm') menu(index, event.target);
            else return;
            event.preventDefault();
            event.stopPropagation();
        },
    });
    /** Drags a row with the pointer; the others move out of the way. */
    const drag = (event, row) => {
        event.preventDefault();
        const from = Number(row.dataset.index);
        let to = from;
        const grip = event.currentTarget;
        grip.setPointerCapture(event.pointerId);
        const startY = event.clientY;
        const startScroll = scroller.scrollTop;
        let y = startY;
        row.classList.add('is-dragged');
        let frame = 0;
        const place = () => {
            const box = scroller.getBoundingClientRect();
            const speed = y < box.top + EDGE ? y - box.top - EDGE : y > box.bottom - EDGE ? y - box.bottom + EDGE : 0;
            if (speed) scroller.scrollTop += speed / 5;
            const offset = y - startY + scroller.scrollTop - startScroll;
            to = Math.max(0, Math.min(queue.items.length - 1, from + Math.round(offset / ROW)));
            for (const [index, each] of list.rows) {
                const shift = each === row ? offset : index > from && index <= to ? -ROW : index < from && index >= to ? ROW : 0;
                each.style.transform = `translateY(${index * ROW + shift}px)`;
            }
            frame = requestAnimationFrame(place);
        };
        frame = requestAnimationFrame(place);
        const moved = (each) => {
            y = each.clientY;
        };
        const done = (each) => {
            cancelAnimationFrame(frame);
            grip.removeEventListener('pointermove', moved);
            row.classList.remove('is-dragged');
            if (each.type === 'pointerup' && to !== from) move(from, to);
            list.refresh();
        };
        grip.addEventListener('pointermove', moved);
        grip.addEventListener('pointerup', done, { once: true });
        grip.addEventListener('pointercancel', done, { once: true });
    };
    const element = h('div.queue-view', null, head, nothing, list.element, said);
    const draw = () => {
        const { items, index } = queue;
        const rest = items.slice(index + 1).reduce((sum, item) => sum + (item.track.duration_seconds ?? 0), 0);
        nothing.hidden = items.length > 0;
        head.hidden = items.length === 0;
        clearButton.hidden = items.length - (queue.current ? 1 : 0) === 0;
        summary.textContent = items.length - index - 1 > 0
            ? t('{count} songs up next · {duration}', { count: items.length - index - 1, duration: lengthText(rest) })
            : t('Nothing up next');
        list.refresh();
    };
    const { signal } = listeners;
    for (const type of ['queue', 'track', 'tags']) player.addEventListener(type, draw, { signal });
    queue.addEventListener('change', draw, { signal });
    draw();
    return {
        element,
        showCurrent: () => requestAnimationFrame(() => list.scrollTo(Math.max(0, queue.index), 'center')),
        close: () => {
            listeners.abort();
            list.close();
        },
    };
}
