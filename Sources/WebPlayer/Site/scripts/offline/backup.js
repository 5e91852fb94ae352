import { ID_NAMES } from '../library/favourites.js';
import { t } from '../texts/text.js';
import { plain } from '../library/track-text.js';

/** @typedef {import('./backup-file.js').Backup} Backup */
/** @typedef {Pick<import('../app.js').App, 'catalogue' | 'client' | 'connection' | 'favourites' | 'playlists' | 'settings'>} Parts what this module uses of the page */

/** Tracks per request, as limited by the host. */
const BATCH = 10_000;
/** Stars and ratings per request. */
const ACTIONS = 100;
/** The fields that identify an item of each kind in another library. */
const IDENTITY = {
    tracks: ({ audio_hash, relative_path, title, artist }) => ({ audio_hash, relative_path, title, artist }),
    albums: ({ title, artist }) => ({ title, artist }),
    artists: ({ name }) => ({ name }),
};
const albumKey = ({ title, artist }) => `${plain(title)}\n${plain(artist)}`;
const artistKey = ({ name }) => plain(name);

/**
 * Collects the settings, the favourites and ratings, and the account's own playlists.
 * @param {Parts} app
 * @returns {Promise<Backup>}
 */
export async function makeBackup({ catalogue, connection, favourites, playlists, settings }) {
    // Right after the page has been opened, the library is still being read.
    await Promise.all([catalogue.sync(), favourites.refresh(), playlists.refresh()]);
    const tracks = await catalogue.tracksAmong({ ids: favourites.states('tracks').map(({ id }) => id) });
    const byId = {
        tracks: new Map(tracks.map((track) => [track.id, track])),
        albums: catalogue.albumById,
        artists: catalogue.artistById,
    };
    const statesOf = (kind) =>
        favourites.states(kind).filter(({ id }) => byId[kind].has(id)).map(({ id, isStarred, rating }) => ({
            ...IDENTITY[kind](byId[kind].get(id)),
            ...(isStarred && { starred: true }),
            ...(rating && { rating }),
        }));
    const own = playlists.all.filter(({ owner_id }) => owner_id === undefined || owner_id === connection.account?.id);
    const lists = [];
    for (const { id, name, description } of own) {
        const { playlist, tracks } = await playlists.one(id);
        lists.push({
            name,
            ...(description && { description }),
            ...(playlist.rules ? { rules: playlist.rules } : { tracks: tracks.map(IDENTITY.tracks) }),
        });
    }
    return {
        settings: settings.all(),
        favourites: { tracks: statesOf('tracks'), albums: statesOf('albums'), artists: statesOf('artists') },
        playlists: lists,
    };
}

/**
 * Restores a backup. Nothing is removed: favourites and ratings are added, and a playlist whose name is taken by another one gets
 * a new name.
 * @param {Parts} app
 * @param {Backup} backup
 * @returns {Promise<{favourites: number, playlists: number, missing: number}>} how many were restored, and how many songs of
 *     favourites and playlists the library does not have
 */
