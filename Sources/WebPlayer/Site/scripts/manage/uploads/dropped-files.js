/** @param {string} name */
export function isWanted(name) {
    return /\.(mp3|zip)$/i.test(name);
}

/**
 * The files of a drop, those in dropped folders too.
 *
 * @param {DataTransfer} transfer
 * @returns {Promise<File[]>}
 */
export async function droppedFiles(transfer) {
    // Entries are gone as soon as the event is over.
    const entries = [...transfer.items].map(item => item.webkitGetAsEntry?.()).filter(Boolean);
    if (entries.length === 0) return [...transfer.files];
    const files = [];
    for (const entry of entries) await gather(entry, files);
    return files;
}

/** @param {FileSystemEntry} entry @param {File[]} files */
async function gather(entry, files) {
    if (entry.isFile) {
        files.push(await new Promise((resolve, reject) => entry.file(resolve, reject)));
        return;
    }
    const reader = entry.createReader();
    for (;;) {
        // Browsers hand a folder out in portions.
        const portion = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
        if (portion.length === 0) return;
        for (const inner of portion) await gather(inner, files);
    }
}
