import { h } from '../parts/dom.js';
import { textButton } from '../parts/buttons.js';
import { SPEED } from '../../host/settings-table.js';
import { askPassword } from '../parts/dialog.js';
import { orToast, toast } from '../parts/toast.js';
import { forgetHost, showHosts } from '../parts/hosts.js';
import { choice } from '../parts/choice.js';
import { backupSection } from './backup-section.js';
import { page } from './page.js';

/** @typedef {Pick<import('../../app.js').App, 'catalogue' | 'client' | 'connection' | 'downloads' | 'favourites' | 'forget' | 'go' | 'hosts' | 'knownHost' | 'playlists' | 'settings' | 'showHost'>} Parts what this module uses of the page */

/** Controls by kind: each function creates one for a setting. */
const CONTROLS = {
    toggle: ({ key, label }, settings) =>
        h('input.switch', {
            type: 'checkbox',
            role: 'switch',
            'aria-label': label,
            checked: Boolean(settings.get(key)),
            onchange: (event) => settings.set(key, event.target.checked),
        }),
    range: ({ key, label, least, most, step, text }, settings) => {
        const output = h('output', null, text(settings.get(key)));
        const input = h('input.slider', {
            type: 'range',
            min: least,
            max: most,
            step,
            'aria-label': label,
            value: String(settings.get(key)),
            oninput: (event) => {
                const value = Number(event.target.value);
                settings.set(key, value);
                output.textContent = text(value);
                fill(event.target);
            },
        });
        fill(input);
        return h('div.range', null, input, output);
    },
    choice: ({ key, label, options }, settings) => choice(label, options, settings.get(key), (value) => settings.set(key, value)),
    colour: ({ key, label }, settings) =>
        h('input.colour', {
            type: 'color',
            'aria-label': label,
            value: settings.get(key),
            oninput: (event) => settings.set(key, event.target.value),
        }),
};

/** Updates the filled part of a slider, which browsers style differently. @param {HTMLInputElement} input */
export function fill(input) {
    input.style.setProperty(
        '--part',
        String((Number(input.value) - Number(input.min)) / (Number(input.max) - Number(input.min) || 1)),
    );
}

const percent = (value) => `${Math.round(value * 100)} %`;

function look(scope) {
    const key = (name) => `visualizer.${scope}.${name}`;
    const on = (settings) => settings.get(key('enabled')) !== false;
    return [
        { kind: 'toggle', key: key('enabled'), label: 'Show visualizer' },
        {
            kind: 'choice',
            key: key('style'),
            label: 'Style',
            options: [['wave', 'Wave'], ['siri', 'Siri wave'], ['bar', 'Bars'], ['line', 'Line']],
            when: on,
        },
        { kind: 'range', key: key('points'), label: 'Points', least: 8, most: 64, step: 1, text: String, when: on },
        {
            kind: 'range',
            key: key('sensitivity'),
            label: 'Sensitivity',
            text: percent,
            least: 0,
            most: 1,
            step: 0.05,
            help: 'How visible quiet passages are.',
            when: on,
        },
        {
            kind: 'range',
            key: key('viscosity'),
            label: 'Viscosity',
            text: percent,
            least: 0,
            most: 1,
            step: 0.05,
            help: 'From snappy to fluid.',
            when: on,
        },
        {
            kind: 'choice',
            key: key('colour'),
            label: 'Colour',
            options: [['cover', 'Cover'], ['cycle', 'Hue cycle'], ['custom', 'Custom']],
            when: on,
        },
        {
            kind: 'range',
            key: key('hueSeconds'),
            label: 'Hue cycle duration',
            least: 5,
            most: 120,
            step: 5,
            text: (value) => `${value} s`,
            when: (settings) => on(settings) && settings.get(key('colour')) === 'cycle',
        },
        {
            kind: 'colour',
            key: key('customColour'),
            label: 'Custom colour',
            when: (settings) => on(settings) && settings.get(key('colour')) === 'custom',
        },
    ];
}

