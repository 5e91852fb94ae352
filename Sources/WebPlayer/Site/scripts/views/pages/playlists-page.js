import { h } from '../parts/dom.js';
import { lengthText } from '../parts/texts.js';
import { icon } from '../parts/icons.js';
import { empty } from '../parts/empty.js';
import { iconButton, textButton } from '../parts/buttons.js';
import { askText } from '../parts/dialog.js';
import { drawChildren } from '../parts/redraw.js';
import { orToast, toast } from '../parts/toast.js';
import { UNKNOWN, waiting } from '../parts/placeholder.js';
import { page } from './page.js';
import { t } from '../../texts/text.js';

/** @typedef {Pick<import('../../app.js').App, 'connection' | 'go' | 'playlists'>} Parts what this module uses of the page */

/**
 * The page of all playlists.
 * @param {Parts} app
 */
export function playlistsPage(app) {
    const { connection, playlists } = app;
    const listeners = new AbortController();
    const list = h('div.tiles');
    /** @type {HTMLInputElement} */
    const file = h('input', {
        type: 'file',
        accept: '.nsp,application/json',
        hidden: true,
        'aria-label': t('Smart playlist file'),
        onchange: async () => {
            const chosen = file.files?.[0];
            file.value = '';
            if (!chosen) return;
            let content;
            try {
                content = JSON.parse(await chosen.text());
            } catch {
                toast(t('“{name}” is not a smart playlist (.nsp)', { name: chosen.name }));
                return;
            }
            const made = await orToast(() => playlists.importSmart(content, chosen.name.replace(/\.[^.]*$/, '')));
            if (made) app.go(`/playlists/${made.id}`);
        },
    });
    const { element, lead } = page(
        t('Playlists'),
        {
            actions: [
                iconButton('upload', t('Import a smart playlist (.nsp)'), () => file.click()),
                textButton(t('New smart playlist'), () => app.go('/smart-playlists/new'), { name: 'smart' }),
                textButton(t('New playlist'), async () => {
                    const name = await askText(t('New playlist'), { label: t('Name'), action: t('Create') });
                    if (!name) return;
                    const made = await orToast(() => playlists.make(name));
                    if (made) app.go(`/playlists/${made.id}`);
                }, { name: 'plus', kind: 'is-main' }),
            ],
        },
        list,
        file,
    );
    const wait = waiting(element, list, 'tiles');
    const draw = () => {
        wait(!playlists.isSettled && connection.mayAnswer);
        lead.textContent = playlists.isLoaded ? t('{count} playlists', { count: playlists.all.length }) : UNKNOWN;
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
                            h(
                                'span.tile-text',
                                null,
                                t('{count} songs · {duration}', {
                                    count: one.track_count,
                                    duration: lengthText(one.duration_seconds),
                                }),
                            ),
                        ),
                }))
                : [{
                    key: `empty ${playlists.isLoaded}`,
                    make: () =>
                        playlists.isLoaded
                            ? empty('playlists', t('No playlists yet'), t('Create one here or from the menu of any song.'))
                            : empty('playlists', t('Could not load the playlists')),
                }],
        );
    };
    playlists.addEventListener('change', draw, { signal: listeners.signal });
    draw();
    connection.addEventListener('change', draw, { signal: listeners.signal });
    if (connection.state === 'open') {
        // The page shows a failure.
        playlists.refresh().catch(() => {});
    }
    return { element, title: t('Playlists'), close: () => listeners.abort() };
}
