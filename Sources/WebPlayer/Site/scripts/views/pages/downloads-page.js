import { h } from '../parts/dom.js';
import { counted, sizeText } from '../parts/texts.js';
import { empty } from '../parts/empty.js';
import { textButton } from '../parts/buttons.js';
import { confirmed } from '../parts/dialog.js';
import { play } from '../lists/track-menu.js';
import { trackList } from '../lists/track-list.js';
import { page } from './page.js';

/** @typedef {Pick<import('../../app.js').App, 'catalogue' | 'client' | 'covers' | 'downloads' | 'favourites' | 'go' | 'player' | 'playlists' | 'scroller' | 'settings' | 'trackActions'>} Parts what this module uses of the page */

/**
 * The page of downloaded songs.
 * @param {Parts} app
 */
export function downloadsPage(app) {
    const { downloads } = app;
    const listeners = new AbortController();
    let tracks = [];
    const list = trackList(app, { tracks: () => tracks, label: 'Downloads' });
    const { element, lead } = page('Downloads', {
        actions: [
            textButton('Play', () => play(app, tracks, 0, { shuffle: false }), { name: 'play', kind: 'is-main' }),
            textButton('Remove all', async () => {
                if (
                    await confirmed(
                        'Remove all downloads?',
                        'They are deleted from this browser only. The files stay on the host.',
                        'Remove',
                    )
                ) downloads.remove(tracks);
            }, { name: 'trash' }),
        ],
    }, list.element);
    const size = (entries) => sizeText(entries.reduce((sum, entry) => sum + entry.bytes, 0));
    const note = h('p.page-note', null, h('span'), ' ', textButton('Remove', () => downloads.removeOthers(), { name: 'trash' }));
    element.append(note);
    const draw = () => {
        const { all, others } = downloads;
        tracks = all.map(({ track }) => app.catalogue.noted(track.id, track.audio_hash) ?? track);
        lead.textContent = `${counted(all.length, 'song')} · ${size(all)} in this browser`;
        note.hidden = !others.length;
        /** @type {Node} */ (note.firstChild).textContent = `From another library previously at this address: ${
            counted(others.length, 'song')
        }, ${size(others)}.`;
        element.querySelector('.empty')?.remove();
        if (!all.length) {
            element.append(
                empty('download', 'No downloads', 'Choose “Download” in the menu of a song or an album to play it offline.'),
            );
        }
        list.refresh();
    };
    downloads.addEventListener('done', draw, { signal: listeners.signal });
    draw();
    return {
        element,
        title: 'Downloads',
        close: () => {
            listeners.abort();
            list.close();
        },
    };
}