/** @type {[string, any[]][]} */
const SECTIONS = [
    ['Appearance', [
        {
            kind: 'choice',
            key: 'appearance.theme',
            label: 'Theme',
            options: [['system', 'System'], ['light', 'Light'], ['dark', 'Dark']],
        },
        {
            kind: 'choice',
            key: 'appearance.density',
            label: 'List density',
            options: [['comfortable', 'Comfortable'], ['compact', 'Compact']],
        },
    ]],
    ['Playback', [
        {
            kind: 'choice',
            key: 'playback.quality',
            label: 'Quality',
            help:
                'Automatic: the original files, or 64 kbit/s on slow or metered connections. Formats that a browser cannot play arrive as MP3 with 192 kbit/s.',
            options: [['auto', 'Automatic'], ['original', 'Original'], ['low', 'Low']],
        },
        { kind: 'toggle', key: 'playback.gapless', label: 'Gapless', help: 'Plays albums without gaps between songs.' },
        {
            kind: 'toggle',
            key: 'playback.crossfade',
            label: 'Crossfade',
            help:
                'Songs blend into each other where the music allows it. With Gapless on, never between songs of an album played in order.',
        },
        {
            kind: 'range',
            key: 'playback.crossfadeSeconds',
            label: 'Crossfade length',
            least: 1,
            most: 12,
            step: 1,
            text: (value) => `${value} s`,
            when: (settings) => settings.get('playback.crossfade'),
        },
        {
            kind: 'choice',
            key: 'playback.crossfadeStyle',
            label: 'Crossfade mode',
            help:
                'Automatic: as planned by the host for each pair of songs. Always: every transition, with the length above. Mix: in time with the beat, as DJs do, where tempo and bars allow it.',
            options: [['plan', 'Automatic'], ['always', 'Always'], ['mix', 'Mix']],
            when: (settings) => settings.get('playback.crossfade'),
        },
        {
            kind: 'toggle',
            key: 'playback.crossfadeOnlyWhenItFits',
            label: 'Only when it fits',
            help: 'Songs that cannot be mixed overlap only where the first one has faded.',
            when: (settings) => settings.get('playback.crossfade') && settings.get('playback.crossfadeStyle') === 'mix',
        },
        {
            kind: 'toggle',
            key: 'playback.skipSilence',
            label: 'Skip silence',
            help: 'At the start and end of songs. With Gapless on, albums played in order keep their silence.',
        },
        {
            kind: 'choice',
            key: 'playback.normalization',
            label: 'Loudness normalization',
            help:
                'Track: all songs equally loud. Album: keeps the differences between songs of an album. Automatic: Album while an album plays in order, otherwise Track.',
            options: [['auto', 'Automatic'], ['track', 'Track'], ['album', 'Album'], ['off', 'Off']],
        },
        {
            kind: 'range',
            key: 'playback.targetLUFS',
            label: 'Target loudness',
            least: -23,
            most: -11,
            step: 1,
            text: (value) => `${value} LUFS`,
            when: (settings) => settings.get('playback.normalization') !== 'off',
        },
        {
            kind: 'range',
            key: 'playback.speed',
            label: 'Speed',
            ...SPEED,
            step: 0.05,
            text: (value) => `${Number(value).toFixed(2)} ×`,
        },
        {
            kind: 'toggle',
            key: 'playback.resume',
            label: 'Resume playback',
            help: 'Restores the queue and the position after a reload.',
        },
        {
            kind: 'toggle',
            key: 'playback.reportPlays',
            label: 'Report plays',
            help: 'For “Recently played” and “Most played”, shared by all your devices.',
        },
    ]],
    ['Developer', [
        { kind: 'toggle', key: 'console.enabled', label: 'Developer console', help: 'Shows a log above the player. Shortcut: `' },
    ]],
    ['Visualizer, full player', look('full')],
    ['Visualizer, mini player', look('mini')],
];

/**
 * The settings page.
 * @param {Parts} app
 */
