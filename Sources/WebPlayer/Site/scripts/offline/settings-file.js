import { RULES } from '../host/settings-rules.js';

/** What a file of settings says of itself. */
const KIND = 'audio-companion-player-settings';
const VERSION = 1;
/** The name under which it is handed out. */
const NAME = 'music-settings.json';
/** The largest file that is looked at; ours have two kilobytes. */
const LARGEST = 1 << 20;

/** Hands the settings out as a file. The key is not in it. @param {import('../host/settings.js').Settings} settings */
export function exportSettings(settings) {
    const text = JSON.stringify({ kind: KIND, version: VERSION, settings: settings.all() }, null, 2);
    saveFile(new Blob([text], { type: 'application/json' }), NAME);
}

/** Gives the user a file. @param {Blob} blob @param {string} name */
export function saveFile(blob, name) {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(blob);
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/**
 * Takes settings from a file: all of them, or none.
 * @param {import('../host/settings.js').Settings} settings
 * @param {Blob} file
 * @throws {Error} with words for the user, where it cannot be used
 */
export async function importSettings(settings, file) {
    settings.replace(await readSettings(file));
}

/** @param {Blob} file @returns {Promise<Record<string, unknown>>} */
async function readSettings(file) {
    const wanted = `Choose the file that “Export” made in another browser (${NAME}).`;
    if (file.size > LARGEST) throw new Error(`This file is too large for settings. ${wanted}`);
    let content;
    try {
        content = JSON.parse(await file.text());
    } catch {
        throw new Error(`This file is damaged, or no file of settings. ${wanted}`);
    }
    if (content?.kind !== KIND) throw new Error(`This is a file of something else. ${wanted}`);
    if (content.version !== VERSION) {
        throw new Error('This file is of another version of the player. Update the host and reload this page, or export the settings anew.');
    }
    const found = content.settings;
    if (typeof found !== 'object' || found === null || Array.isArray(found)) throw new Error(`This file is damaged. ${wanted}`);
    for (const [key, value] of Object.entries(found)) {
        // What we do not know is left out: another make of this page may have more.
        if (Object.hasOwn(RULES, key) && !RULES[key].allows(value)) {
            throw new Error(`Nothing was changed: in this file “${key}” is not ${RULES[key].text}. Mend it there, or export the settings anew.`);
        }
    }
    return found;
}
