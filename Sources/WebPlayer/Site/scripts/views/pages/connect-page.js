import { h } from '../parts/dom.js';
import { showHosts } from '../parts/hosts.js';
import { icon } from '../parts/icons.js';
import { around, t } from '../../texts/text.js';

/** @typedef {Pick<import('../../app.js').App, 'connection' | 'downloads' | 'forget' | 'hosts' | 'knownHost' | 'showHost'>} Parts what this module uses of the page */

/** Seconds between reconnection attempts. */
const RETRY_SECONDS = 5;

/**
 * The connection page: asks for name and password, or for the API key, or explains why the connection failed.
 * @param {Parts} app
 * @returns {{element: HTMLElement, close: () => void}}
 */
export function connectPage(app) {
    const { connection } = app;
    const listeners = new AbortController();
    const name = /** @type {HTMLInputElement} */ (h('input.field', {
        type: 'text',
        id: 'connect-name',
        name: 'username',
        autocomplete: 'username',
        placeholder: t('Name'),
        spellcheck: 'false',
        autocapitalize: 'off',
    }));
    const input = /** @type {HTMLInputElement} */ (h('input.field', {
        type: 'password',
        id: 'connect-key',
        autocomplete: 'current-password',
        placeholder: t('Password or API key'),
        required: true,
        spellcheck: 'false',
        autocapitalize: 'off',
        'aria-describedby': 'connect-help connect-error',
    }));
    const shown = h('input', {
        type: 'checkbox',
        onchange: () => {
            input.type = shown.checked ? 'text' : 'password';
        },
    });
    const error = h('p.connect-error', { id: 'connect-error', role: 'alert' });
    const button = h('button.text-button.is-main.is-wide', { type: 'submit' }, t('Connect'));
    const command = h('code', null, 'stream-host key show');
    const form = h(
        'form.stack',
        {
            onsubmit: async (event) => {
                event.preventDefault();
                button.disabled = true;
                button.textContent = t('Connecting…');
                const state =
                    await (name.value.trim() ? connection.signIn(name.value, input.value) : connection.connect(input.value));
                button.disabled = false;
                button.textContent = t('Connect');
                if (state !== 'open') input.select();
            },
        },
        h('label.is-hidden', { for: 'connect-name' }, t('Name')),
        name,
        h('label.is-hidden', { for: 'connect-key' }, t('Password or API key')),
        input,
        h('label.check', null, shown, h('span', null, t('Show password'))),
        error,
        button,
        h(
            'p.connect-help',
            { id: 'connect-help' },
            around(t('Without a name, enter the API key. To print it, run {command} on the host.'), 'command', command),
        ),
    );
    const again = h('button.text-button.is-wide', { type: 'button', onclick: () => connection.connect() }, t('Retry'));
    const hosts = h('button.text-button.is-wide', { type: 'button', onclick: () => showHosts(app) }, t('Hosts…'));
    const title = h('h1', null, t('Music'));
    const element = h(
        'main.connect',
        null,
        h('div.connect-box', null, h('div.connect-mark', { 'aria-hidden': 'true' }, icon('wave')), title, form, again, hosts),
    );
    let timer = 0;
    const draw = () => {
        const { state, message } = connection;
        error.textContent = message;
        const isAway = state === 'down' || state === 'version';
        title.textContent = state === 'down'
            ? t('Host offline')
            : state === 'version'
            ? t('Version mismatch')
            : connection.hostName || t('Music');
        for (const part of [name, input, shown.parentElement, button, form.querySelector('.connect-help')]) {
            part?.toggleAttribute('hidden', isAway);
        }
        again.hidden = !isAway;
        clearTimeout(timer);
        if (state === 'down') timer = setTimeout(() => connection.connect(), RETRY_SECONDS * 1000);
        if (!isAway) {
            requestAnimationFrame(() => {
                if (document.activeElement !== name) input.focus();
            });
        }
    };
    connection.addEventListener('change', draw, { signal: listeners.signal });
    draw();
    return {
        element,
        close: () => {
            clearTimeout(timer);
            listeners.abort();
        },
    };
}
