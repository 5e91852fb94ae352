/** Maximum page size of the host. */
const PAGE = 500;
/** Concurrent requests. */
const WIDTH = 3;
/** Maximum number of attempts if the list changes while it is read. */
const ATTEMPTS = 3;

/**
 * Reads all pages of a list.
 *
 * @param {import('../host/host-client.js').Client} client
 * @param {string} path
 * @param {object} options
 * @param {Record<string, string | number>} [options.query]
 * @param {(item: any) => any} [options.keep] maps each item to what is stored
 * @param {(count: number, total: number) => void} [options.onProgress]
 * @param {number} [options.attempts] maximum number of attempts if the list changes meanwhile
 * @param {number} [options.most] longer lists are not read: they have no items
 * @returns {Promise<{items: any[], total: number, isSteady: boolean, tag: string}>} `isSteady` is false if the list changed during the
 *     last attempt: items may then be missing or duplicated; `tag` is the entity tag of the first page
 */
export async function readList(
    client,
    path,
    { query = {}, keep = (item) => item, onProgress, attempts = ATTEMPTS, most = Infinity } = {},
) {
    for (let attempt = 1;; attempt++) {
        const first = await client.answer(path, { query: { ...query, limit: PAGE } });
        const state = strong(first.tag);
        const total = first.value.total;
        if (total > most) return { items: [], total, isSteady: true, tag: state };
        const pages = [first.value.items.map(keep)];
        let count = pages[0].length;
        let hasChanged = false;
        onProgress?.(count, total);
        let next = PAGE;
        const isLast = attempt >= attempts;
        const read = async () => {
            while (next < total && (isLast || !hasChanged)) {
                const offset = next;
                next += PAGE;
                const page = await client.answer(path, { query: { ...query, limit: PAGE, offset } });
                if (strong(page.tag) !== state) hasChanged = true;
                pages[offset / PAGE] = page.value.items.map(keep);
                count += page.value.items.length;
                onProgress?.(count, total);
            }
        };
        await Promise.all(Array.from({ length: WIDTH }, read));
        // If the library changes all the time, showing a slightly inconsistent list is better than none.
        if (!hasChanged || isLast) return { items: pages.flat(), total, isSteady: !hasChanged, tag: state };
    }
}

function strong(tag) {
    return tag.replace(/^W\//, '');
}
