import { h } from '../parts/dom.js';
import { counted, dayText, momentText } from '../parts/texts.js';
import { textButton } from '../parts/buttons.js';
import { confirmed } from '../parts/dialog.js';
import { drawChildren } from '../parts/redraw.js';
import { showShare } from '../parts/share.js';
import { orToast, toast } from '../parts/toast.js';
import { page } from './page.js';

/** @typedef {Pick<import('../../app.js').App, 'client'>} Parts what this module uses of the page */

const PATH = '/shares';

/**
 * The page of the account's shares.
 * @param {Parts} app
 */
export function sharesPage(app) {
    const { client } = app;
    const leaving = new AbortController();
    const list = h('div.settings-box', { role: 'list', 'aria-label': 'Shares' });
    const state = (share) => {
        if (!share.expires_at) return 'Never expires';
        return `${share.expires_at * 1000 < Date.now() ? 'Expired' : 'Expires'} on ${dayText(share.expires_at)}`;
    };
    const row = (share) =>
        h(
            'div.setting',
            { role: 'listitem' },
            h(
                'div.setting-name',
                null,
                h('span', null, share.description || counted(share.track_count, 'song')),
                h(
                    'small',
                    null,
                    [
                        counted(share.track_count, 'song'),
                        state(share),
                        share.visit_count
                            ? `opened ${counted(share.visit_count, 'time')}, last ${momentText(share.last_visited_at)}`
                            : 'not opened yet',
                    ].join(' · '),
                ),
            ),
            h(
                'div.setting-control',
                null,
                textButton('Open…', async () => {
                    (await showShare(app, share)).addEventListener('close', () => load());
                }, { 'aria-label': `Open the share ${share.description ?? share.id}` }),
                textButton('Revoke', async () => {
                    if (!await confirmed('Revoke this share?', 'Its address stops working at once.', 'Revoke')) return;
                    if (
                        await orToast(async () => {
                            await client.json(`${PATH}/${share.id}`, { method: 'DELETE' });
                            return true;
                        })
                    ) toast('Share revoked');
                    await load();
                }, { kind: 'is-danger', 'aria-label': `Revoke the share ${share.description ?? share.id}` }),
            ),
        );

    async function load() {
        const found = await orToast(() => client.json(PATH, { query: { limit: 500 }, signal: leaving.signal }));
        if (!found) return;
        drawChildren(
            list,
            found.items.length
                ? found.items.reverse().map((share) => ({
                    key: share.id,
                    state: [share.expires_at, share.visit_count, share.track_count, share.description],
                    make: () => row(share),
                }))
                : [{
                    key: 'none',
                    make: () =>
                        h('p.settings-empty', null, 'You share nothing. Share songs, albums and playlists from their menus.'),
                }],
        );
    }

    const { element } = page('Shares', {
        text: 'Everyone who has the address of a share can play and download its songs, without an account.',
    }, h('div.settings', null, h('section.settings-group', { 'aria-label': 'Shares' }, list)));
    load();
    return { element, title: 'Shares', close: () => leaving.abort() };
}
