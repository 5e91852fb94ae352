import { h } from '../parts/dom.js';
import { sizeText } from '../parts/texts.js';
import { empty } from '../parts/empty.js';
import { textButton } from '../parts/buttons.js';
import { confirmed } from '../parts/dialog.js';
import { play } from '../lists/track-menu.js';
import { trackList } from '../lists/track-list.js';
import { page } from './page.js';
import { t } from '../../texts/text.js';

/** @typedef {Pick<import('../../app.js').App, 'catalogue' | 'client' | 'covers' | 'downloads' | 'favourites' | 'go' | 'player' | 'playlists' | 'plays' | 'scroller' | 'settings' | 'trackActions'>} Parts what this module uses of the page */

/**
 * The page of downloaded songs.
 * @param {Parts} app
 */
export function downloadsPage(app) {
    const { downloads } = app;
    const listeners = new AbortController();
    let tracks = [];
    const list = trackList(app, { tracks: () => tracks, label: t('Downloads') });
    const { element, lead } = page(t('Downloads'), {
        actions: [
            textButton(t('Play'), () => play(app, tracks, 0, { shuffle: false }), { name: 'play', kind: 'is-main' }),
            textButton(t('Remove all'), async () => {
                if (
                    await confirmed(
                        t('Remove all downloads?'),
                        t('They are deleted from this browser only. The files stay on the host.'),
                        t('Remove'),
                    )
                ) downloads.remove(tracks);
            }, { name: 'trash' }),
        ],
    }, list.element);
    const size = (entries) => sizeText(entries.reduce((sum, entry) => sum + entry.bytes, 0));
    const note = h('p.page-note', null, h('span'), ' ', textButton(t('Remove'), () => downloads.removeOthers(), { name: 'trash' }));
    element.append(note);
    const draw = () => {
        const { all, others } = downloads;
        tracks = all.map(({ track }) => app.catalogue.noted(track.id, track.audio_hash) ?? track);
        lead.textContent = t('{count} songs · {size} in this browser', { count: all.length, size: size(all) });
        note.hidden = !others.length;
        /** @type {Node} */ (note.firstChild).textContent = t(
            'From another library previously at this address: {count} songs, {size}.',
            { count: others.length, size: size(others) },
        );
        element.querySelector('.empty')?.remove();
        if (!all.length) {
            element.append(
                empty('download', t('No downloads'), t('Choose “Download” in the menu of a song or an album to play it offline.')),
            );
        }
        list.refresh();
    };
    downloads.addEventListener('done', draw, { signal: listeners.signal });
    draw();
    return {
        element,
        title: t('Downloads'),
        close: () => {
            listeners.abort();
            list.close();
        },
    };
}
