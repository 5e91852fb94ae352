// Catalogue synchronisation: run in the real page, step by step, while the test changes the library.

const songs = () => all('.track-row .track-title').map((each) => each.textContent);
const list = async (path, key) => {
    const items = [];
    for (;;) {
        const response = await fetch(`${path}&limit=500&offset=${items.length}`, { headers: { Authorization: `Bearer ${key}` } });
        const page = await response.json();
        items.push(...page.items);
        if (items.length >= page.total) return items;
    }
};
/** Compares the stored lists with the host's: same order, same fields. */
const kept = async (key) => {
    const [{ Catalogue }, { HostClient }] = await Promise.all(
        ['library/catalogue', 'host/host-client'].map((name) => import(`/player/scripts/${name}.js`)),
    );
    const catalogue = new Catalogue(new HostClient({ key }));
    if (!await catalogue.load()) return 'nothing is stored';
    for (const [name, sort] of [['tracks', 'title'], ['albums', 'title'], ['artists', 'name']]) {
        const host = await list(`/api/${name}?sort=${sort}`, key);
        const ours = catalogue[name];
        if (ours.length !== host.length) return `${ours.length} ${name} for ${host.length}`;
        for (const [index, item] of host.entries()) {
            for (const [field, value] of Object.entries(ours[index])) {
                if (JSON.stringify(value) !== JSON.stringify(item[field])) {
                    return `${name} ${index}: ${field} is ${JSON.stringify(value)} for ${JSON.stringify(item[field])}`;
                }
            }
        }
    }
    return 'all';
};
/** Requests of the catalogue since the last call, and their total size. */
const asked = () => {
    const found = performance.getEntriesByType('resource').filter((entry) =>
        /\/api\/(tracks|albums|artists|changes)\?|\/api\/changes$/.test(entry.name)
    );
    performance.clearResourceTimings();
    return {
        lists: found.filter((entry) => !entry.name.includes('/api/changes')).length,
        changes: found.filter((entry) => entry.name.includes('/api/changes')).length,
        bytes: found.reduce((sum, entry) => sum + entry.transferSize, 0),
    };
};
/** Returns the number of songs shown by the page. */
const songCount = () => Number(one('.page-text')?.textContent.replace(/\D/g, ''));
const shown = (first, count) =>
    until(`${count} songs, the first of them ${first}`, () => songCount() === count && songs()[0] === first);
/** Waits until the stored lists match the host's: they are written after they are shown. */
const result = async (key) => {
    const told = asked();
    let state = '';
    await until(`the stored lists match (${state})`, async () => {
        state = await kept(key);
        return state === 'all';
    }).catch((error) => {
        state ||= String(error);
    });
    performance.clearResourceTimings();
    return { ...told, kept: state };
};

const checks = {
    async first(key) {
        await signIn(key);
        location.hash = '/songs';
        await shown('!Song', 4000);
        // Wait for the page's follow-up requests.
        await new Promise((resolve) => setTimeout(resolve, 2500));
        return result(key);
    },
    /** Queues one song, which becomes the player's current one. */
    async queued() {
        location.hash = '/search';
        const input = await until('a field', () => one('.search-field'));
        input.value = '1234 file';
        input.dispatchEvent(new Event('input', { bubbles: true }));
        const row = await until('the song', () => all('.track-row').find((each) => each.textContent.includes('1234 file')));
        row.dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, cancelable: true, clientX: 50, clientY: 50 }));
        (await until('a menu', () => all('.menu-item').find((each) => each.textContent === 'Add to queue'))).click();
        location.hash = '/songs';
        await shown('!Song', 4000);
        return { bar: one('.bar-title').textContent };
    },
    async retagged(key) {
        await shown('!First of all', 4000);
        return { ...await result(key), bar: one('.bar-title').textContent };
    },
    async searched() {
        location.hash = '/queue';
        await until('the queue', () => one('.queue-view')?.textContent.includes('!First of all'));
        location.hash = '/search';
        const input = await until('a field', () => one('.search-field'));
        input.value = 'first of';
        input.dispatchEvent(new Event('input', { bubbles: true }));
        await until('what was found', () => one('.section[role="status"]').textContent === '1 song');
        location.hash = '/albums';
        await until('the album', () => all('.card-title, .card').some((each) => each.textContent.includes('!Other album')));
        location.hash = '/songs';
        await until('the songs', () => songs()[0] === '!First of all');
        return {};
    },
    async removed(key) {
        await shown('!Song', 3990);
        return result(key);
    },
    async added(key) {
        await shown('!A new one', 3991);
        return result(key);
    },
    async many(key) {
        await shown('!!0 changed', 3991);
        return result(key);
    },
    /** After a reload, the stored lists are shown and only changes are requested. */
    async reloaded(key) {
        await until('the page', () => one('.scroller'));
        location.hash = '/songs';
        await shown('!!0 changed', 3991);
        await until(
            'the host was asked',
            () => performance.getEntriesByType('resource').some((entry) => entry.name.includes('/api/changes')),
        );
        return result(key);
    },
    /** From now on, the second response of a series fails. */
    async cut() {
        const real = window.fetch;
        window.cuts = 0;
        window.fetch = async (url, init) => {
            if (String(url).includes('/api/changes') && window.isSeries) {
                window.cuts++;
                throw new TypeError('cut');
            }
            const response = await real(url, init);
            if (String(url).includes('/api/changes')) window.isSeries = (await response.clone().json()).has_more;
            return response;
        };
        return {};
    },
    async stillBefore() {
        await until('a series was cut', () => window.cuts > 0);
        const { first } = await keptState();
        return { first: songs()[0], count: songCount(), kept: first };
    },
    async mended(key) {
        const cutting = window.fetch;
        window.fetch = (url, init) => {
            window.isSeries = false;
            return cutting(url, init);
        };
        await shown('!!!0 changed again', 3991);
        return result(key);
    },
    /** From now on, writing fails after the first part. */
    async full() {
        const put = IDBObjectStore.prototype.put;
        window.refused = 0;
        IDBObjectStore.prototype.put = function (...rest) {
            if (window.isFull && rest[1] === 'head') {
                window.refused++;
                throw new DOMException('no room', 'QuotaExceededError');
            }
            return put.apply(this, rest);
        };
        window.isFull = true;
        window.before = await keptState();
        return {};
    },
    async notWritten() {
        await shown('!!!!Not written', 3991);
        await until('it could not be written', () => window.refused > 0);
        window.isFull = false;
        return { isAsBefore: JSON.stringify(await keptState()) === JSON.stringify(window.before) ? 1 : 0 };
    },
    async afterFull(key) {
        await shown('!!!!Written', 3991);
        return result(key);
    },
    async otherLibrary(key) {
        await shown('!!!!!Restored', 3991);
        return result(key);
    },
};

/** Returns the stored state: revision, first title and number of tracks. */
async function keptState() {
    const { CatalogueStore } = await import('/player/scripts/library/catalogue-store.js');
    const store = new CatalogueStore();
    await store.open();
    const { revision, tracks } = await store.read();
    return { revision, first: tracks[0].title, count: tracks.length };
}
