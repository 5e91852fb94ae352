// Dragging with the browser's own mouse: these checks tell where to press and release, and what has happened.

const show = async (path, selector) => {
    location.hash = path;
    return until(`${path} shows ${selector}`, () => location.hash === `#${path}` && one(`.content ${selector}`));
};
const rowOf = (title) => all('.content .track-row').find((each) => each.querySelector('.track-title').textContent === title);
/** Waits until an element rests, and returns its middle. */
const place = async (what, find) => {
    let former = '';
    return until(`${what} rests`, () => {
        const box = find()?.getBoundingClientRect();
        if (!box?.width) return null;
        const now = [box.left + box.width / 2, box.top + box.height / 2];
        if (String(now) === former) return now;
        former = String(now);
        return null;
    });
};
const ask = async (path, key, body) =>
    (await fetch(path, {
        method: body ? 'POST' : 'GET',
        body: body && JSON.stringify(body),
        headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    })).json();
const columns = () => all('.content .track-head-cell').map((each) => each.dataset.column);

const checks = {
    async begin(key) {
        await ask('/api/playlists', key, { name: 'Mine' });
        await signIn(key);
        await until('the playlist', () => one('.nav-list'));
        window.seen = [];
        for (const type of ['dragstart', 'drop', 'dragend']) {
            addEventListener(type, (event) => event.isTrusted && seen.push(type), true);
        }
        new MutationObserver(() => {
            if (one('.is-drop') && !seen.includes('marked')) seen.push('marked');
        }).observe(document.body, { subtree: true, attributeFilter: ['class'] });
        return {};
    },

    async rowToQueue() {
        await show('/songs', '[aria-label="Songs"].page .track-row, .page .track-row');
        return {
            from: await place('the row', () => rowOf('Four 2')?.querySelector('.track-title')),
            to: await place('the queue', () => one('.side .nav-link[href="#/queue"]')),
        };
    },

    async queued() {
        await until('the end of the drag', () => seen.includes('dragend'));
        await show('/queue', '.queue-row');
        return { queue: all('.content .queue-row .track-title').map((each) => each.textContent), seen };
    },

    /** Two selected rows. */
    async rowsToPlaylist() {
        await show('/songs', '.track-row');
        await until('the rows', () => rowOf('Bo 1') && rowOf('Four 3'));
        for (const title of ['Bo 1', 'Four 3']) {
            rowOf(title).dispatchEvent(new MouseEvent('click', { bubbles: true, ctrlKey: true }));
        }
        return {
            from: await place('the row', () => rowOf('Four 3')?.querySelector('.track-title')),
            to: await place('the playlist', () => one('.nav-list')),
        };
    },

    async listed(key) {
        const songs = await until('the songs of the playlist', async () => {
            const { id } = (await ask('/api/playlists', key)).items[0];
            const { items } = (await ask(`/api/playlists/${id}`, key)).entries;
            return items.length === 2 && items.map((each) => each.track.title);
        });
        return { songs };
    },

    /** From the column of artists to behind that of albums. */
    async column() {
        await until('the columns', () => columns().includes('album'));
        const [x, y] = await place('the end of the album', () => one('.track-head-cell[data-column=album]'));
        return {
            from: await place('the artist', () => one('.track-head-cell[data-column=artist] .track-sort span')),
            to: [x + one('.track-head-cell[data-column=album]').getBoundingClientRect().width / 2 - 10, y],
        };
    },

    async moved() {
        await until('the order', () => columns()[1] === 'album');
        return { columns: columns().slice(0, 3) };
    },
};
