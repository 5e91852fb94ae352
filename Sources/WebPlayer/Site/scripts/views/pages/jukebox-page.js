import { h } from '../parts/dom.js';
import { empty } from '../parts/empty.js';
import { iconButton, textButton } from '../parts/buttons.js';
import { icon, setIcon } from '../parts/icons.js';
import { drawChildren } from '../parts/redraw.js';
import { clock } from '../parts/texts.js';
import { orToast } from '../parts/toast.js';
import { titleOf } from '../../library/track-text.js';
import { page } from './page.js';
import { t } from '../../texts/text.js';
import { inList, rowList } from '../parts/setting-rows.js';

/** @typedef {Pick<import('../../app.js').App, 'catalogue' | 'jukebox' | 'player'>} Parts what this module uses of the page */

/** Milliseconds between two looks at the position. */
const INTERVAL = 500;

/**
 * The remote control of the jukebox.
 * @param {Parts} app
 */
export function jukeboxPage(app) {
    const { jukebox, catalogue, player } = app;
    const leaving = new AbortController();
    const { signal } = leaving;
    const act = (/** @type {() => Promise<any>} */ body) => orToast(body);
    const playIcon = icon('play');
    const play = h(
        'button.play-button',
        { type: 'button', onclick: () => act(() => jukebox.change({ is_playing: !jukebox.state?.is_playing })) },
        playIcon,
    );
    const go = (/** @type {number} */ step) =>
        act(() => jukebox.change({ index: (jukebox.state?.index ?? 0) + step, is_playing: true }));
    const previous = iconButton('previous', t('Previous'), () => go(-1));
    const next = iconButton('next', t('Next'), () => go(1));
    const range = (
        /** @type {string} */ label,
        /** @type {object} */ properties,
    ) => /** @type {HTMLInputElement} */ (h('input.slider', { type: 'range', min: '0', 'aria-label': label, ...properties }));
    const slider = range(t('Position'), { step: '1' });
    const volume = range(t('Volume'), { max: '1', step: '0.01' });
    const [heard, rest] = [h('span.time'), h('span.time')];
    const title = h('strong.jukebox-title');
    const artist = h('span');
    const problem = h('p.jukebox-problem', { role: 'alert' });
    const list = rowList(t('Queue'));
    const transfer = textButton(
        t('Play my queue here'),
        () =>
            act(async () => {
                const tracks = player.queue.items.map((/** @type {any} */ { track }) => track);
                await jukebox.play(tracks, player.queue.index, player.position);
                player.pause();
            }),
        { name: 'jukebox', kind: 'is-main' },
    );
    const shuffle = textButton(t('Shuffle'), () => act(() => jukebox.shuffle()), { name: 'shuffle' });
    const clear = textButton(t('Clear queue'), () => act(() => jukebox.clear()), { name: 'trash' });
    const controls = h(
        'section.settings-box.jukebox-player',
        { 'aria-label': t('Jukebox playback') },
        h('div.setting-name', null, title, artist),
        problem,
        h('div.transport', { role: 'group', 'aria-label': t('Playback') }, previous, play, next),
        h('div.bar-line', null, heard, slider, rest),
        h('div.jukebox-volume', null, icon('volume'), volume),
    );
    const content = h('div.settings.jukebox-page', null, controls, list);
    const { element, lead } = page(t('Jukebox'), { actions: [transfer, shuffle, clear], text: '' }, content);

    let isDragging = false;
    const showPosition = () => {
        if (isDragging) return;
        const duration = jukebox.state?.duration_seconds ?? 0;
        const position = jukebox.position;
        slider.max = String(Math.max(1, Math.round(duration)));
        slider.value = String(Math.round(position));
        showTimes(position);
    };
    const showTimes = (/** @type {number} */ position) => {
        const duration = jukebox.state?.duration_seconds ?? 0;
        heard.textContent = clock(position);
        rest.textContent = clock(duration);
        slider.style.setProperty('--part', String(duration ? Math.min(1, position / duration) : 0));
        slider.setAttribute('aria-valuetext', t('{time} of {length}', { time: clock(position), length: clock(duration) }));
    };
    slider.addEventListener('input', () => {
        isDragging = true;
        showTimes(Number(slider.value));
    });
    slider.addEventListener('change', async () => {
        await act(() => jukebox.change({ position_seconds: Number(slider.value) }));
        isDragging = false;
        showPosition();
    });
    volume.addEventListener('change', () => act(() => jukebox.change({ volume: Number(volume.value) })));

    const draw = () => {
        const { state } = jukebox;
        const tracks = (state?.track_ids ?? []).map((id) => catalogue.trackById.get(id));
        const current = state?.index === undefined ? undefined : tracks[state.index];
        controls.hidden = !tracks.length;
        lead.textContent = state
            ? t('Sound from {output} of the host.', { output: state.output })
            : t('This host has no jukebox that you may control.');
        title.textContent = current ? titleOf(current) : t('Nothing playing');
        artist.textContent = current?.artist ?? '';
        problem.textContent = state?.problem ?? '';
        problem.hidden = !state?.problem;
        setIcon(playIcon, state?.is_playing ? 'pause' : 'play');
        play.setAttribute('aria-label', state?.is_playing ? t('Pause') : t('Play'));
        previous.disabled = !state?.index;
        next.disabled = !state || (state.index ?? 0) + 1 >= tracks.length;
        volume.value = String(state?.volume ?? 1);
        volume.style.setProperty('--part', volume.value);
        for (const button of [shuffle, clear]) button.disabled = !tracks.length;
        transfer.hidden = !state || !player.queue.items.length;
        const rows = tracks.map((track, place) => ({
            // The same track may be in the queue more than once.
            key: `${place} ${track?.id}`,
            state: [place === state?.index, state?.is_playing, track?.title],
            make: () => row(track, place),
        }));
        const none = () =>
            inList(empty('jukebox', t('Nothing in the queue'), t('Choose “Play on the jukebox” in the menu of songs or albums.')));
        drawChildren(list, rows.length ? rows : [{ key: 'none', make: none }]);
        showPosition();
    };
    const row = (/** @type {any} */ track, /** @type {number} */ place) => {
        const name = track ? titleOf(track) : catalogue.isReading ? t('Loading…') : t('A track that is no longer in the library');
        const isCurrent = place === jukebox.state?.index;
        return h(
            'div.setting.station',
            { role: 'listitem', 'aria-current': isCurrent ? 'true' : null },
            h(
                'button.station-play',
                {
                    type: 'button',
                    'aria-label': t('Play {name}', { name }),
                    onclick: () => act(() => jukebox.change({ index: place, is_playing: true })),
                },
                h('span.radio-mark', { 'aria-hidden': 'true' }, icon(isCurrent ? 'volume' : 'play')),
                h('span.setting-name', null, h('span', null, name), h('small', null, track?.artist ?? '')),
            ),
            iconButton('close', t('Remove {name} from the queue', { name }), () => act(() => jukebox.remove(place))),
        );
    };
    jukebox.addEventListener('change', draw, { signal });
    catalogue.addEventListener('change', draw, { signal });
    player.queue.addEventListener('change', draw, { signal });
    const timer = setInterval(showPosition, INTERVAL);
    draw();
    if (jukebox.state) jukebox.load(signal).catch(() => {});
    return {
        element,
        title: t('Jukebox'),
        close: () => {
            clearInterval(timer);
            leaving.abort();
        },
    };
}
