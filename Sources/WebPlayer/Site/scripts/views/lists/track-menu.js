import { showMenu } from '../parts/menu.js';
import { askText } from '../parts/dialog.js';
import { orToast, toast } from '../parts/toast.js';
import { h } from '../parts/dom.js';
import { downloadItems } from '../parts/download-mark.js';
import { stars } from '../parts/rating.js';
import { shareItem } from '../parts/share.js';
import { radioItem } from './radio-items.js';
import { titleOf } from '../../library/track-text.js';
import { t } from '../../texts/text.js';

/** @typedef {Pick<import('../../app.js').App, 'client' | 'downloads' | 'favourites' | 'go' | 'player' | 'playlists' | 'trackActions'>} Parts what this module uses of the page */

/** The most songs that are shared by themselves. */
const SHARED = 1000;

/**
 * Queues tracks after the current one and shows a notification.
 * @param {Parts} app
 */
export function playNext(app, tracks) {
    app.player.queue.playNext(tracks);
    toast(
        tracks.length === 1
            ? t('“{title}” will play next', { title: titleOf(tracks[0]) })
            : t('{count} songs will play next', { count: tracks.length }),
    );
}

/**
 * Appends tracks to the queue and shows a notification.
 * @param {Pick<Parts, 'player'>} app
 */
export function addToQueue(app, tracks) {
    app.player.queue.add(tracks);
    toast(
        tracks.length === 1
            ? t('Added “{title}” to the queue', { title: titleOf(tracks[0]) })
            : t('Added {count} songs to the queue', { count: tracks.length }),
    );
}

/**
 * Replaces the queue and plays. Of a list that is read in windows, the tracks from the chosen one on are played, or random ones.
 * @param {Parts} app
 * @param {any[] | import('../../library/host-tracks.js').HostTracks} tracks
 * @param {number} [at]
 * @param {{shuffle?: boolean}} options
 */
export async function play(app, tracks, at = 0, { shuffle } = {}) {
    if (!Array.isArray(tracks)) {
        await orToast(async () => {
            const read = shuffle ? { tracks: await tracks.sample(), at: 0 } : await tracks.around(at);
            await play(app, read.tracks, read.at, { shuffle });
        });
        return;
    }
    if (!tracks.length) return;
    if (shuffle !== undefined) app.player.queue.shuffle = shuffle;
    app.player.queue.playNow(tracks, shuffle ? Math.floor(Math.random() * tracks.length) : at);
    app.player.play();
}

/**
 * Appends tracks to a playlist and shows a notification.
 * @param {Pick<Parts, 'playlists'>} app @param {any} list
 */
export async function addToPlaylist(app, list, tracks) {
    const before = list.track_count;
    await orToast(() => app.playlists.add(list.id, tracks.map((track) => track.id)));
    if (app.playlists.all.find((each) => each.id === list.id)?.track_count > before) {
        toast(t('Added to “{name}”', { name: list.name }));
    }
}

/**
 * Asks for the name of a new playlist, and creates it with tracks.
 * @param {Pick<Parts, 'playlists'>} app @param {any[]} tracks
 */
export async function addToNewPlaylist(app, tracks) {
    const name = await askText(t('New playlist'), { label: t('Name'), action: t('Create') });
    if (!name) return;
    if (await orToast(() => app.playlists.make(name, tracks.map((track) => track.id)))) toast(t('Created “{name}”', { name }));
}

/**
 * Returns menu items for adding tracks to a playlist or to a new one.
 * @param {Parts} app
 */
export function playlistItems(app, tracks) {
    return [
        { label: t('New playlist…'), icon: 'plus', action: () => addToNewPlaylist(app, tracks) },
        null,
        ...app.playlists.all.filter((list) => app.playlists.canAddTo(list)).map((list) => ({
            label: list.name,
            icon: 'playlists',
            action: () => addToPlaylist(app, list, tracks),
        })),
    ];
}

/**
 * Shows the menu for tracks.
 * @param {Parts} app @param {any[]} tracks @param {any} at
 * @param {{more?: any[], heading?: string, shared?: {items: object, name: string}, radio?: import('../../library/radio.js').RadioSeed}} options
 *     `shared` is what to share instead of the tracks by themselves, `radio` what to start a radio from
 */
export function trackMenu(app, tracks, at, { more = [], heading, shared, radio } = {}) {
    const [track] = tracks;
    const isOne = tracks.length === 1;
    /** @type {import('../parts/menu.js').MenuItem[]} */
    const items = [
        { label: t('Play now'), icon: 'play', action: () => play(app, tracks) },
        { label: t('Play next'), icon: 'queue', action: () => playNext(app, tracks) },
        { label: t('Add to queue'), icon: 'plus', action: () => addToQueue(app, tracks) },
        ...(radio ?? (isOne ? { track: track.id } : null) ? [radioItem(app, radio ?? { track: track.id })] : []),
        ...(isOne ? [{ label: t('More like this'), icon: 'similar', action: () => app.go(`/similar/${track.id}`) }] : []),
        { label: t('Add to playlist'), icon: 'playlists', items: () => playlistItems(app, tracks) },
        ...(app.downloads ? downloadItems(app, tracks) : []),
        ...(shared ? [shareItem(app, shared.items, shared.name)] : tracks.length <= SHARED
            ? [shareItem(app, {
                track_ids: tracks.map(({ id }) => id),
            }, isOne ? titleOf(track) : t('{count} songs', { count: tracks.length }))]
            : []),
        null,
    ];
    if (isOne) {
        const isStarred = app.favourites.isStarred('tracks', track.id);
        items.push({
            label: isStarred ? t('Remove from favourites') : t('Add to favourites'),
            icon: isStarred ? 'starred' : 'star',
            action: () => app.favourites.star('tracks', track.id, !isStarred),
        });
        items.push({
            element: h(
                'div.menu-rating',
                { role: 'presentation' },
                h('span', null, t('Rating')),
                stars(app, 'tracks', () => track.id, { isInMenu: true }).element,
            ),
        });
        items.push(null);
        if (track.album_id) {
            items.push({
                label: t('Go to album'),
                icon: 'albums',
                action: () => app.go(`/albums/${track.album_id}`),
            });
        }
        if (track.artist_id) {
            items.push({
                label: t('Go to artist'),
                icon: 'artists',
                action: () => app.go(`/artists/${track.artist_id}`),
            });
        }
    }
    if (app.trackActions) items.push(...app.trackActions(tracks));
    while (items.at(-1) === null) items.pop();
    if (more.length) items.push(null, ...more);
    showMenu(items, at, heading ?? (isOne ? titleOf(track) : t('{count} songs', { count: tracks.length })));
}
