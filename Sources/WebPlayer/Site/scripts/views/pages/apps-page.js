import { h } from '../parts/dom.js';
import { textButton } from '../parts/buttons.js';
import { copiedField } from '../parts/copied-field.js';
import { confirmed } from '../parts/dialog.js';
import { drawChildren } from '../parts/redraw.js';
import { orToast, toast } from '../parts/toast.js';
import { hostAddresses } from '../../host/host-addresses.js';
import { momentText } from '../parts/texts.js';
import { choice } from '../parts/choice.js';
import { page } from './page.js';
import { t } from '../../texts/text.js';
import { emptyRow, rowList } from '../parts/setting-rows.js';

/** @typedef {Pick<import('../../app.js').App, 'client'>} Parts what this module uses of the page */

const PATH = '/account/app-passwords';

/**
 * The page that connects OpenSubsonic apps: creates and revokes their passwords.
 * @param {Parts} app
 */
export function appsPage(app) {
    const { client } = app;
    const leaving = new AbortController();
    /** Addresses of the host, and the user name. */
    /** @type {{user: string, addresses: any[], items: any[]}} */
    let known = { user: '', addresses: [], items: [] };
    const result = h('div.app-result', { hidden: true });
    const list = rowList(t('Connected apps'));
    const name = /** @type {HTMLInputElement} */ (h('input.field', {
        type: 'text',
        id: 'app-name',
        placeholder: 'Symfonium',
        maxlength: '100',
        required: true,
        autocomplete: 'off',
        spellcheck: 'false',
    }));
    const button = h('button.text-button.is-main', { type: 'submit' }, t('Create password'));
    const form = h(
        'form.app-form',
        {
            onsubmit: async (event) => {
                event.preventDefault();
                button.disabled = true;
                const made = await orToast(() => client.json(PATH, { method: 'POST', body: { name: name.value.trim() } }));
                button.disabled = false;
                if (!made) return;
                name.value = '';
                await load();
                showResult(made);
            },
        },
        h('label', { for: 'app-name' }, t('Name of the app')),
        h('div.row', null, name, button),
    );

    const code = codeView(client, leaving.signal);
    function showResult(made) {
        const addresses = hostAddresses(client.base, known.addresses);
        const address = h('div');
        const show = (url) => {
            address.replaceChildren(copiedField(t('Address'), url));
            code.show(url);
        };
        show(addresses[0].url);
        result.replaceChildren(
            h('h2', { tabindex: '-1' }, t('Enter this in {name}', { name: made.name })),
            h(
                'p.page-text',
                null,
                t('Add a server of the type OpenSubsonic, Subsonic or Navidrome. The password is shown only now.'),
            ),
            h(
                'div.app-facts',
                null,
                h(
                    'div.stack',
                    null,
                    addresses.length > 1 &&
                        choice(t('Address'), addresses.map(({ url, label }) => [url, label]), addresses[0].url, show),
                    address,
                    copiedField(t('User'), made.user),
                    copiedField(t('Password'), made.password),
                    h(
                        'p.page-text',
                        null,
                        t('Apps with a field for an API key need only the address and, as the key, the password.'),
                    ),
                ),
                code.element,
            ),
        );
        result.hidden = false;
        result.querySelector('h2')?.focus();
        result.scrollIntoView({ block: 'nearest' });
    }

    const row = (item) =>
        h(
            'div.setting',
            { role: 'listitem' },
            h(
                'div.setting-name',
                null,
                h('span', null, item.name),
                h(
                    'small',
                    null,
                    [
                        t('Created {time}', { time: momentText(item.created_at) }),
                        item.last_used_at ? t('last used {time}', { time: momentText(item.last_used_at) }) : t('never used'),
                    ].join(' · '),
                ),
            ),
            h(
                'div.setting-control',
                null,
                textButton(t('Revoke'), async () => {
                    if (
                        !await confirmed(
                            t('Revoke the password of {name}?', { name: item.name }),
                            t('The app cannot sign in any more from now on.'),
                            t('Revoke'),
                        )
                    ) return;
                    if (
                        await orToast(async () => {
                            await client.json(`${PATH}/${encodeURIComponent(item.id)}`, { method: 'DELETE' });
                            return true;
                        })
                    ) toast(t('Password revoked'));
                    result.hidden = true;
                    await load();
                }, { kind: 'is-danger', 'aria-label': t('Revoke {name}', { name: item.name }) }),
            ),
        );

    async function load() {
        const found = await orToast(() => client.json(PATH, { signal: leaving.signal }));
        if (!found) return;
        known = found;
        drawChildren(
            list,
            known.items.length
                ? known.items.map((item) => ({ key: item.id, state: [item.last_used_at], make: () => row(item) }))
                : [{ key: 'none', make: () => emptyRow(t('No apps are connected.')) }],
        );
    }

    const { element } = page(
        t('Connect an app'),
        { text: t('Any app for Subsonic or Navidrome can play this library. Each app gets a password of its own.') },
        h(
            'div.settings',
            null,
            form,
            result,
            h('section.settings-group', { 'aria-label': t('Connected apps') }, h('h2', null, t('Connected apps')), list),
        ),
    );
    load();
    return {
        element,
        title: t('Connect an app'),
        close: () => {
            leaving.abort();
            code.close();
        },
    };
}

/** Creates the view of an address as a QR code. */
function codeView(client, signal) {
    const image = /** @type {HTMLImageElement} */ (h('img', { alt: t('QR code of the address'), width: '220', height: '220' }));
    const element = h(
        'figure.app-code',
        null,
        image,
        h(
            'figcaption',
            null,
            t('The address, for the phone’s camera. User and password are not part of it: no app is known to read them from a code.'),
        ),
    );
    let wanted = '';
    const free = () => {
        if (image.src.startsWith('blob:')) URL.revokeObjectURL(image.src);
    };
    return {
        element,
        close: free,
        show: async (url) => {
            wanted = url;
            const answer = await orToast(() => client.bytes('/account/qr-code', { query: { url }, signal }));
            if (!answer || wanted !== url) return;
            free();
            image.src = URL.createObjectURL(new Blob([answer.buffer], { type: 'image/svg+xml' }));
        },
    };
}
