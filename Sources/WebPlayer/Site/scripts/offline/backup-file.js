import { SETTINGS } from '../host/settings-table.js';
import { t } from '../texts/text.js';

/** Identifies a backup, and a file with settings only, which earlier versions exported. */
const KIND = 'audio-companion-player-backup';
const SETTINGS_KIND = 'audio-companion-player-settings';
const VERSION = 1;
/** File name of a backup. */
export const BACKUP_NAME = 'music-backup.json';
/** Maximum size of a restored file in bytes: a song in a playlist has about 200. */
const LARGEST = 64 << 20;
/** Longest name of a playlist, as limited by the host. */
const LONGEST_NAME = 200;

/**
 * A song as other libraries and later scans can find it: by its audio, else by its path.
 *
 * @typedef {{audio_hash?: string, relative_path?: string, title?: string, artist?: string}} SavedTrack
 * @typedef {{starred?: boolean, rating?: number}} SavedState
 * @typedef {object} Backup
 * @property {Record<string, unknown>} settings
 * @property {{tracks: (SavedTrack & SavedState)[], albums: ({title: string, artist?: string} & SavedState)[],
 *     artists: ({name: string} & SavedState)[]}} favourites the earliest star first
 * @property {{name: string, description?: string, rules?: object, tracks?: SavedTrack[]}[]} playlists
 */

/** Returns the content of a backup file. @param {Backup} backup */
export function backupText(backup) {
    return JSON.stringify({ kind: KIND, version: VERSION, ...backup }, null, 1);
}

/** Offers a file for download. @param {Blob} blob @param {string} name */
export function saveFile(blob, name) {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(blob);
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/**
 * Reads a backup, or a file with settings only.
 * @param {Blob} file
 * @returns {Promise<Backup>}
 * @throws {Error} with a message for the user if anything in the file is invalid
 */
export async function readBackup(file) {
    const wanted = t('Choose a file exported by this page ({name}).', { name: BACKUP_NAME });
    if (file.size > LARGEST) throw new Error(t('This file is too large for a backup. {wanted}', { wanted }));
    let content;
    try {
        content = JSON.parse(await file.text());
    } catch {
        throw new Error(t('This file is damaged or not a backup. {wanted}', { wanted }));
    }
    if (content?.kind !== KIND && content?.kind !== SETTINGS_KIND) throw new Error(t('This is not a backup. {wanted}', { wanted }));
    if (content.version !== VERSION) {
        throw new Error(
            t('This file was exported by a different version of the player. Update the host and reload this page, or export it again.'),
        );
    }
    if (!isObject(content.settings)) throw new Error(t('This file is damaged. {wanted}', { wanted }));
    checkSettings(content.settings);
    const { settings, favourites = {}, playlists = [] } = content;
    if (!isObject(favourites)) throw invalid('favourites', t('an object'));
    const { tracks = [], albums = [], artists = [] } = favourites;
    for (const [name, list] of Object.entries({ tracks, albums, artists })) checkStates(`favourites.${name}`, list);
    checkPlaylists(playlists);
    return { settings, favourites: { tracks, albums, artists }, playlists };
}

const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

/** @param {string} field @param {string} wanted */
function invalid(field, wanted) {
    return new Error(
        t('Nothing was imported: in this file, “{field}” is not {wanted}. Correct the file or export it again.', { field, wanted }),
    );
}

function checkSettings(settings) {
    for (const [key, value] of Object.entries(settings)) {
        // Unknown settings are ignored: another version of the page may have more.
        if (Object.hasOwn(SETTINGS, key) && !SETTINGS[key].allows(value)) throw invalid(key, SETTINGS[key].text);
    }
}

function checkStates(field, list) {
    if (!Array.isArray(list)) throw invalid(field, t('a list'));
    list.forEach((item, index) => {
        if (!isObject(item)) throw invalid(`${field}[${index}]`, t('an object'));
        const { rating = 0, starred = false } = item;
        if (!Number.isInteger(rating) || rating < 0 || rating > 5) {
            throw invalid(`${field}[${index}].rating`, t('a number from 0 to 5'));
        }
        if (typeof starred !== 'boolean') throw invalid(`${field}[${index}].starred`, t('true or false'));
    });
}

function checkPlaylists(playlists) {
    if (!Array.isArray(playlists)) throw invalid('playlists', t('a list'));
    playlists.forEach((list, index) => {
        const field = `playlists[${index}]`;
        if (!isObject(list)) throw invalid(field, t('an object'));
        const { name, rules, tracks } = list;
        if (typeof name !== 'string' || !name.trim() || name.length > LONGEST_NAME) {
            throw invalid(`${field}.name`, t('a text of up to {longest} characters', { longest: LONGEST_NAME }));
        }
        if (rules !== undefined ? !isObject(rules) : !Array.isArray(tracks) || !tracks.every(isObject)) {
            throw invalid(
                rules !== undefined ? `${field}.rules` : `${field}.tracks`,
                rules !== undefined ? t('an object') : t('a list of songs'),
            );
        }
    });
}
