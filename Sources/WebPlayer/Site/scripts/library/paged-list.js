/** The most items that the host gives at a time. */
const PAGE = 500;
/** Requests under way at a time. */
const WIDTH = 3;
/** How often a list is begun anew because it changed while it was read. */
const ATTEMPTS = 3;

/**
 * Reads a whole list of the host, page by page.
 *
 * @param {import('../host/host-client.js').HostClient} client
 * @param {string} path
 * @param {object} [options]
 * @param {Record<string, string | number>} [options.query]
 * @param {(item: any) => any} [options.keep] what is kept of an item
 * @param {(count: number, total: number) => void} [options.onProgress]
 * @param {number} [options.attempts] how often it is read at most, where it changes meanwhile
 * @returns {Promise<{items: any[], isSteady: boolean}>} not steady where it changed while it was read last: then items may be
 * missing, or there twice
 */
export async function readList(client, path, { query = {}, keep = item => item, onProgress, attempts = ATTEMPTS } = {}) {
    for (let attempt = 1; ; attempt++) {
        const first = await client.answer(path, { query: { ...query, limit: PAGE } });
        const state = strong(first.tag);
        const pages = [first.value.items.map(keep)];
        const total = first.value.total;
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
        // A library that changes all the time is better shown a little askew than never.
        if (!hasChanged || isLast) return { items: pages.flat(), isSteady: !hasChanged };
    }
}

function strong(tag) {
    return tag.replace(/^W\//, '');
}
