import { addHost, changeHost, removeHost } from '../../host/host-changes.js';
import { textButton } from './buttons.js';
import { confirmed, showSheet } from './dialog.js';
import { h } from './dom.js';
import { showMenu } from './menu.js';
import { orToast, toast } from './toast.js';
import { t } from '../../texts/text.js';

/** @typedef {Pick<import('../../app.js').App, 'downloads' | 'forget' | 'hosts' | 'knownHost' | 'showHost'>} Parts what this module uses of the page */
/** @typedef {import('../../host/host-book.js').KnownHost} KnownHost */

/** Shows a menu of the hosts, to switch. @param {Parts} app @param {Element} at */
export function showHostMenu(app, at) {
    showMenu(
        [
            ...app.hosts.all.map((host) => ({
                label: host.name,
                icon: 'host',
                isChecked: host.id === app.knownHost.id,
                action: () => switchTo(app, host),
            })),
            null,
            { label: t('Add a host…'), icon: 'plus', action: () => askHost(app) },
            { label: t('Manage hosts…'), icon: 'settings', action: () => showHosts(app) },
        ],
        at,
        t('Hosts'),
    );
}

/** Lists the hosts in a sheet, to switch, rename and remove them. @param {Parts} app */
export function showHosts(app) {
    const list = h('ul.hosts', { role: 'list' });
    const sheet = showSheet(t('Hosts'), [
        list,
        h(
            'div.row.end',
            null,
            textButton(t('Add a host…'), async () => {
                if (await askHost(app)) draw();
            }, { name: 'plus' }),
        ),
    ]);
    const draw = () =>
        list.replaceChildren(...app.hosts.all.map((host) => {
            const isCurrent = host.id === app.knownHost.id;
            return h(
                'li',
                { 'data-host': host.id },
                h('div.setting-name', null, h('span', null, host.name), h('small', null, host.addresses.join(' · '))),
                h(
                    'div.row',
                    null,
                    !isCurrent && textButton(t('Switch'), () => switchTo(app, host), { kind: 'is-main' }),
                    textButton(t('Edit…'), async () => {
                        if (await editHost(app, host)) draw();
                    }),
                    (!host.isOwn || isCurrent) && textButton(t('Forget'), async () => {
                        if (await forgetHost(app, host)) {
                            if (isCurrent) sheet.close();
                            else draw();
                        }
                    }, { kind: 'is-danger' }),
                ),
            );
        }));
    draw();
}

/** Asks before a host is forgotten. @param {Parts} app @param {KnownHost} [host] @returns {Promise<boolean>} whether it was */
export async function forgetHost(app, host = app.knownHost) {
    if (
        !await confirmed(
            t('Forget this host?'),
            t('The API key, the cached library, all downloads, the queue and unsent plays are removed from this browser. Music and playlists stay on the host.'),
            t('Forget'),
        )
    ) return false;
    if (host.id === app.knownHost.id) await app.forget();
    else {
        removeHost(app.hosts, host);
        if (host.library) await app.downloads.removeOthers(host.library);
    }
    return true;
}

/** @param {Parts} app @param {KnownHost} host */
function switchTo(app, host) {
    if (host.id !== app.knownHost.id) orToast(() => app.showHost(host.id));
}

/** Asks for a host, adds it and shows it. @param {Parts} app @returns {Promise<boolean>} whether one was added */
export function askHost(app) {
    const address = field(t('Address'), { placeholder: 'attic.local:8420', autocomplete: 'url', required: true });
    const name = field(t('Name'), { autocomplete: 'username' });
    const secret = field(t('Password or API key'), { type: 'password', autocomplete: 'current-password' });
    return ask(t('Add a host'), [address, name, secret], t('Connect'), async () => {
        const entered = { address: address.input.value, name: name.input.value, secret: secret.input.value };
        const added = await addHost(app.hosts, entered);
        await app.showHost(added.id);
    });
}

/** Asks for the name and the addresses of a host. @param {Parts} app @param {KnownHost} host @returns {Promise<boolean>} whether they changed */
function editHost(app, host) {
    const name = field(t('Name'), { value: host.name, required: true });
    const addresses = h('textarea.field', { id: 'host-addresses', rows: 3, spellcheck: 'false', autocapitalize: 'off' });
    addresses.value = host.addresses.join('\n');
    const lines = h(
        'label',
        null,
        h('span', null, t('Addresses')),
        addresses,
        h('small', null, t('One in each line, the preferred one first. If one does not respond, the next is used.')),
    );
    return ask(t('Edit host'), [name, { element: lines }], t('Save'), async () => {
        const entered = { name: name.input.value, addresses: addresses.value.split(/\s+/) };
        const away = await changeHost(app.hosts, host, entered);
        if (away.length) toast(t('{address} does not respond at present.', { address: away.join(', ') }));
        const isCurrent = host.id === app.knownHost.id;
        const changed = app.hosts.all.find(({ id }) => id === host.id);
        if (isCurrent && changed?.addresses.join() !== host.addresses.join()) await app.showHost(host.id);
    });
}

/** @param {string} label @param {Record<string, unknown>} properties */
function field(label, properties) {
    const input = /** @type {HTMLInputElement} */ (h('input.field', {
        type: 'text',
        spellcheck: 'false',
        autocapitalize: 'off',
        ...properties,
    }));
    return { input, element: h('label', null, h('span', null, label), input) };
}

/**
 * Shows a form until its action succeeds.
 * @param {string} title
 * @param {{element: HTMLElement}[]} fields
 * @param {string} action
 * @param {() => Promise<void>} run
 * @returns {Promise<boolean>} false if cancelled
 */
function ask(title, fields, action, run) {
    return new Promise((resolve) => {
        let isDone = false;
        const error = h('p.connect-error', { role: 'alert' });
        const button = h('button.text-button.is-main', { type: 'submit' }, action);
        const form = h(
            'form.stack.host-form',
            {
                onsubmit: async (event) => {
                    event.preventDefault();
                    button.disabled = true;
                    error.textContent = '';
                    try {
                        await run();
                        isDone = true;
                        sheet.close();
                    } catch (problem) {
                        error.textContent = problem.message;
                    }
                    button.disabled = false;
                },
            },
            fields.map(({ element }) => element),
            error,
            h('div.row.end', null, textButton(t('Cancel'), () => sheet.close()), button),
        );
        const sheet = showSheet(title, [form], { className: 'is-small' });
        sheet.addEventListener('close', () => resolve(isDone));
        form.querySelector('input')?.focus();
    });
}
