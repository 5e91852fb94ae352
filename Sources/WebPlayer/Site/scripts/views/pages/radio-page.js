import { h } from '../parts/dom.js';
import { empty } from '../parts/empty.js';
import { iconButton, textButton } from '../parts/buttons.js';
import { confirmed, showSheet } from '../parts/dialog.js';
import { icon } from '../parts/icons.js';
import { showMenu } from '../parts/menu.js';
import { drawChildren } from '../parts/redraw.js';
import { clock, momentText } from '../parts/texts.js';
import { orToast, toast } from '../parts/toast.js';
import { play } from '../lists/track-menu.js';
import { page } from './page.js';

/** @typedef {Pick<import('../../app.js').App, 'catalogue' | 'client' | 'connection' | 'downloads' | 'favourites' | 'go' | 'player' | 'playlists' | 'radio' | 'stations' | 'trackActions'>} Parts what this module uses of the page */

/** Milliseconds between two looks at the stations while the page is shown. */
const INTERVAL = 10_000;

/**
 * The page of the radio stations: the list, what was on air in the last hour, and recordings.
 * @param {Parts} app
 */
export function radioPage(app) {
    const { stations, radio } = app;
    const leaving = new AbortController();
    const { signal } = leaving;
    const list = h('div.settings-box.station-list', { role: 'list', 'aria-label': 'Stations' });
    const titles = h('div.settings-box', { role: 'list', 'aria-label': 'On air in the last hour' });
    const recordings = h('div.settings-box', { role: 'list', 'aria-label': 'Recordings' });
    const onAir = h('section.settings-group', { 'aria-label': 'On air' }, h('h2', null, 'On air in the last hour'), titles);
    const recorded = h('section.settings-group', { 'aria-label': 'Recordings' }, h('h2', null, 'Recordings'), recordings);
    const search = h('input.field.station-search', {
        type: 'search',
        'aria-label': 'Search stations',
        placeholder: 'Search stations',
        oninput: () => draw(),
    });
    const add = textButton('Add station…', () => editStation(app), { name: 'plus', kind: 'is-main' });
    add.hidden = true;
    const content = h('div.settings.radio-page', null, search, list, onAir, recorded);
    const { element } = page(
        'Radio',
        { actions: [add], text: 'The host keeps the last hour of the station that you play.' },
        content,
    );

    const drawStations = () => {
        const found = stations.matching(search.value);
        const none = () =>
            stations.all.length ? empty('search', 'No station found', 'No station has this name.') : empty(
                'radio',
                'No stations yet',
                stations.canEdit
                    ? 'Add the address of a stream, or of a PLS, M3U, ASX or HLS list.'
                    : 'The owner of this host adds stations.',
            );
        drawChildren(
            list,
            found.length
                ? found.map((station) => ({
                    key: station.id,
                    state: [
                        station.name,
                        station.stream_url,
                        station.homepage_url,
                        titleOf(station, app),
                        radio.station?.id === station.id && radio.state,
                        stations.canEdit,
                    ],
                    make: () => stationRow(app, station),
                }))
                : [{ key: `none ${stations.all.length > 0} ${stations.canEdit}`, make: none }],
        );
    };
    const drawTitles = () => {
        const shown = radio.timeline.titles.filter((title) => title.text).reverse();
        onAir.hidden = !radio.station || shown.length === 0;
        drawChildren(
            titles,
            shown.map((title) => ({
                key: title.start_ms,
                state: [title.text],
                make: () =>
                    h(
                        'div.setting',
                        { role: 'listitem' },
                        h(
                            'button.station-title',
                            {
                                type: 'button',
                                'aria-label': `Play ${title.text}`,
                                onclick: () => {
                                    radio.resume();
                                    radio.seek(title.start_ms);
                                },
                            },
                            h('span', null, title.text),
                            h('small', null, new Date(title.start_ms).toLocaleTimeString([], { timeStyle: 'short' })),
                        ),
                    ),
            })),
        );
    };
    const drawRecordings = () => {
        recorded.hidden = stations.recordings.length === 0;
        drawChildren(
            recordings,
            stations.recordings.map((recording) => ({
                key: recording.id,
                state: [recording.track_id, app.catalogue.trackById.has(recording.track_id)],
                make: () => recordingRow(app, recording),
            })),
        );
    };
    const draw = () => {
        search.hidden = stations.all.length < 2;
        add.hidden = !stations.canEdit;
        if (stations.isLoaded) drawStations();
        drawTitles();
        drawRecordings();
    };
    const load = () => stations.load(signal).catch((error) => !signal.aborted && toast(error?.message ?? ''));
    stations.addEventListener('change', draw, { signal });
    radio.addEventListener('change', draw, { signal });
    app.catalogue.addEventListener('change', drawRecordings, { signal });
    const timer = setInterval(load, INTERVAL);
    draw();
    load();
    return {
        element,
        title: 'Radio',
        close: () => {
            clearInterval(timer);
            leaving.abort();
        },
    };
}

/** The title of a station that is on air, as far as it is known. */
function titleOf(station, { radio }) {
    return radio.station?.id === station.id ? radio.title : station.title ?? '';
}

/** The name of a station's web site; empty if it has none. */
function siteOf(station) {
    try {
        return new URL(station.homepage_url).hostname.replace(/^www\./, '');
    } catch {
        return '';
    }
}