export function settingsPage(app) {
    const { settings, connection } = app;
    const listeners = new AbortController();
    const rows = [];
    const row = (item) => {
        const place = h('div.setting-control', null, CONTROLS[item.kind](item, settings));
        const element = h(
            'div.setting',
            null,
            h('div.setting-name', null, h('span', null, item.label), item.help && h('small', null, item.help)),
            place,
        );
        const show = () => {
            element.hidden = item.when ? !item.when(settings) : false;
        };
        show();
        rows.push({ item, show });
        return element;
    };
    const section = (title, ...content) =>
        h('section.settings-group', { 'aria-label': title }, h('h2', null, title), h('div.settings-box', null, content));
    const reference = h(
        'div.setting',
        null,
        h(
            'div.setting-name',
            null,
            h('span', null, 'API reference'),
            h('small', null, 'All requests of this host, with a form for each.'),
        ),
        h('div.setting-control', null, h('a', { href: app.client.url('/docs'), target: '_blank' }, 'Open')),
    );
    const host = section(
        'Host',
        reference,
        h(
            'div.setting',
            null,
            h(
                'div.setting-name',
                null,
                h('span', null, connection.hostName || 'Host'),
                h('small', null, `${app.client.base} · ${app.catalogue.tracks.length.toLocaleString()} songs`),
            ),
            h(
                'div.setting-control',
                null,
                textButton('Hosts…', () => showHosts(app)),
                textButton('Forget this host', () => forgetHost(app), { kind: 'is-danger' }),
            ),
        ),
    );
    const apps = section(
        'Apps',
        h(
            'div.setting',
            null,
            h(
                'div.setting-name',
                null,
                h('span', null, 'Connect an app'),
                h('small', null, 'Play this library with Symfonium, Feishin, Amperfy or another app for Subsonic.'),
            ),
            h('div.setting-control', null, textButton('Connect…', () => app.go('/apps'))),
        ),
        h(
            'div.setting',
            null,
            h(
                'div.setting-name',
                null,
                h('span', null, 'Shares'),
                h('small', null, 'Addresses that play songs, albums or playlists without an account.'),
            ),
            h('div.setting-control', null, textButton('Show…', () => app.go('/shares'))),
        ),
        h(
            'div.setting',
            null,
            h(
                'div.setting-name',
                null,
                h('span', null, 'Scrobbling'),
                h('small', null, 'Forward your plays to ListenBrainz or Last.fm.'),
            ),
            h('div.setting-control', null, textButton('Set up…', () => app.go('/scrobbling'))),
        ),
    );
    const version = h('small', { id: 'about-version' });
    const account = h('small', { id: 'account-name' });
    const changePassword = async () => {
        // An owner may set any password, and has none at first: the API key signs in without one.
        const needsCurrent = !connection.hasRole('owner');
        const made = await askPassword('Change password', { needsCurrent });
        if (
            made && await orToast(async () => {
                const [path, method] = needsCurrent ? ['/auth/password', 'PUT'] : [`/accounts/${connection.account.id}`, 'PATCH'];
                await app.client.json(path, {
                    method,
                    body: { ...(needsCurrent && { current_password: made.current }), password: made.password },
                });
                return true;
            })
        ) toast('Password changed');
    };
    const accounts = h(
        'div.setting',
        null,
        h(
            'div.setting-name',
            null,
            h('span', null, 'Accounts'),
            h('small', null, 'For family and friends: each has its own favourites, history and playlists.'),
        ),
        h('div.setting-control', null, textButton('Manage…', () => app.go('/accounts'))),
    );
    const own = section(
        'Account',
        h(
            'div.setting',
            null,
            h('div.setting-name', null, h('span', null, 'Signed in as'), account),
            h('div.setting-control', null, textButton('Change password…', changePassword)),
        ),
        accounts,
    );
    const showVersion = () => {
        version.textContent = connection.version || 'Not connected';
        accounts.hidden = !connection.hasRole('owner');
        account.textContent = connection.account ? `${connection.account.name} (${connection.account.role})` : 'Not connected';
    };
    showVersion();
    connection.addEventListener('change', showVersion, { signal: listeners.signal });
    const about = section('About', h('div.setting', null, h('div.setting-name', null, h('span', null, 'Version'), version)));
    const { element } = page(
        'Settings',
        {},
        h(
            'div.settings',
            null,
            ...SECTIONS.map(([title, items]) => section(title, items.map(row))),
            own,
            backupSection(app),
            apps,
            host,
            about,
        ),
    );
    settings.addEventListener('change', () => {
        for (const { show } of rows) show();
    }, { signal: listeners.signal });
    return { element, title: 'Settings', close: () => listeners.abort() };
}
