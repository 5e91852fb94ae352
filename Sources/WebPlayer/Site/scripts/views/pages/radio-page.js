import { h } from '../parts/dom.js';
import { empty } from '../parts/empty.js';
import { iconButton, textButton } from '../parts/buttons.js';
import { confirmed, showSheet } from '../parts/dialog.js';
import { icon } from '../parts/icons.js';
import { showMenu } from '../parts/menu.js';
import { drawChildren } from '../parts/redraw.js';
import { bitRateText, clock, momentText, timeText } from '../parts/texts.js';
import { orToast, toast } from '../parts/toast.js';
import { play } from '../lists/track-menu.js';
import { waiting } from '../parts/placeholder.js';
import { page } from './page.js';
import { t } from '../../texts/text.js';
import { inList, rowList } from '../parts/setting-rows.js';

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
    const list = rowList(t('Stations'));
    list.classList.add('station-list');
    const titles = rowList(t('On air in the last hour'));
    const recordings = rowList(t('Recordings'));
    const onAir = h('section.settings-group', { 'aria-label': t('On air') }, h('h2', null, t('On air in the last hour')), titles);
    const recorded = h('section.settings-group', { 'aria-label': t('Recordings') }, h('h2', null, t('Recordings')), recordings);
    const search = h('input.field.station-search', {
        type: 'search',
        'aria-label': t('Search stations'),
        placeholder: t('Search stations'),
        oninput: () => draw(),
    });
    const add = textButton(t('Add station…'), () => editStation(app), { name: 'plus', kind: 'is-main' });
    const content = h('div.settings.radio-page', null, search, list, onAir, recorded);
    const { element } = page(
        t('Radio'),
        { actions: [add], text: t('The host keeps the last hour of the station that you play.') },
        content,
    );

    const wait = waiting(element, list, 'settings');
    let isFailed = false;
    const drawStations = () => {
        const found = stations.matching(search.value);
        const none = () =>
            inList(
                stations.all.length ? empty('search', t('No station found'), t('No station has this name.')) : empty(
                    'radio',
                    t('No stations yet'),
                    stations.canEdit
                        ? t('Add the address of a stream, or of a PLS, M3U, ASX or HLS list.')
                        : t('The owner of this host adds stations.'),
                ),
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
                                'aria-label': t('Play {title}', { title: title.text }),
                                onclick: () => {
                                    radio.resume();
                                    radio.seek(title.start_ms);
                                },
                            },
                            h('span', null, title.text),
                            h('small', null, timeText(title.start_ms, 'short')),
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
        // Before the host has answered, owners are offered it.
        add.hidden = stations.isLoaded ? !stations.canEdit : !app.connection.hasRole('owner');
        wait(!stations.isLoaded && !isFailed);
        if (stations.isLoaded) drawStations();
        drawTitles();
        drawRecordings();
    };
    const load = () =>
        stations.load(signal).catch((error) => {
            if (signal.aborted) return;
            isFailed = true;
            draw();
            toast(error?.message ?? '');
        });
    stations.addEventListener('change', draw, { signal });
    radio.addEventListener('change', draw, { signal });
    app.catalogue.addEventListener('change', drawRecordings, { signal });
    const timer = setInterval(load, INTERVAL);
    draw();
    load();
    return {
        element,
        title: t('Radio'),
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
                label: t('Open web page'),
                icon: 'link',
                action: () => open(station.homepage_url, '_blank', 'noreferrer'),
            },
            stations.canEdit && { label: t('Edit…'), icon: 'edit', action: () => editStation(app, station) },
            stations.canEdit && {
                label: t('Remove…'),
                icon: 'trash',
                isDanger: true,
                action: async () => {
                    if (
                        !await confirmed(
                            t('Remove “{name}”?', { name: station.name }),
                            t('Its recordings stay in the library.'),
                            t('Remove'),
                        )
                    ) return;
                    await orToast(() => stations.remove(station.id));
                    if (radio.station?.id === station.id) radio.stop();
                },
            },
        ].filter(Boolean);
    const more = items().length > 0 &&
        iconButton(
            'more',
            t('Actions for {name}', { name: station.name }),
            (event) => showMenu(items(), event.currentTarget, station.name),
        );
    return h(
        'div.setting.station',
        { role: 'listitem', 'aria-current': isPlaying ? 'true' : null },
        h(
            'button.station-play',
            { type: 'button', 'aria-label': `${isPlaying ? t('Pause') : t('Play')} ${station.name}`, onclick: start },
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
    if (!track) facts.push(recording.track_id ? t('being added to the library') : t('no longer in the library'));
    const start = () => {
        const tracks = stations.recordings.map((each) => catalogue.trackById.get(each.track_id)).filter(Boolean);
        play(app, tracks, tracks.indexOf(track), { shuffle: false });
    };
    return h(
        'div.setting.station',
        { role: 'listitem' },
        h(
            'button.station-play',
            { type: 'button', 'aria-label': t('Play the recording {name}', { name }), disabled: !track, onclick: start },
            h('span.radio-mark', { 'aria-hidden': 'true' }, icon('play')),
            h('span.setting-name', null, h('span', null, name), h('small', null, facts.join(' · '))),
        ),
        app.connection.hasRole('editor') &&
            iconButton(
                'close',
                t('Remove {name} from the list', { name }),
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
    const address = field('stream_url', t('Address of the stream'), 'url', { required: true, placeholder: 'https://' });
    const name = field('name', t('Name'), 'text', { required: true });
    const homepage = field('homepage_url', t('Web page (optional)'), 'url');
    const note = h('p.page-text', { role: 'status' }, t('A stream, or a PLS, M3U, ASX or HLS list.'));
    const check = textButton(t('Check'), async () => {
        if (!address.input.reportValidity()) return;
        check.disabled = true;
        note.textContent = t('Connecting…');
        try {
            const found = await stations.check(address.input.value.trim());
            const format = [found.format.toUpperCase(), found.bit_rate && bitRateText(found.bit_rate)].filter(Boolean).join(', ');
            note.textContent = found.delivery === 'hls'
                ? t('Found {format} by HLS.', { format })
                : t('Found {format}.', { format });
            if (!name.input.value && found.name) name.input.value = found.name;
            if (!homepage.input.value && found.homepage_url) homepage.input.value = found.homepage_url;
        } catch (error) {
            note.textContent = error?.message ?? t('Nothing found.');
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
            textButton(t('Cancel'), () => sheet.close()),
            h('button.text-button.is-main', { type: 'submit' }, station ? t('Save') : t('Add')),
        ),
    );
    const sheet = showSheet(station ? t('Edit station') : t('Add station'), [form], { className: 'is-small' });
    address.input.focus();
}
