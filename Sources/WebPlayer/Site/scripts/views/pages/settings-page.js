import { h } from '../parts/dom.js';
import { textButton } from '../parts/buttons.js';
import { askPassword } from '../parts/dialog.js';
import { orToast, toast } from '../parts/toast.js';
import { forgetHost, showHosts } from '../parts/hosts.js';
import { choice } from '../parts/choice.js';
import { backupSection } from './backup-section.js';
import { page } from './page.js';
import { settingsSections } from './settings-sections.js';
import { inSentence, t } from '../../texts/text.js';
import { roleNames } from './accounts-page.js';

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
    menu: ({ key, label, options }, settings) =>
        h(
            'select.field',
            { 'aria-label': label, onchange: (event) => settings.set(key, event.currentTarget.value) },
            options.map(([value, text]) => h('option', { value, selected: value === settings.get(key) }, text)),
        ),
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
            h('span', null, t('API reference')),
            h('small', null, t('All requests of this host, with a form for each.')),
        ),
        h('div.setting-control', null, h('a', { href: app.client.url('/docs'), target: '_blank' }, t('Open', { as: 'action' }))),
    );
    const host = section(
        t('Host'),
        reference,
        h(
            'div.setting',
            null,
            h(
                'div.setting-name',
                null,
                h('span', null, connection.hostName || t('Host')),
                h('small', null, `${app.client.base} · ${t('{count} songs', { count: app.catalogue.trackCount })}`),
            ),
            h(
                'div.setting-control',
                null,
                textButton(t('Hosts…'), () => showHosts(app)),
                textButton(t('Forget this host'), () => forgetHost(app), { kind: 'is-danger' }),
            ),
        ),
    );
    const apps = section(
        t('Apps'),
        h(
            'div.setting',
            null,
            h(
                'div.setting-name',
                null,
                h('span', null, t('Connect an app')),
                h('small', null, t('Play this library with Symfonium, Feishin, Amperfy or another app for Subsonic.')),
            ),
            h('div.setting-control', null, textButton(t('Connect…'), () => app.go('/apps'))),
        ),
        h(
            'div.setting',
            null,
            h(
                'div.setting-name',
                null,
                h('span', null, t('Shares')),
                h('small', null, t('Addresses that play songs, albums or playlists without an account.')),
            ),
            h('div.setting-control', null, textButton(t('Show…'), () => app.go('/shares'))),
        ),
        h(
            'div.setting',
            null,
            h(
                'div.setting-name',
                null,
                h('span', null, t('Scrobbling')),
                h('small', null, t('Forward your plays to ListenBrainz or Last.fm.')),
            ),
            h('div.setting-control', null, textButton(t('Set up…'), () => app.go('/scrobbling'))),
        ),
    );
    const version = h('small', { id: 'about-version' });
    const account = h('small', { id: 'account-name' });
    const changePassword = async () => {
        // An owner may set any password, and has none at first: the API key signs in without one.
        const needsCurrent = !connection.hasRole('owner');
        const made = await askPassword(t('Change password'), { needsCurrent });
        if (
            made && await orToast(async () => {
                const [path, method] = needsCurrent ? ['/auth/password', 'PUT'] : [`/accounts/${connection.account.id}`, 'PATCH'];
                await app.client.json(path, {
                    method,
                    body: { ...(needsCurrent && { current_password: made.current }), password: made.password },
                });
                return true;
            })
        ) toast(t('Password changed'));
    };
    const accounts = h(
        'div.setting',
        null,
        h(
            'div.setting-name',
            null,
            h('span', null, t('Accounts')),
            h('small', null, t('For family and friends: each has its own favourites, history and playlists.')),
        ),
        h('div.setting-control', null, textButton(t('Manage…'), () => app.go('/accounts'))),
    );
    const own = section(
        t('Account'),
        h(
            'div.setting',
            null,
            h('div.setting-name', null, h('span', null, t('Signed in as')), account),
            h('div.setting-control', null, textButton(t('Change password…'), changePassword)),
        ),
        accounts,
    );
    const showVersion = () => {
        version.textContent = connection.version || t('Not connected');
        accounts.hidden = !connection.hasRole('owner');
        account.textContent = connection.account
            ? `${connection.account.name} (${inSentence(roleNames()[connection.account.role] ?? connection.account.role)})`
            : t('Not connected');
    };
    showVersion();
    connection.addEventListener('change', showVersion, { signal: listeners.signal });
    const about = section(t('About'), h('div.setting', null, h('div.setting-name', null, h('span', null, t('Version')), version)));
    const { element } = page(
        t('Settings'),
        {},
        h(
            'div.settings',
            null,
            ...settingsSections().map(([title, items]) => section(title, items.map(row))),
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
    return { element, title: t('Settings'), close: () => listeners.abort() };
}