/** @param {Parts} app */
function stationRow(app, station) {
    const { radio, stations } = app;
    const isPlaying = radio.station?.id === station.id && radio.state !== 'paused';
    const start = () => (isPlaying ? radio.pause() : radio.play(station));
    const items = () =>
        [
            station.homepage_url && {
                label: 'Open web page',
                icon: 'link',
                action: () => open(station.homepage_url, '_blank', 'noreferrer'),
            },
            stations.canEdit && { label: 'Edit…', icon: 'edit', action: () => editStation(app, station) },
            stations.canEdit && {
                label: 'Remove…',
                icon: 'trash',
                isDanger: true,
                action: async () => {
                    if (!await confirmed(`Remove “${station.name}”?`, 'Its recordings stay in the library.', 'Remove')) return;
                    await orToast(() => stations.remove(station.id));
                    if (radio.station?.id === station.id) radio.stop();
                },
            },
        ].filter(Boolean);
    const more = items().length > 0 &&
        iconButton('more', `Actions for ${station.name}`, (event) => showMenu(items(), event.currentTarget, station.name));
    return h(
        'div.setting.station',
        { role: 'listitem', 'aria-current': isPlaying ? 'true' : null },
        h(
            'button.station-play',
            { type: 'button', 'aria-label': `${isPlaying ? 'Pause' : 'Play'} ${station.name}`, onclick: start },
            h('span.radio-mark', { 'aria-hidden': 'true' }, icon(isPlaying ? 'pause' : 'play')),
            h('span.setting-name', null, h('span', null, station.name), h('small', null, titleOf(station, app) || siteOf(station))),
        ),
        more,
    );
}

/** @param {Parts} app */
function recordingRow(app, recording) {
    const { catalogue, stations } = app;
    const track = catalogue.trackById.get(recording.track_id);
    const name = recording.title || recording.station_name;
    const facts = [recording.station_name, momentText(recording.recorded_at), clock(recording.duration_seconds)];
    if (!track) facts.push(recording.track_id ? 'being added to the library' : 'no longer in the library');
    const start = () => {
        const tracks = stations.recordings.map((each) => catalogue.trackById.get(each.track_id)).filter(Boolean);
        play(app, tracks, tracks.indexOf(track), { shuffle: false });
    };
    return h(
        'div.setting.station',
        { role: 'listitem' },
        h(
            'button.station-play',
            { type: 'button', 'aria-label': `Play the recording ${name}`, disabled: !track, onclick: start },
            h('span.radio-mark', { 'aria-hidden': 'true' }, icon('play')),
            h('span.setting-name', null, h('span', null, name), h('small', null, facts.join(' · '))),
        ),
        app.connection.hasRole('editor') &&
            iconButton(
                'close',
                `Remove ${name} from the list`,
                () => orToast(() => stations.removeRecording(recording.id)),
            ),
    );
}

/** Asks for the facts of a station, and stores them. @param {Parts} app */
function editStation({ stations }, station) {
    const field = (key, label, type, properties = {}) => {
        const input = h('input.field', {
            type,
            id: `station-${key}`,
            value: station?.[key] ?? '',
            autocomplete: 'off',
            spellcheck: 'false',
            maxlength: '2000',
            ...properties,
        });
        return { key, input, element: h('div.copied-field', null, h('label', { for: input.id }, label), input) };
    };
    const address = field('stream_url', 'Address of the stream', 'url', { required: true, placeholder: 'https://' });
    const name = field('name', 'Name', 'text', { required: true });
    const homepage = field('homepage_url', 'Web page (optional)', 'url');
    const note = h('p.page-text', { role: 'status' }, 'A stream, or a PLS, M3U, ASX or HLS list.');
    const check = textButton('Check', async () => {
        if (!address.input.reportValidity()) return;
        check.disabled = true;
        note.textContent = 'Connecting…';
        try {
            const found = await stations.check(address.input.value.trim());
            const rate = found.bit_rate ? `, ${Math.round(found.bit_rate / 1000)} kbit/s` : '';
            note.textContent = `Found ${found.format.toUpperCase()}${rate}${found.delivery === 'hls' ? ' by HLS' : ''}.`;
            if (!name.input.value && found.name) name.input.value = found.name;
            if (!homepage.input.value && found.homepage_url) homepage.input.value = found.homepage_url;
        } catch (error) {
            note.textContent = error?.message ?? 'Nothing found.';
        }
        check.disabled = false;
    });
    const form = h(
        'form.stack.station-form',
        {
            onsubmit: async (event) => {
                event.preventDefault();
                const body = Object.fromEntries([address, name, homepage].map(({ key, input }) => [key, input.value.trim()]));
                const isSaved = await orToast(async () => {
                    await stations.save(body, station?.id);
                    return true;
                });
                if (isSaved) sheet.close();
            },
        },
        address.element,
        name.element,
        homepage.element,
        note,
        h(
            'div.row.end',
            null,
            check,
            textButton('Cancel', () => sheet.close()),
            h('button.text-button.is-main', { type: 'submit' }, station ? 'Save' : 'Add'),
        ),
    );
    const sheet = showSheet(station ? 'Edit station' : 'Add station', [form], { className: 'is-small' });
    address.input.focus();
}
