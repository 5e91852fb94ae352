/** What a file of settings says of itself. */
const KIND = 'audio-companion-player-settings';

/** Hands the settings out as a file. The key is not in it. @param {import('../host/settings.js').Settings} settings */
export function exportSettings(settings) {
    const text = JSON.stringify({ kind: KIND, version: 1, settings: settings.all() }, null, 2);
    saveFile(new Blob([text], { type: 'application/json' }), 'music-settings.json');
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
 * Takes settings from a file.
 * @param {import('../host/settings.js').Settings} settings
 * @param {Blob} file
 * @throws {Error} with words for the user, where it is none
 */
export async function importSettings(settings, file) {
    let content;
    try {
        content = file.size > 1 << 20 ? null : JSON.parse(await file.text());
    } catch {
        content = null;
    }
    if (content?.kind !== KIND || typeof content.settings !== 'object' || content.settings === null) {
        throw new Error('This is no file of settings of this player.');
    }
    settings.replace(content.settings);
}
