import { h } from '../parts/dom.js';
import { iconButton } from '../parts/buttons.js';
import { cover } from '../parts/cover.js';
import { heart, stars } from '../parts/rating.js';
import { trackMenu } from '../lists/track-menu.js';
import { artistOf, titleOf } from '../../library/track-text.js';
import { LyricsView } from '../../lyrics/lyrics-view.js';
import { Pace } from '../../visualizer/pace.js';
import { SeekBar } from '../../visualizer/seek-bar/seek-bar.js';
import { Visualizer } from '../../visualizer/visualizer.js';
import { mixNote } from './mix-note.js';
import { queueView } from './queue-view.js';
import { sleepButton, speedButton } from './sleep-and-speed.js';
import { soundText } from './sound-text.js';
import { stateText, times } from './state-text.js';
import { castButton } from './cast-button.js';
import { transport, volume } from './transport.js';
import { t } from '../../texts/text.js';

/** @typedef {Pick<import('../../app.js').App, 'cast' | 'client' | 'closePlayer' | 'colours' | 'covers' | 'downloads' | 'favourites' | 'frames' | 'go' | 'player' | 'playlists' | 'settings' | 'stations' | 'timelines' | 'trackActions'>} Parts what this module uses of the page */

/** Minimum downward drag that closes the player, in pixels. */
const DISMISS = 120;
/** Duration of the closing animation in milliseconds. */
const CLOSING = 280;

/**
 * The full-screen player: cover, visualizer and controls, with lyrics or the queue next to them.
 * @param {any} app
 */
export class NowPlaying extends EventTarget {
    #app;
    /** @type {HTMLDialogElement | null} */
    #dialog = null;
    /** @type {any} */
    #parts = null;
    #panel = '';
    /** Kept so that the drawing speed is not measured again each time the player is opened. */
    #pace = new Pace();

    /** @param {Parts} app */
    constructor(app) {
        super();
        this.#app = app;
    }

    get isOpen() {
        return this.#dialog !== null;
    }

