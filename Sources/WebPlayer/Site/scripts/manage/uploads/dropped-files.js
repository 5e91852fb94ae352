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
    // All of it is gone as soon as the event is over.
    const dropped = [...transfer.items].map(item => {
        const entry = item.webkitGetAsEntry?.();
        // Not every browser makes a file of a file's entry again.
        return entry?.isDirectory ? entry : item.getAsFile();
    }).filter(Boolean);
    if (dropped.length === 0) return [...transfer.files];
    const files = [];
    for (const each of dropped) {
        if (each instanceof File) files.push(each);
        else await gather(each, files);
    }
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
