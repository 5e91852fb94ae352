import { h } from '../parts/dom.js';
import { counted, lengthText } from '../parts/texts.js';
import { icon } from '../parts/icons.js';
import { empty } from '../parts/empty.js';
import { iconButton, textButton } from '../parts/buttons.js';
import { askText } from '../parts/dialog.js';
import { drawChildren } from '../parts/redraw.js';
import { orToast, toast } from '../parts/toast.js';
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
    /** @type {HTMLInputElement} */
    const file = h('input', {
        type: 'file',
        accept: '.nsp,application/json',
        hidden: true,
        'aria-label': 'Smart playlist file',
        onchange: async () => {
            const chosen = file.files?.[0];
            file.value = '';
            if (!chosen) return;
            let content;
            try {
                content = JSON.parse(await chosen.text());
            } catch {
                toast(`“${chosen.name}” is not a smart playlist (.nsp)`);
                return;
            }
            const made = await orToast(() => playlists.importSmart(content, chosen.name.replace(/\.[^.]*$/, '')));
            if (made) app.go(`/playlists/${made.id}`);
        },
    });
    const { element, lead } = page(
        'Playlists',
        {
            actions: [
                iconButton('upload', 'Import a smart playlist (.nsp)', () => file.click()),
                textButton('New smart playlist', () => app.go('/smart-playlists/new'), { name: 'smart' }),
                textButton('New playlist', async () => {
                    const name = await askText('New playlist', { label: 'Name', action: 'Create' });
                    if (!name) return;
                    const made = await orToast(() => playlists.make(name));
                    if (made) app.go(`/playlists/${made.id}`);
                }, { name: 'plus', kind: 'is-main' }),
            ],
        },
        list,
        file,
    );
    const draw = () => {
        lead.textContent = playlists.isLoaded ? counted(playlists.all.length, 'playlist') : '';
        drawChildren(
            list,
            playlists.all.length
                ? playlists.all.map((one, index) => ({
                    key: one.id,
                    state: [index % 12, Boolean(one.rules), one.name, one.track_count, one.duration_seconds],
                    make: () =>
                        h(
                            'a.tile',
                            { href: `#/playlists/${one.id}`, 'data-hue': index % 12 },
                            icon(one.rules ? 'smart' : 'playlists'),
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