    /** @param {'' | 'lyrics' | 'queue'} [panel] shown next to the cover */
    open(panel) {
        if (!this.#dialog) this.#make();
        if (panel !== undefined) this.#show(panel);
    }

    close() {
        const dialog = this.#dialog;
        if (!dialog) return;
        this.#dialog = null;
        this.#parts.listeners.abort();
        this.#parts.visualizer.stop();
        this.#parts.bar.close?.();
        this.#leavePanel();
        this.#panel = '';
        dialog.classList.remove('is-open');
        const gone = () => {
            dialog.close();
            dialog.remove();
        };
        if (matchMedia('(prefers-reduced-motion: reduce)').matches) gone();
        else setTimeout(gone, CLOSING);
        this.dispatchEvent(new Event('close'));
    }

    #make() {
        const app = this.#app;
        const { player } = app;
        const listeners = new AbortController();
        const { signal } = listeners;
        const backdrop = h('div.now-backdrop', { 'aria-hidden': 'true' });
        const picture = h('div.now-cover');
        const canvas = h('canvas.now-visualizer', { 'aria-hidden': 'true' });
        const title = h('h2.now-title');
        const artist = h('p.now-artist');
        const loved = heart(app, 'tracks', () => player.current?.id);
        const rated = stars(app, 'tracks', () => player.current?.id);
        const seek = h('div.now-seek');
        const bar = new SeekBar(seek, { player, client: app.client, colours: app.colours, data: app.timelines });
        const [passed, left] = times(app, bar, signal);
        const facts = h('p');
        const sound = h('p.now-sound');
        const side = h('div.now-side', { hidden: true });
        const tab = (name, label, symbol) =>
            iconButton(symbol, label, () => this.#show(this.#panel === name ? '' : name), {
                'data-panel': name,
                'aria-pressed': 'false',
            });
        const tabs = [tab('lyrics', t('Lyrics'), 'lyrics'), tab('queue', t('Queue'), 'queue')];
        const similar = iconButton('similar', t('More like this'), () => app.closePlayer(`/similar/${player.current?.id}`), {
            class: 'icon-button now-similar',
        });
        const dialog = h(
            'dialog.now',
            { 'aria-label': t('Now playing') },
            backdrop,
            h(
                'header.now-head',
                null,
                iconButton('down', t('Close player'), () => app.closePlayer()),
                h('span.now-from'),
                iconButton('more', t('More'), (event) => {
                    if (player.current) trackMenu(app, [player.current], event.currentTarget);
                }),
            ),
            h(
                'div.now-body',
                null,
                h(
                    'div.now-main',
                    null,
                    h('div.now-art', null, picture, canvas),
                    h(
                        'div.now-controls',
                        null,
                        h('div.now-names', null, h('div.now-words', null, title, artist), loved.button),
                        stateText(app, signal),
                        seek,
                        h('div.now-times', null, passed, h('div.now-facts', null, facts, sound), left),
                        mixNote(app, signal),
                        transport(app, signal),
                        h(
                            'div.now-tools',
                            null,
                            volume(app, signal),
                            rated.element,
                            h(
                                'div.row',
                                null,
                                speedButton(app, signal),
                                sleepButton(app, signal),
                                castButton(app, signal),
                                similar,
                                tabs,
                            ),
                        ),
                    ),
                ),
                side,
            ),
        );
        const draw = () => {
            const track = player.current;
            picture.replaceChildren(cover(app.covers, track, 512));
            backdrop.replaceChildren(cover(app.covers, track, 128));
            title.textContent = track ? titleOf(track) : t('Nothing playing');
            const link = (href, text) => h('a', { href, onclick: () => app.closePlayer(href.slice(1)) }, text);
            artist.replaceChildren(
                ...(track
                    ? [
                        track.artist_id ? link(`#/artists/${track.artist_id}`, artistOf(track)) : artistOf(track),
                        track.album ? ' — ' : '',
                        track.album_id ? link(`#/albums/${track.album_id}`, track.album) : track.album ?? '',
                    ]
                    : []),
            );
            facts.textContent = track
                ? [track.bpm && t('{tempo} BPM', { tempo: Math.round(track.bpm) }), track.key].filter(Boolean).join(' · ')
                : '';
            similar.hidden = !track;
            loved.show();
            rated.show();
        };
        const drawSound = () => {
            const track = player.current;
            const source = track && (app.client.isKept?.(track.id) ? t('Downloaded') : t('Streaming'));
            const text = track ? [source, soundText(track, player.quality)].filter(Boolean).join(' · ') : '';
            if (sound.textContent !== text) sound.textContent = text;
        };
        for (const type of ['track', 'tags']) player.addEventListener(type, draw, { signal });
        // The quality changes within a track.
        for (const type of ['track', 'state', 'position']) player.addEventListener(type, drawSound, { signal });
        app.favourites.addEventListener('change', () => {
            loved.show();
            rated.show();
        }, { signal });
        // Escape, and the back gesture of some systems, are handled only by the dialog.
        dialog.addEventListener('cancel', (event) => {
            if (event.target !== dialog) return;
            event.preventDefault();
            app.closePlayer();
        });
        // Browsers may close a dialog without a cancelable event, as on a second Escape without other input in between.
        dialog.addEventListener('close', () => {
            if (this.#dialog === dialog) app.closePlayer();
        });
        this.#dialog = dialog;
        this.#drag(dialog);
        document.body.append(dialog);
        /** @type {HTMLElement} */ (dialog.querySelector('.play-button')).autofocus = true;
        dialog.showModal();
        // Forces a layout in the closed state, from which the opening is animated.
        dialog.getBoundingClientRect();
        dialog.classList.add('is-open');
        draw();
        drawSound();
        const visualizer = new Visualizer(canvas, {
            player,
            settings: app.settings,
            scope: 'full',
            frames: app.frames,
            colours: app.colours,
            pace: this.#pace,
        });
        visualizer.start();
        this.#parts = { listeners, bar, visualizer, side, tabs, dialog, view: null };
    }

    #show(panel) {
        if (!this.#dialog || panel === this.#panel) return;
        const { side, tabs, dialog } = this.#parts;
        this.#leavePanel();
        this.#panel = panel;
        dialog.dataset.panel = panel;
        side.hidden = panel === '';
        for (const tab of tabs) tab.setAttribute('aria-pressed', String(tab.dataset.panel === panel));
        if (panel === 'lyrics') {
            const place = h('div');
            side.replaceChildren(place);
            this.#parts.view = new LyricsView(place, { player: this.#app.player, client: this.#app.client });
        } else if (panel === 'queue') {
            const scroller = h('div.now-queue');
            const view = queueView(this.#app, scroller);
            scroller.append(view.element);
            side.replaceChildren(scroller);
            view.showCurrent();
            this.#parts.view = view;
        }
    }

    #leavePanel() {
        this.#parts.view?.close();
        this.#parts.view = null;
        this.#parts.side.replaceChildren();
    }

    /** Closes the player on a downward drag. */
    #drag(dialog) {
        let start = null;
        dialog.addEventListener('touchstart', (event) => {
            start = event.target.closest('.seek-bar, input, .now-side, button') ? null : event.touches[0];
            dialog.classList.toggle('is-dragged', start !== null);
        }, { passive: true });
        dialog.addEventListener('touchmove', (event) => {
            if (start) dialog.style.translate = `0 ${Math.max(0, event.touches[0].clientY - start.clientY)}px`;
        }, { passive: true });
        dialog.addEventListener('touchend', (event) => {
            if (!start) return;
            dialog.classList.remove('is-dragged');
            dialog.style.translate = '';
            if (event.changedTouches[0].clientY - start.clientY > DISMISS) this.#app.closePlayer();
            start = null;
        }, { passive: true });
    }
}
