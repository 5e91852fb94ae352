import { h } from '../parts/dom.js';
import { empty } from '../parts/empty.js';
import { drawChildren } from '../parts/redraw.js';
import { startRadio } from '../lists/radio-items.js';
import { titleOf } from '../../library/track-text.js';
import { SoundMap } from '../map/sound-map.js';
import { page } from './page.js';
import { t } from '../../texts/text.js';

/** @typedef {Pick<import('../../app.js').App, 'catalogue' | 'client' | 'player'>} Parts what this module uses of the page */

/** The most songs on the map; of a larger library, it shows some of them. */
const POINTS = 30_000;

/**
 * The map of the library: songs that sound alike are near each other. A click starts a radio there.
 * @param {Parts} app
 */
export function mapPage(app) {
    const { catalogue, client, player } = app;
    const listeners = new AbortController();
    const { signal } = listeners;
    const note = h('p.map-note', { role: 'status' });
    /** The song under the pointer. */
    let pointed = 0;
    const tell = () => {
        const track = catalogue.trackById.get(pointed);
        note.textContent = track ? [titleOf(track), track.artist].filter(Boolean).join(' · ') : '';
    };
    const map = new SoundMap({
        pick: (id) => startRadio(app, { track: id }),
        point: (id) => {
            pointed = id;
            tell();
        },
    });
    const content = h('div.map', null, map.element, note);
    const { element } = page(t('Map'), {
        text: t('Songs that sound alike are near each other. Click a song to start its radio; scroll or pinch to zoom.'),
        className: 'map-page',
    }, content);
    const say = (title, text = '') => drawChildren(element, [{ key: empty, make: () => empty('map', title, text) }]);
    const mark = () => map.mark(player.current?.id);
    const load = async () => {
        try {
            const places = await client.json('/library/map', { query: { limit: POINTS }, signal, timeout: 120_000 });
            if (!places.track_ids.length) return say(t('No map yet'), t('Songs appear here once they are analysed.'));
            map.show(places);
            mark();
        } catch (error) {
            if (!signal.aborted) say(t('No map'), error?.message);
        }
    };
    player.addEventListener('track', mark, { signal });
    catalogue.addEventListener('change', tell, { signal });
    load();
    return {
        element,
        title: t('Map'),
        close: () => {
            listeners.abort();
            map.close();
        },
    };
}
