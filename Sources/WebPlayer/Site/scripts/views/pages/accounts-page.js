import { h } from '../parts/dom.js';
import { textButton } from '../parts/buttons.js';
import { askPassword, confirmed } from '../parts/dialog.js';
import { drawChildren } from '../parts/redraw.js';
import { orToast, toast } from '../parts/toast.js';
import { ROLES } from '../../host/connection.js';
import { momentText } from '../parts/texts.js';
import { page } from './page.js';
import { inSentence, t } from '../../texts/text.js';
import { rowList } from '../parts/setting-rows.js';

/** @typedef {Pick<import('../../app.js').App, 'client' | 'connection'>} Parts what this module uses of the page */

const PATH = '/accounts';
/** The account of the host's API key, which stays an owner. */
const MAIN_ID = 1;

/** Rights of each role. */
const roleTexts = () => ({
    listener: t('Plays, and keeps favourites, ratings and playlists'),
    editor: t('Also edits tags, uploads and deletes music'),
    owner: t('Also manages accounts and the host'),
});

/** Names of the roles. */
export const roleNames = () => ({ listener: t('Listener'), editor: t('Editor'), owner: t('Owner') });

/**
 * The page on which owners manage the host's accounts.
 * @param {Parts} app
 */
export function accountsPage(app) {
    const { client, connection } = app;
    const leaving = new AbortController();
    const list = rowList(t('Accounts'));
    const roles = (role, label, onchange) =>
        h(
            'select.field',
            { 'aria-label': label, onchange },
            ROLES.map((name) => h('option', { value: name, selected: name === role }, roleNames()[name])),
        );
    const name = /** @type {HTMLInputElement} */ (h('input.field', {
        type: 'text',
        id: 'new-account-name',
        maxlength: '64',
        required: true,
        autocomplete: 'off',
        spellcheck: 'false',
    }));
    const password = /** @type {HTMLInputElement} */ (h('input.field', {
        type: 'password',
        id: 'new-account-password',
        minlength: '8',
        required: true,
        autocomplete: 'new-password',
    }));
    const help = h('p.page-text');
    const role = /** @type {HTMLSelectElement} */ (roles('listener', t('Role'), () => {
        help.textContent = t('{sentence}.', { sentence: roleTexts()[role.value] });
    }));
    role.id = 'new-account-role';
    help.textContent = t('{sentence}.', { sentence: roleTexts().listener });
    const button = h('button.text-button.is-main', { type: 'submit' }, t('Create account'));
    const form = h(
        'form.app-form.account-form',
        {
            onsubmit: async (event) => {
                event.preventDefault();
                button.disabled = true;
                const made = await orToast(() =>
                    client.json(PATH, {
                        method: 'POST',
                        body: { name: name.value.trim(), role: role.value, password: password.value },
                    })
                );
                button.disabled = false;
                if (!made) return;
                form.reset();
                help.textContent = t('{sentence}.', { sentence: roleTexts().listener });
                toast(t('Created the account {name}', { name: made.name }));
                await load();
            },
        },
        h('label', { for: 'new-account-name' }, t('Name')),
        name,
        h('label', { for: 'new-account-password' }, t('Password, of at least 8 characters')),
        password,
        h('label', { for: 'new-account-role' }, t('Role')),
        role,
        help,
        h('div.row', null, button),
    );

    /** Sends a change and shows the list as it is then. */
    const change = async (work, text) => {
        if (
            await orToast(async () => {
                await work();
                return true;
            })
        ) toast(text);
        await load();
    };
    const row = (account) => {
        const path = `${PATH}/${account.id}`;
        const isSelf = account.id === connection.account?.id;
        return h(
            'div.setting',
            { role: 'listitem' },
            h(
                'div.setting-name',
                null,
                h('span', null, isSelf ? t('{name} (you)', { name: account.name }) : account.name),
                h(
                    'small',
                    null,
                    [account.email, t('created {time}', { time: momentText(account.created_at) })].filter(Boolean).join(' · '),
                ),
            ),
            h(
                'div.setting-control',
                null,
                account.id === MAIN_ID
                    ? h('small', null, t('Owner, has the API key'))
                    : roles(account.role, t('Role of {name}', { name: account.name }), (event) =>
                        change(
                            () => client.json(path, { method: 'PATCH', body: { role: event.target.value } }),
                            t('{name} is now {role}', { name: account.name, role: inSentence(roleNames()[event.target.value]) }),
                        )),
                textButton(t('Set password…'), async () => {
                    const made = await askPassword(t('New password of {name}', { name: account.name }));
                    if (made) {
                        await change(
                            () => client.json(path, { method: 'PATCH', body: { password: made.password } }),
                            t('Password changed'),
                        );
                    }
                }, { 'aria-label': t('Set the password of {name}', { name: account.name }) }),
                account.id !== MAIN_ID && textButton(t('Delete…'), async () => {
                    if (
                        !await confirmed(
                            t('Delete the account {name}?', { name: account.name }),
                            t('Its favourites, ratings, history, playlists, shares and app passwords are deleted. Music stays.'),
                            t('Delete'),
                        )
                    ) return;
                    await change(() => client.json(path, { method: 'DELETE' }), t('Account deleted'));
                }, { kind: 'is-danger', 'aria-label': t('Delete {name}', { name: account.name }) }),
            ),
        );
    };

    async function load() {
        const found = await orToast(() => client.json(PATH, { signal: leaving.signal }));
        if (!found) return;
        drawChildren(
            list,
            found.items.map((account) => ({
                key: account.id,
                state: [account.name, account.role, account.email],
                make: () => row(account),
            })),
        );
    }

    const { element } = page(
        t('Accounts'),
        { text: t('Each account has its own favourites, ratings, history and playlists.') },
        h(
            'div.settings',
            null,
            h('section.settings-group', { 'aria-label': t('Accounts') }, h('h2', null, t('Accounts')), list),
            h('section.settings-group', { 'aria-label': t('New account') }, h('h2', null, t('New account')), form),
        ),
    );
    load();
    return { element, title: t('Accounts'), close: () => leaving.abort() };
}
