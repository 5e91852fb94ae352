import { h } from '../parts/dom.js';
import { textButton } from '../parts/buttons.js';
import { confirmed } from '../parts/dialog.js';
import { orToast, toast } from '../parts/toast.js';
import { exportSettings, importSettings } from '../../offline/settings-file.js';
import { choice, page } from './page.js';

/** Kinds of controls: each makes one for a setting. */
const CONTROLS = {
    toggle: ({ key, label }, settings) => h('input.switch', { type: 'checkbox', role: 'switch', 'aria-label': label, checked: Boolean(settings.get(key)),
        onchange: event => settings.set(key, event.target.checked) }),
    range: ({ key, label, least, most, step, text }, settings) => {
        const output = h('output', null, text(settings.get(key)));
        const input = h('input.slider', { type: 'range', min: least, max: most, step, 'aria-label': label, value: String(settings.get(key)), oninput: event => {
            const value = Number(event.target.value);
            settings.set(key, value);
            output.textContent = text(value);
            fill(event.target);
        } });
        fill(input);
        return h('div.range', null, input, output);
    },
    choice: ({ key, label, options }, settings) => choice(label, options, settings.get(key), value => settings.set(key, value)),
    colour: ({ key, label }, settings) => h('input.colour', { type: 'color', 'aria-label': label, value: settings.get(key), oninput: event => settings.set(key, event.target.value) }),
};

/** Shows how far a slider stands: browsers do it each in its own way. @param {HTMLInputElement} input */
export function fill(input) {
    input.style.setProperty('--part', String((Number(input.value) - Number(input.min)) / (Number(input.max) - Number(input.min) || 1)));
}

const percent = value => `${Math.round(value * 100)} %`;

function look(scope) {
    const key = name => `visualizer.${scope}.${name}`;
    const on = settings => settings.get(key('enabled')) !== false;
    return [
        { kind: 'toggle', key: key('enabled'), label: 'Show it' },
        { kind: 'choice', key: key('style'), label: 'Style', options: [['wave', 'Wave'], ['siri', 'Siri wave'], ['bar', 'Bars'], ['line', 'Line']], when: on },
        { kind: 'range', key: key('points'), label: 'Points', least: 8, most: 64, step: 1, text: String, when: on },
        { kind: 'range', key: key('sensitivity'), label: 'Sensitivity', text: percent, least: 0, most: 1, step: 0.05, help: 'How much of soft passages is seen.', when: on },
        { kind: 'range', key: key('viscosity'), label: 'Viscosity', text: percent, least: 0, most: 1, step: 0.05, help: 'From snappy to liquid.', when: on },
        { kind: 'choice', key: key('colour'), label: 'Colour', options: [['cover', 'Cover'], ['cycle', 'Hue cycle'], ['custom', 'Own']], when: on },
        { kind: 'range', key: key('hueSeconds'), label: 'Seconds for all hues', least: 5, most: 120, step: 5, text: value => `${value} s`, when: settings => on(settings) && settings.get(key('colour')) === 'cycle' },
        { kind: 'colour', key: key('customColour'), label: 'Own colour', when: settings => on(settings) && settings.get(key('colour')) === 'custom' },
    ];
}

