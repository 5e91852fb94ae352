import { SETTINGS } from '../host/settings-table.js';

/** Identifies a settings file. */
const KIND = 'audio-companion-player-settings';
const VERSION = 1;
/** File name of the export. */
const NAME = 'music-settings.json';
/** Maximum size of an imported file in bytes; exports have about two kilobytes. */
const LARGEST = 1 << 20;

/** Downloads the settings as a file, without the API key. @param {import('../host/settings.js').Settings} settings */
export function exportSettings(settings) {
    const text = JSON.stringify({ kind: KIND, version: VERSION, settings: settings.all() }, null, 2);
    saveFile(new Blob([text], { type: 'application/json' }), NAME);
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
 * Imports settings from a file: all of them, or none.
 * @param {import('../host/settings.js').Settings} settings
 * @param {Blob} file
 * @throws {Error} with a message for the user if the file is invalid
 */
export async function importSettings(settings, file) {
    settings.replace(await readSettings(file));
}

/** @param {Blob} file @returns {Promise<Record<string, unknown>>} */
async function readSettings(file) {
    const wanted = `Choose a file exported from another browser (${NAME}).`;
    if (file.size > LARGEST) throw new Error(`This file is too large for a settings file. ${wanted}`);
    let content;
    try {
        content = JSON.parse(await file.text());
    } catch {
        throw new Error(`This file is damaged or not a settings file. ${wanted}`);
    }
    if (content?.kind !== KIND) throw new Error(`This is not a settings file. ${wanted}`);
    if (content.version !== VERSION) {
        throw new Error(
            'This file was exported by a different version of the player. Update the host and reload this page, or export the settings again.',
        );
    }
    const found = content.settings;
    if (typeof found !== 'object' || found === null || Array.isArray(found)) throw new Error(`This file is damaged. ${wanted}`);
    for (const [key, value] of Object.entries(found)) {
        // Unknown settings are ignored: another version of the page may have more.
        if (Object.hasOwn(SETTINGS, key) && !SETTINGS[key].allows(value)) {
            throw new Error(
                `Nothing was imported: in this file, “${key}” is not ${
                    SETTINGS[key].text
                }. Correct the file or export the settings again.`,
            );
        }
    }
    return found;
}
