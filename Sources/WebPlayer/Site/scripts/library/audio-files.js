/** File extensions of the formats that the host accepts. */
const EXTENSIONS = ['mp3', 'flac', 'm4a', 'm4b', 'mp4', 'opus', 'ogg', 'oga', 'wav', 'aiff', 'aif', 'aifc'];
const ENDING = new RegExp(`\\.(${EXTENSIONS.join('|')})$`, 'i');

/** For file choosers. */
export const ACCEPTED = EXTENSIONS.map((extension) => `.${extension}`).join(',');

/** Whether a file's name has the extension of an accepted format. @param {string} name */
export function isMusicFile(name) {
    return ENDING.test(name);
}

/** Returns the name of a file at a path without the extension of an audio format. @param {string} path */
export function fileStem(path) {
    return (path.split('/').pop() ?? '').replace(ENDING, '');
}
