import { h } from '../parts/dom.js';
import { icon, setIcon } from '../parts/icons.js';
import { iconButton } from '../parts/buttons.js';
import { clock, timeText } from '../parts/texts.js';
import { orToast, toast } from '../parts/toast.js';
import { stepButtons, volume } from './transport.js';
import { t } from '../../texts/text.js';

/** @typedef {Pick<import('../../app.js').App, 'connection' | 'go' | 'player' | 'radio' | 'stations'>} Parts what this module uses of the page */

/** Formats a time of day with seconds. @param {number} time milliseconds since 1970 */
function timeOfDay(time) {
    return timeText(time, 'medium');
}

/**
 * The bar of a radio station, in place of the player bar while one plays.
 * @param {Parts} app
 * @param {AbortSignal} signal removes it
 */
export function radioBar(app, signal) {
    const { radio } = app;
    const playIcon = icon('play');
    const play = h(
        'button.play-button',
        { type: 'button', onclick: () => radio.toggle() },
        playIcon,
        h('i.spinner', { 'aria-hidden': 'true' }),
    );
    const [back, forward] = stepButtons((seconds) => radio.skip(seconds));
    const live = h('button.text-button.live-button', { type: 'button', onclick: () => radio.goLive() }, t('Live'));
    const record = h(
        'button.text-button.record-button',
        {
            type: 'button',
            onclick: async () => {
                const isOn = !radio.recording;
                await orToast(async () => {
                    await radio.record(isOn);
                    toast(isOn ? t('Recording into the library') : t('Recording saved to the library'));
                });
                setTimeout(() => app.stations.load().catch(() => {}), isOn ? 0 : 2000);
            },
        },
        h('i.record-dot', { 'aria-hidden': 'true' }),
        h('span', null, t('Record')),
    );
    const title = h('span.bar-title');
    const name = h('a.bar-artist', { href: '#/radio' });
    const note = h('span.state-text', { role: 'status' });
    const slider = /** @type {HTMLInputElement} */ (h('input.slider', {
        type: 'range',
        step: '1',
        'aria-label': t('Position in the last hour'),
    }));
    const heard = h('span.time');
    const distance = h('span.time');
    const element = h(
        'footer.player-bar.radio-bar',
        { 'aria-label': t('Radio'), role: 'contentinfo', hidden: true },
        h(
            'div.bar-track',
            null,
            h('span.radio-mark', { 'aria-hidden': 'true' }, icon('radio')),
            h('div.bar-names', null, title, name, note),
        ),
        h(
            'div.bar-middle',
            null,
            h('div.transport', { role: 'group', 'aria-label': t('Playback') }, record, back, play, forward, live),
            h('div.bar-line', null, heard, slider, distance),
        ),
        h('div.bar-more', null, volume(app, signal), iconButton('close', t('Stop the radio'), () => radio.stop())),
    );

    // While dragging, only the labels follow; playback moves at the end.
    let isDragging = false;
    const showTimes = (time) => {
        const { timeline } = radio;
        const seconds = Math.max(0, (timeline.end - time) / 1000);
        heard.textContent = timeline.segments.length ? timeOfDay(time) : '';
        distance.textContent = radio.isLive && !isDragging ? t('Live') : timeline.segments.length ? `−${clock(seconds)}` : '';
        const title = timeline.titleAt(time);
        slider.setAttribute('aria-valuetext', [heard.textContent || t('Nothing yet'), title].filter(Boolean).join(', '));
        const whole = Math.max(1, timeline.end - timeline.start);
        slider.style.setProperty('--part', String(Math.min(1, Math.max(0, (time - timeline.start) / whole))));
    };
    slider.addEventListener('input', () => {
        isDragging = true;
        showTimes(radio.timeline.start + Number(slider.value) * 1000);
    });
    slider.addEventListener('change', () => {
        isDragging = false;
        radio.seek(radio.timeline.start + Number(slider.value) * 1000);
    });
    radio.addEventListener('position', () => {
        if (isDragging) return;
        const { timeline, position } = radio;
        slider.max = String(Math.max(1, Math.round((timeline.end - timeline.start) / 1000)));
        slider.value = String(Math.round((position - timeline.start) / 1000));
        showTimes(position);
    }, { signal });

    const draw = () => {
        const { station, state, recording } = radio;
        element.hidden = !station;
        document.body.classList.toggle('has-radio', Boolean(station));
        if (!station) return;
        const isOn = state !== 'paused';
        setIcon(playIcon, isOn ? 'pause' : 'play');
        play.setAttribute('aria-label', isOn ? t('Pause') : t('Play'));
        play.classList.toggle('is-waiting', state === 'loading');
        title.textContent = radio.title || station.name;
        name.textContent = radio.title ? station.name : t('Radio');
        note.textContent = state === 'loading' ? radio.message || t('Connecting…') : recording?.message ?? '';
        note.title = note.textContent ?? '';
        note.classList.toggle('is-trouble', Boolean(state === 'loading' ? radio.message : recording?.message));
        live.setAttribute('aria-pressed', String(radio.isLive));
        record.hidden = !app.connection.hasRole('editor');
        record.setAttribute('aria-pressed', String(Boolean(recording)));
        record.setAttribute('aria-label', recording ? t('End the recording') : t('Record into the library'));
        const seconds = Math.floor(recording?.duration_seconds ?? 0);
        /** @type {Element} */ (record.lastChild).textContent = recording ? clock(seconds) : t('Record');
    };
    radio.addEventListener('change', draw, { signal });
    app.connection.addEventListener('change', draw, { signal });
    draw();
    return { element };
}
