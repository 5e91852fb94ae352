import { counted } from '../parts/dom.js';
import { empty } from '../parts/empty.js';
import { textButton } from '../parts/buttons.js';
import { confirmed } from '../parts/dialog.js';
import { play } from '../lists/track-menu.js';
import { trackList } from '../lists/track-list.js';
import { page } from './page.js';

/** What plays without the host. */
export function downloadsPage(app) {
    const { downloads } = app;
    const listeners = new AbortController();
    let tracks = [];
    const list = trackList(app, { tracks: () => tracks, label: 'Downloads' });
    const { element, lead } = page('Downloads', { actions: [textButton('Play', () => play(app, tracks, 0, { shuffle: false }), { name: 'play', kind: 'is-main' }),
        textButton('Remove all', async () => {
            if (await confirmed('Remove all downloads?', 'They leave this browser; the host keeps its files.', 'Remove')) downloads.remove(tracks);
        }, { name: 'trash' })] }, list.element);
    const draw = () => {
        const { all } = downloads;
        tracks = all.map(entry => app.catalogue.trackById.get(entry.track.id) ?? entry.track);
        lead.textContent = `${counted(all.length, 'song')} · ${(all.reduce((sum, entry) => sum + entry.bytes, 0) / 1e6).toFixed(1)} MB in this browser`;
        element.querySelector('.empty')?.remove();
        if (!all.length) element.append(empty('download', 'No downloads', 'Songs and albums have “Download” in their menus: then they play without the host.'));
        list.refresh();
    };
    downloads.addEventListener('done', draw, { signal: listeners.signal });
    draw();
    return { element, title: 'Downloads', close: () => { listeners.abort(); list.close(); } };
}
