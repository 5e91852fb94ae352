import { h } from '../parts/dom.js';
import { empty } from '../parts/empty.js';
import { textButton } from '../parts/buttons.js';
import { drawChildren } from '../parts/redraw.js';
import { play } from '../lists/track-menu.js';
import { startRadio } from '../lists/radio-items.js';
import { trackList } from '../lists/track-list.js';
import { titleOf } from '../../library/track-text.js';
import { markBusy, placeholder, UNKNOWN } from '../parts/placeholder.js';
import { page } from './page.js';
import { t } from '../../texts/text.js';

/** @typedef {Pick<import('../../app.js').App, 'catalogue' | 'client' | 'covers' | 'downloads' | 'favourites' | 'go' | 'player' | 'playlists' | 'plays' | 'scroller' | 'settings' | 'trackActions'>} Parts what this module uses of the page */

/** Number of songs shown. */
const COUNT = 50;

/**
 * The page of the songs that sound most like one.
 * @param {Parts} app
 */
export function similarPage(app, { id: text }) {
    const { catalogue, client } = app;
    const id = Number(text);
    const listeners = new AbortController();
    const { signal } = listeners;
    /** @type {any[]} */
    let tracks = [];
    const list = trackList(app, { tracks: () => tracks, label: t('More like this') });
    const content = h('div');
    const { element, lead } = page(t('More like this'), {
        actions: [
            textButton(t('Play'), () => play(app, tracks, 0, { shuffle: false }), { name: 'play', kind: 'is-main' }),
            textButton(t('Start radio'), () => startRadio(app, { track: id }), { name: 'radio' }),
        ],
    }, content);
    const say = (title, note = '') =>
        drawChildren(content, [{ key: empty, state: [title], make: () => empty('songs', title, note) }]);
    const name = () => {
        const track = catalogue.trackById.get(id);
        lead.textContent = track ? [titleOf(track), track.artist].filter(Boolean).join(' · ') : UNKNOWN;
    };
    const load = async () => {
        markBusy(element, true);
        drawChildren(content, [{ key: placeholder, make: () => placeholder('rows') }]);
        try {
            const answer = await client.json(`/tracks/${id}/similar`, { query: { count: COUNT }, signal });
            tracks = answer.items.map((item) => item.track);
            markBusy(element, false);
            if (!tracks.length) return say(t('No similar songs'), t('There are no other analysed songs.'));
            drawChildren(content, [{ key: 'list', make: () => list.element }]);
            list.refresh();
        } catch (error) {
            markBusy(element, false);
            if (!signal.aborted) say(t('No similar songs'), error?.message);
        }
    };
    catalogue.addEventListener('change', name, { signal });
    name();
    load();
    return {
        element,
        title: t('More like this'),
        close: () => {
            listeners.abort();
            list.close();
        },
    };
}
