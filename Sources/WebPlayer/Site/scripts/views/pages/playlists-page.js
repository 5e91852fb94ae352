import { h } from '../parts/dom.js';
import { counted, lengthText } from '../parts/texts.js';
import { icon } from '../parts/icons.js';
import { empty } from '../parts/empty.js';
import { textButton } from '../parts/buttons.js';
import { askText } from '../parts/dialog.js';
import { drawChildren } from '../parts/redraw.js';
import { orToast } from '../parts/toast.js';
import { page } from './page.js';

/** @typedef {Pick<import('../../app.js').App, 'connection' | 'go' | 'playlists'>} Parts what this module uses of the page */

/**
 * The page of all playlists.
 * @param {Parts} app
 */
export function playlistsPage(app) {
    const { playlists } = app;
    const listeners = new AbortController();
    const list = h('div.tiles');
    const { element, lead } = page('Playlists', {
        actions: [textButton('New playlist', async () => {
            const name = await askText('New playlist', { label: 'Name', action: 'Create' });
            if (!name) return;
            const made = await orToast(() => playlists.make(name));
            if (made) app.go(`/playlists/${made.id}`);
        }, { name: 'plus', kind: 'is-main' })],
    }, list);
    const draw = () => {
        lead.textContent = playlists.isLoaded ? counted(playlists.all.length, 'playlist') : '';
        drawChildren(
            list,
            playlists.all.length
                ? playlists.all.map((one, index) => ({
                    key: one.id,
                    state: [index % 12, one.name, one.track_count, one.duration_seconds],
                    make: () =>
                        h(
                            'a.tile',
                            { href: `#/playlists/${one.id}`, 'data-hue': index % 12 },
                            icon('playlists'),
                            h('span.tile-title', null, one.name),
                            h('span.tile-text', null, `${counted(one.track_count, 'song')} · ${lengthText(one.duration_seconds)}`),
                        ),
                }))
                : [{
                    key: empty,
                    make: () => empty('playlists', 'No playlists yet', 'Create one here or from the menu of any song.'),
                }],
        );
    };
    playlists.addEventListener('change', draw, { signal: listeners.signal });
    draw();
    if (app.connection.state === 'open') playlists.refresh().catch(() => {});
    return { element, title: 'Playlists', close: () => listeners.abort() };
}
