import { downloadButton } from '../parts/download-mark.js';
import { empty, noMusic } from '../parts/empty.js';
import { textButton } from '../parts/buttons.js';
import { plain } from '../../library/track-text.js';
import { play } from '../lists/track-menu.js';
import { trackList } from '../lists/track-list.js';
import { wide } from '../lists/track-layout.js';
import { choice } from '../parts/choice.js';
import { rulesOfFilter } from '../../library/track-filter.js';
import { filterBar } from '../lists/filter-bar.js';
import { WindowedSongs } from '../lists/windowed-songs.js';
import { UNKNOWN, waiting } from '../parts/placeholder.js';
import { page } from './page.js';
import { t } from '../../texts/text.js';

/** @typedef {Pick<import('../../app.js').App, 'catalogue' | 'client' | 'connection' | 'covers' | 'downloads' | 'favourites' | 'go' | 'player' | 'playlists' | 'plays' | 'scroller' | 'settings' | 'trackActions'>} Parts what this module uses of the page */

const sorts =
    () => [['title', t('Title')], ['artist', t('Artist')], ['album', t('Album')], ['added', t('Added')], ['bpm', t('Tempo')]];

/** Sorts tracks. Sort keys are computed once per track, to keep this fast for a hundred thousand tracks. */
export function sorted(tracks, by) {
    if (by === 'title') return tracks;
    const two = (number) => String(number ?? 0).padStart(4, '0');
    const key = {
        artist: (track) =>
            `${plain(track.artist ?? '\uffff')}\n${plain(track.album)}\n${two(track.disc_number)}${two(track.track_number)}`,
        album: (track) => `${plain(track.album ?? '\uffff')}\n${two(track.disc_number)}${two(track.track_number)}`,
        added: (track) => -track.added_at,
        bpm: (track) => track.bpm ?? Infinity,
    }[by];
    const keys = tracks.map((track, index) => [key(track), index]);
    keys.sort((a, b) => (a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : a[1] - b[1]));
    return keys.map(([, index]) => tracks[index]);
}

/**
 * The page of all songs.
 * @param {Parts} app
 */
export function songsPage(app) {
    const { catalogue, settings } = app;
    const listeners = new AbortController();
    /** @type {any[] | import('../../library/host-tracks.js').HostTracks} */
    let tracks = [];
    const windowed = new WindowedSongs(catalogue, () => draw());
    const list = trackList(app, { tracks: () => tracks, label: t('Songs'), view: 'songs' });
    const download = app.downloads &&
        downloadButton(app, () => (Array.isArray(tracks) ? tracks : []), t('all songs'), listeners.signal, { isAsked: true });
    const filter = filterBar({
        genres: () => catalogue.genres()?.map(({ name }) => name) ?? [],
        ratingOf: (id) => app.favourites.rating('tracks', id) ?? 0,
        changed: () => draw({ isAnchored: false }),
        save: (chosen) => app.go(`/smart-playlists/new?${encodeURIComponent(JSON.stringify(rulesOfFilter(chosen)))}`),
    });
    const order = choice(t('Sort by'), sorts(), settings.get('library.sort.songs'), (name) => {
        settings.set('library.sort.songs', name);
        draw({ isAnchored: false });
    });
    const { element, lead } = page(
        t('Songs'),
        {
            actions: [
                order,
                filter.button,
                textButton(t('Shuffle'), () => play(app, tracks, 0, { shuffle: true }), { name: 'shuffle' }),
                download?.element,
            ],
        },
        filter.element,
        list.element,
    );
    const wait = waiting(element, list.element, 'rows');
    /** Whether the songs are known. */
    const find = () => {
        // A table is sorted by its head.
        const by = wide.matches ? 'title' : String(settings.get('library.sort.songs'));
        const { rules } = filter;
        if (!catalogue.isLarge) {
            tracks = filter.apply(sorted(catalogue.tracks, by));
            return catalogue.isLoaded;
        }
        const found = windowed.show(rules ? { rules } : {}, by === 'added' ? '-added' : by);
        tracks = found;
        filter.update();
        return found.isKnown || found.error !== null;
    };
    const draw = (options) => {
        const isKnown = find();
        wait(!isKnown);
        order.hidden = wide.matches;
        const count = catalogue.trackCount;
        lead.textContent = !isKnown
            ? UNKNOWN
            : filter.rules
            ? t('{shown} of {count} songs', { shown: tracks.length, count })
            : t('{count} songs', { count });
        element.querySelector('.empty')?.remove();
        const failure = Array.isArray(tracks) || tracks.isKnown ? null : tracks.error;
        if (failure) element.append(empty('songs', t('Could not load the songs'), failure.message));
        else if (!tracks.length && isKnown) {
            element.append(count ? empty('filter', t('No songs match'), t('Change or clear the filter.')) : noMusic(app));
        }
        list.refresh(options);
        download?.draw();
    };
    catalogue.addEventListener('change', () => draw(), { signal: listeners.signal });
    wide.addEventListener('change', () => draw(), { signal: listeners.signal });
    draw();
    return {
        element,
        title: t('Songs'),
        close: () => {
            listeners.abort();
            windowed.close();
            list.close();
        },
    };
}
