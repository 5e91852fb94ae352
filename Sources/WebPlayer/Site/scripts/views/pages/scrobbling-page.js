import { h } from '../parts/dom.js';
import { momentText } from '../parts/texts.js';
import { textButton } from '../parts/buttons.js';
import { confirmed } from '../parts/dialog.js';
import { orToast, toast } from '../parts/toast.js';
import { page } from './page.js';
import { around, t } from '../../texts/text.js';

/** @typedef {Pick<import('../../app.js').App, 'client'>} Parts what this module uses of the page */

const PATH = '/account/scrobbling';
/** Milliseconds between two looks at the state while the page is shown. */
const INTERVAL = 5000;

const services = () => ({
    listenbrainz: {
        name: 'ListenBrainz',
        standard: 'https://api.listenbrainz.org',
        help: t('Copy your user token from {link}.'),
        link: 'https://listenbrainz.org/settings/',
        fields: [['token', t('User token'), 'password'], ['address', t('Server (optional)'), 'url']],
    },
    lastfm: {
        name: 'Last.fm',
        standard: 'https://ws.audioscrobbler.com/2.0/',
        help: t('Create an API account at {link} and enter its key and secret.'),
        link: 'https://www.last.fm/api/account/create',
        fields: [['api_key', t('API key'), 'text'], ['shared_secret', t('Shared secret'), 'password'], [
            'address',
            t('Server (optional)'),
            'url',
        ]],
    },
});

/**
 * The page that connects ListenBrainz and Last.fm.
 * @param {Parts} app
 */
export function scrobblingPage(app) {
    const { client } = app;
    const leaving = new AbortController();
    const sections = Object.keys(services()).map((name) => serviceView(name, client));
    const load = async () => {
        const report = await client.json(PATH, { signal: leaving.signal }).catch(() => null);
        if (report && !leaving.signal.aborted) { for (const section of sections) section.show(report[section.name]); }
    };
    const { element } = page(t('Scrobbling'), {
        text: t(
            'Plays of the player and of all apps are forwarded to your profile. They are queued on the host while a service cannot be reached.',
        ),
    }, h('div.settings', null, sections.map((each) => each.element)));
    const timer = setInterval(load, INTERVAL);
    load();
    return {
        element,
        title: t('Scrobbling'),
        close: () => {
            clearInterval(timer);
            leaving.abort();
        },
    };
}

/** Creates the view of one service: its state, or the form that connects it. */
function serviceView(name, client) {
    const { name: title, fields, help, link, standard } = services()[name];
    const path = `${PATH}/${name}`;
    const box = h('div.settings-box');
    const element = h('section.settings-group', { 'aria-label': title }, h('h2', null, title), box);
    let shown = '';

    const show = (service) => {
        const drawn = JSON.stringify(service);
        if (drawn === shown) return;
        // The form stays while the user types.
        const isForm = shown && JSON.parse(shown).state === 'disconnected' && service.state === 'disconnected';
        shown = drawn;
        if (isForm) return;
        box.replaceChildren(...({ disconnected: form, authorizing: permission }[service.state] ?? facts)(service).filter(Boolean));
    };
    const run = async (work, said) => {
        const service = await orToast(work);
        if (!service) return;
        if (said) toast(said);
        show(service);
    };
    const disconnect = (label, question) =>
        textButton(label, async () => {
            if (question && !await confirmed(t('Disconnect {service}?', { service: title }), question, t('Disconnect'))) return;
            await run(async () => {
                await client.json(path, { method: 'DELETE' });
                return (await client.json(PATH))[name];
            });
        }, { kind: question ? 'is-danger' : '' });

    /** The form that connects the service. */
    const form = () => {
        const inputs = fields.map((
            [key, label, type],
        ) => [
            key,
            h('input.field', {
                type,
                id: `${name}-${key}`,
                'aria-label': `${title}: ${label}`,
                required: key !== 'address',
                placeholder: key === 'address' ? standard : '',
                autocomplete: 'off',
                spellcheck: 'false',
                maxlength: '500',
            }),
            label,
        ]);
        const button = h('button.text-button.is-main', { type: 'submit' }, t('Connect'));
        return [h(
            'form.service-form',
            {
                onsubmit: async (event) => {
                    event.preventDefault();
                    button.disabled = true;
                    const body = Object.fromEntries(
                        inputs.map(([key, input]) => [key, /** @type {HTMLInputElement} */ (input).value.trim()]).filter((
                            [, value],
                        ) => value),
                    );
                    await run(
                        () => client.json(path, { method: 'PUT', body, timeout: 60_000 }),
                        name === 'listenbrainz' ? t('{service} connected', { service: title }) : '',
                    );
                    button.disabled = false;
                },
            },
            h('p', null, around(help, 'link', h('a', { href: link, target: '_blank', rel: 'noreferrer' }, link))),
            inputs.map(([key, input, label]) => h('div.copied-field', null, h('label', { for: `${name}-${key}` }, label), input)),
            h('div.row.end', null, button),
        )];
    };

    /** Asks the user to allow the access on the service's page. */
    const permission = (service) => [
        h(
            'div.service-form',
            null,
            h('p', null, t('Allow the access on the page of {service}, then complete the connection here.', { service: title })),
            h(
                'div.row.end',
                null,
                disconnect(t('Cancel'), ''),
                h(
                    'a.text-button',
                    { href: service.authorization_url, target: '_blank', rel: 'noreferrer' },
                    t('Open {service}', { service: title }),
                ),
                textButton(
                    t('Complete'),
                    () =>
                        run(
                            () => client.json(`${path}/session`, { method: 'POST', timeout: 60_000 }),
                            t('{service} connected', { service: title }),
                        ),
                    { kind: 'is-main' },
                ),
            ),
        ),
    ];

    /** The state of the connection. */
    const facts = (service) => [
        h(
            'div.setting',
            null,
            h(
                'div.setting-name',
                null,
                h('span', null, service.user ? t('Connected as {user}', { user: service.user }) : t('Connected')),
                h('small', null, service.address === standard ? '' : service.address),
            ),
            h(
                'div.setting-control',
                null,
                disconnect(
                    t('Disconnect'),
                    [
                        service.waiting_count && t('{count} plays that wait will not be sent.', { count: service.waiting_count }),
                        t('The access stored on the host is deleted.'),
                    ].filter(Boolean).join(' '),
                ),
            ),
        ),
        h(
            'div.setting',
            null,
            h(
                'div.setting-name',
                null,
                h('span', null, t('{count} plays sent', { count: service.sent_count })),
                h(
                    'small',
                    null,
                    [
                        service.last_sent_at && t('Last sent {time}', { time: momentText(service.last_sent_at) }),
                        service.waiting_count && t('{count} plays waiting', { count: service.waiting_count }),
                        service.rejected_count && t('{count} plays not accepted', { count: service.rejected_count }),
                    ].filter(Boolean).join(' · '),
                ),
            ),
        ),
        service.error &&
        h(
            'div.setting',
            { role: 'status' },
            h(
                'div.setting-name',
                null,
                h('span.is-bad', null, service.state === 'refused' ? t('Sending has stopped') : t('Sending fails')),
                h(
                    'small',
                    null,
                    [
                        service.error,
                        service.next_attempt_at && t('next attempt {time}', { time: momentText(service.next_attempt_at) }),
                    ]
                        .filter(Boolean).join(' · '),
                ),
            ),
        ),
        service.state === 'refused' && form()[0],
    ];
    return { name, element, show };
}
