import { h } from '../parts/dom.js';
import { dayText, momentText } from '../parts/texts.js';
import { textButton } from '../parts/buttons.js';
import { confirmed } from '../parts/dialog.js';
import { drawChildren } from '../parts/redraw.js';
import { showShare } from '../parts/share.js';
import { orToast, toast } from '../parts/toast.js';
import { page } from './page.js';
import { t } from '../../texts/text.js';
import { emptyRow, rowList } from '../parts/setting-rows.js';

/** @typedef {Pick<import('../../app.js').App, 'client'>} Parts what this module uses of the page */

const PATH = '/shares';

/**
 * The page of the account's shares.
 * @param {Parts} app
 */
export function sharesPage(app) {
    const { client } = app;
    const leaving = new AbortController();
    const list = rowList(t('Shares'));
    const state = (share) => {
        if (!share.expires_at) return t('Never expires');
        const date = dayText(share.expires_at);
        return share.expires_at * 1000 < Date.now() ? t('Expired on {date}', { date }) : t('Expires on {date}', { date });
    };
    const row = (share) =>
        h(
            'div.setting',
            { role: 'listitem' },
            h(
                'div.setting-name',
                null,
                h('span', null, share.description || t('{count} songs', { count: share.track_count })),
                h(
                    'small',
                    null,
                    [
                        t('{count} songs', { count: share.track_count }),
                        state(share),
                        share.visit_count
                            ? t('opened {count} times, last {time}', {
                                count: share.visit_count,
                                time: momentText(share.last_visited_at),
                            })
                            : t('not opened yet'),
                    ].join(' · '),
                ),
            ),
            h(
                'div.setting-control',
                null,
                textButton(t('Open…'), async () => {
                    (await showShare(app, share)).addEventListener('close', () => load());
                }, { 'aria-label': t('Open the share {name}', { name: share.description ?? String(share.id) }) }),
                textButton(t('Revoke'), async () => {
                    if (!await confirmed(t('Revoke this share?'), t('Its address stops working at once.'), t('Revoke'))) return;
                    if (
                        await orToast(async () => {
                            await client.json(`${PATH}/${share.id}`, { method: 'DELETE' });
                            return true;
                        })
                    ) toast(t('Share revoked'));
                    await load();
                }, {
                    kind: 'is-danger',
                    'aria-label': t('Revoke the share {name}', { name: share.description ?? String(share.id) }),
                }),
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
                    make: () => emptyRow(t('You share nothing. Share songs, albums and playlists from their menus.')),
                }],
        );
    }

    const { element } = page(t('Shares'), {
        text: t('Everyone who has the address of a share can play and download its songs, without an account.'),
    }, h('div.settings', null, h('section.settings-group', { 'aria-label': t('Shares') }, list)));
    load();
    return { element, title: t('Shares'), close: () => leaving.abort() };
}