export async function restoreBackup(app, backup) {
    const { catalogue, favourites, playlists, settings } = app;
    // Includes the changes of other clients.
    await Promise.all([catalogue.sync(), favourites.refresh(), playlists.refresh()]);
    if (Object.keys(backup.settings).length) settings.replace(backup.settings);
    const saved = [...backup.favourites.tracks, ...backup.playlists.flatMap(({ tracks }) => tracks ?? [])];
    const texts = (/** @type {(string | undefined)[]} */ all) => /** @type {string[]} */ ([...new Set(all.filter(Boolean))]);
    const tracks = await catalogue.tracksAmong({
        hashes: texts(saved.map(({ audio_hash: hash }) => hash)),
        paths: texts(saved.map(({ relative_path: path }) => path)),
    });
    const finders = finder({ tracks, albums: catalogue.albums, artists: catalogue.artists });
    /** @type {Set<string>} */
    const missing = new Set();
    const trackOf = (saved) => {
        const track = finders.tracks(saved);
        if (!track) missing.add(JSON.stringify(IDENTITY.tracks(saved)));
        return track;
    };
    const actions = [];
    let restored = 0;
    for (const kind of /** @type {('tracks' | 'albums' | 'artists')[]} */ (['tracks', 'albums', 'artists'])) {
        for (const saved of backup.favourites[kind]) {
            const item = kind === 'tracks' ? trackOf(saved) : finders[kind](saved);
            if (!item) continue;
            restored++;
            const target = { [ID_NAMES[kind]]: item.id };
            if (saved.starred && !favourites.isStarred(kind, item.id)) actions.push({ action: 'star', ...target });
            if (saved.rating && favourites.rating(kind, item.id) !== saved.rating) {
                actions.push({ action: 'rate', rating: saved.rating, ...target });
            }
        }
    }
    await sendActions(app, actions);
    let made = 0;
    for (const saved of backup.playlists) made += await restorePlaylist(app, saved, trackOf) ? 1 : 0;
    return { favourites: restored, playlists: made, missing: missing.size };
}

/** Sends stars and ratings to the host in their order, and shows them. @param {Parts} app @param {object[]} actions */
async function sendActions({ client, favourites }, actions) {
    const now = Date.now() / 1000;
    for (let at = 0; at < actions.length; at += ACTIONS) {
        // Stars are sorted by their time.
        const batch = actions.slice(at, at + ACTIONS).map((action, index) => ({
            at: now + (at + index - actions.length) / 1000,
            client: 'Web player',
            ...action,
        }));
        await client.json('/listening/actions', { method: 'POST', body: { actions: batch } });
    }
    if (actions.length) await favourites.refresh();
}

/** Returns functions that find the items of a library. */
function finder({ tracks, albums, artists }) {
    const byHash = new Map(tracks.map((track) => [track.audio_hash, track]));
    const byPath = new Map(tracks.map((track) => [track.relative_path, track]));
    const byAlbum = new Map(albums.map((album) => [albumKey(album), album]));
    const byArtist = new Map(artists.map((artist) => [artistKey(artist), artist]));
    return {
        // The same audio may be in several files.
        tracks: ({ audio_hash: hash, relative_path: path }) => {
            const there = byPath.get(path);
            return there && (there.audio_hash === hash || !byHash.has(hash)) ? there : byHash.get(hash);
        },
        albums: (saved) => byAlbum.get(albumKey(saved)),
        artists: (saved) => byArtist.get(artistKey(saved)),
    };
}

/** Creates a playlist unless it exists with the same content. @returns {Promise<boolean>} whether it was created */
async function restorePlaylist({ connection, playlists }, saved, trackOf) {
    const own = playlists.all.filter(({ owner_id }) => owner_id === undefined || owner_id === connection.account?.id);
    const ids = saved.rules ? [] : saved.tracks.map(trackOf).filter(Boolean).map(({ id }) => id);
    const taken = own.find(({ name }) => name === saved.name);
    if (taken) {
        const { playlist, tracks } = await playlists.one(taken.id);
        const isSame = saved.rules
            ? JSON.stringify(playlist.rules) === JSON.stringify(saved.rules)
            : !playlist.rules && tracks.map(({ id }) => id).join() === ids.join();
        if (isSame) return false;
    }
    const names = new Set(own.map(({ name }) => name));
    const name = freeName(saved.name, names);
    if (saved.rules) await playlists.makeSmart(name, saved.rules);
    else {
        const { id } = await playlists.make(name, ids.slice(0, BATCH));
        for (let at = BATCH; at < ids.length; at += BATCH) await playlists.add(id, ids.slice(at, at + BATCH));
    }
    return true;
}

/** @param {string} name @param {Set<string>} taken */
function freeName(name, taken) {
    for (let number = 0;; number++) {
        const end = number === 0 ? '' : number === 1 ? t(' (restored)') : t(' (restored {number})', { number });
        const found = name.slice(0, 200 - end.length) + end;
        if (!taken.has(found)) return found;
    }
}
