/** @param {string} name */
export function isWanted(name) {
    return /\.(mp3|flac|opus|ogg|oga|zip)$/i.test(name);
}

/**
 * Returns the dropped files, including those in folders.
 *
 * @param {DataTransfer} transfer
 * @returns {Promise<File[]>}
 */
export async function droppedFiles(transfer) {
    // The items are invalid once the event has been handled, so read them before the first await.
    const dropped = [...transfer.items].map((item) => {
        const entry = item.webkitGetAsEntry?.();
        // Not every browser can turn a file's entry back into a file.
        return entry?.isDirectory ? entry : item.getAsFile();
    }).filter(Boolean);
    if (dropped.length === 0) return [...transfer.files];
    const files = [];
    for (const each of dropped) {
        if (each instanceof File) files.push(each);
        else if (each) await gather(each, files);
    }
    return files;
}

/** @param {FileSystemEntry} entry @param {File[]} files */
async function gather(entry, files) {
    if (entry.isFile) {
        files.push(await new Promise((resolve, reject) => /** @type {FileSystemFileEntry} */ (entry).file(resolve, reject)));
        return;
    }
    const reader = /** @type {FileSystemDirectoryEntry} */ (entry).createReader();
    for (;;) {
        // Browsers return a folder's entries in batches.
        const portion = await /** @type {Promise<FileSystemEntry[]>} */ (new Promise((resolve, reject) =>
            reader.readEntries(resolve, reject)
        ));
        if (portion.length === 0) return;
        for (const inner of portion) await gather(inner, files);
    }
}