const SECTIONS = [
    ['Appearance', [
        { kind: 'choice', key: 'appearance.theme', label: 'Theme', options: [['system', 'System'], ['light', 'Light'], ['dark', 'Dark']] },
        { kind: 'choice', key: 'appearance.density', label: 'Lists', options: [['comfortable', 'Comfortable'], ['compact', 'Compact']] },
    ]],
    ['Playback', [
        { kind: 'choice', key: 'playback.quality', label: 'Quality', help: 'Automatic: the original files, or 64 kbit/s where the connection is slow or costs money.', options: [['auto', 'Automatic'], ['original', 'Original'], ['low', 'Low']] },
        { kind: 'toggle', key: 'playback.gapless', label: 'Gapless', help: 'Albums play through as they were mastered.' },
        { kind: 'toggle', key: 'playback.crossfade', label: 'Crossfade', help: 'One song goes over into the next where the music allows it; never within an album.' },
        { kind: 'range', key: 'playback.crossfadeSeconds', label: 'Crossfade length', least: 1, most: 12, step: 1, text: value => `${value} s`, when: settings => settings.get('playback.crossfade') },
        { kind: 'choice', key: 'playback.crossfadeStyle', label: 'Crossfade where', help: 'By the host’s plan for each pair of songs, or always as long as chosen.', options: [['plan', 'It fits'], ['always', 'Always']], when: settings => settings.get('playback.crossfade') },
        { kind: 'toggle', key: 'playback.skipSilence', label: 'Skip silence', help: 'At the beginning and the end of songs.' },
        { kind: 'choice', key: 'playback.normalization', label: 'Loudness', help: 'Track: all songs alike. Album: an album keeps its soft and loud songs.', options: [['off', 'As it is'], ['track', 'Track'], ['album', 'Album']] },
        { kind: 'range', key: 'playback.targetLUFS', label: 'Target', least: -23, most: -11, step: 1, text: value => `${value} LUFS`, when: settings => settings.get('playback.normalization') !== 'off' },
        { kind: 'range', key: 'playback.speed', label: 'Speed', least: 0.5, most: 2, step: 0.05, text: value => `${Number(value).toFixed(2)} ×` },
        { kind: 'toggle', key: 'playback.resume', label: 'Go on where it was', help: 'After a reload the queue and the position are back.' },
        { kind: 'toggle', key: 'playback.reportPlays', label: 'Count plays', help: 'For “Heard lately” and “Heard most”, shared by all your devices.' },
    ]],
    ['Developer', [
        { kind: 'toggle', key: 'console.enabled', label: 'Developer console', help: 'What happens behind the page, above the player. Key: `' },
    ]],
    ['Visualizer, full player', look('full')],
    ['Visualizer, mini player', look('mini')],
];

/** All settings. */
export function settingsPage(app) {
    const { settings, connection } = app;
    const listeners = new AbortController();
    const rows = [];
    const row = item => {
        const place = h('div.setting-control', null, CONTROLS[item.kind](item, settings));
        const element = h('div.setting', null, h('div.setting-name', null, h('span', null, item.label), item.help && h('small', null, item.help)), place);
        const show = () => { element.hidden = item.when ? !item.when(settings) : false; };
        show();
        rows.push({ item, show });
        return element;
    };
    const section = (title, ...content) => h('section.settings-group', { 'aria-label': title }, h('h2', null, title), h('div.settings-box', null, content));
    const host = section('Host', h('div.setting', null, h('div.setting-name', null, h('span', null, connection.hostName || 'Host'), h('small', null, `${app.client.base} · ${app.catalogue.tracks.length.toLocaleString()} songs`)),
        h('div.setting-control', null, textButton('Forget the key', async () => {
            if (!await confirmed('Forget the key?', 'The key and the copy of the library leave this browser. Music and playlists stay on the host.', 'Forget')) return;
            await app.forget();
        }, { kind: 'is-danger' }))));
    const chooser = h('input', { type: 'file', accept: '.json,application/json', hidden: true, 'aria-label': 'File of settings', onchange: async () => {
        if (chooser.files[0] && await orToast(async () => {
            await importSettings(settings, chooser.files[0]);
            return true;
        })) {
            toast('The settings of the file hold now');
            app.go('/settings');
        }
        chooser.value = '';
    } });
    const copies = section('Copies', h('div.setting', null, h('div.setting-name', null, h('span', null, 'Settings as a file'), h('small', null, 'For another browser. The key is not in it.')),
        h('div.setting-control', null, chooser, textButton('Import', () => chooser.click(), { name: 'upload' }), textButton('Export', () => exportSettings(settings), { name: 'download' }))));
    const { element } = page('Settings', {}, h('div.settings', null, ...SECTIONS.map(([title, items]) => section(title, items.map(row))),
        ...(app.settingsSections ?? []).map(make => make(section)), copies, host));
    settings.addEventListener('change', () => { for (const { show } of rows) show(); }, { signal: listeners.signal });
    return { element, title: 'Settings', close: () => listeners.abort() };
}
