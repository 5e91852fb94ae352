import { h } from './dom.js';
import { textButton } from './buttons.js';
import { copiedField } from './copied-field.js';
import { showSheet } from './dialog.js';
import { orToast, toast } from './toast.js';
import { hostAddresses } from '../../host/host-addresses.js';
import { dayText } from './texts.js';
import { choice } from './choice.js';
import { t } from '../../texts/text.js';

/** @typedef {Pick<import('../../app.js').App, 'client'>} Parts what this module uses of the page */

const PATH = '/shares';
const DAY = 86_400;
/** Lifetimes in days; '0' is without an end. */
const lifetimes = () => [['7', t('Week')], ['30', t('Month')], ['365', t('Year')], ['0', t('Always')]];
const LIFETIME = '30';

const expiry = (days) => (Number(days) ? Math.round(Date.now() / 1000) + Number(days) * DAY : null);

/**
 * Returns a menu item that shares something.
 * @param {Parts} app
 * @param {{track_ids?: number[], album_ids?: number[], playlist_ids?: number[]}} items
 */
export function shareItem(app, items, description) {
    return {
        label: t('Share…'),
        icon: 'share',
        action: async () => {
            const body = { ...items, description, expires_at: expiry(LIFETIME) };
            const made = await orToast(() => app.client.json(PATH, { method: 'POST', body }));
            if (made) await showShare(app, made, LIFETIME);
        },
    };
}

/**
 * Shows the address of a share and lets the user change how long it works.
 * @param {Parts} app
 * @param {{id: number, path: string, description?: string, expires_at?: number}} share
 * @param {string} [lifetime] the chosen lifetime; none for a share made earlier
 * @returns {Promise<HTMLDialogElement>}
 */
export async function showShare(app, share, lifetime) {
    const { client } = app;
    const known = await client.json('/account/app-passwords').catch(() => ({ addresses: [] }));
    const addresses = hostAddresses(client.base, known.addresses);
    const address = h('div');
    let url = '';
    const show = (base) => {
        url = base + share.path;
        address.replaceChildren(copiedField(t('Address'), url));
    };
    show(addresses[0].url);
    const until = h('p.page-text', { role: 'status' });
    const say = (time) => {
        until.textContent = time
            ? t('The address works until {date}.', { date: dayText(time) })
            : t('The address works until you stop sharing.');
    };
    say(share.expires_at);
    const sheet = showSheet(share.description || t('Share'), [
        h(
            'div.stack.share',
            null,
            h('p.page-text', null, t('Everyone who has this address can play and download the music, without an account.')),
            addresses.length > 1 && choice(t('Address'), addresses.map((each) => [each.url, each.label]), addresses[0].url, show),
            address,
            choice(t('Lifetime'), lifetimes(), lifetime, async (days) => {
                const changed = await orToast(() =>
                    client.json(`${PATH}/${share.id}`, { method: 'PATCH', body: { expires_at: expiry(days) } })
                );
                if (changed) say(changed.expires_at);
            }),
            until,
            h(
                'div.row.end',
                null,
                textButton(t('Stop sharing'), async () => {
                    if (
                        !await orToast(async () => {
                            await client.json(`${PATH}/${share.id}`, { method: 'DELETE' });
                            return true;
                        })
                    ) return;
                    sheet.close();
                    toast(t('Share revoked'));
                }, { kind: 'is-danger' }),
                // Of browsers that can hand it to other apps.
                navigator.share && textButton(t('Send…'), () => navigator.share({ title: share.description, url }).catch(() => {})),
                textButton(t('Done'), () => sheet.close(), { kind: 'is-main' }),
            ),
        ),
    ]);
    return sheet;
}
