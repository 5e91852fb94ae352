// A library with more songs than the page keeps: 3,000 songs named "Song 0000" to "Song 2999". Run one after the other in one page.

const show = async (path, selector) => {
    location.hash = path;
    return until(`${path} shows ${selector}`, () => location.hash === `#${path}` && one(`.content ${selector}`));
};
const isBusy = () => Boolean(one('.content [aria-busy=true], .content .bones'));
const lead = () => one('.content .page-text')?.textContent;
const rows = () => all('.content .track-row').sort((a, b) => a.dataset.index - b.dataset.index);
const inView = () =>
    rows().filter((row) => {
        const { top, bottom } = row.getBoundingClientRect();
        return bottom > 0 && top < innerHeight;
    });
const titleOf = (row) => row?.querySelector('.track-title')?.textContent;
/** Waits until all rows on the screen are known; returns their titles. */
const titles = async () => {
    await until('all rows', () => !isBusy() && inView().length && !inView().some((row) => row.matches('.is-unknown')));
    return inView().map(titleOf);
};
const rowAt = (index) => one(`.content .track-row[data-index="${index}"]`);
const scroller = () => one('.scroller');
const scrollTo = async (part) => {
    scroller().scrollTop = part * (scroller().scrollHeight - scroller().clientHeight);
    await new Promise((resolve) => setTimeout(resolve, 50));
    return titles();
};
const button = (text) => all('.content button').find((each) => each.textContent === text && each.checkVisibility());
const playing = () => one('.bar-title')?.textContent;
const send = async (path, key, body, method = 'POST') => {
    const response = await fetch(path, {
        method,
        body: JSON.stringify(body),
        headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return response.json();
};
const cards = (title) =>
    [
        ...(all('.content .shelf').find((each) => each.querySelector('h2').textContent === title)?.querySelectorAll(
            '.card-title',
        ) ?? []),
    ]
        .map((each) => each.textContent);
const queued = () => all('.content .queue-row').sort((a, b) => a.dataset.index - b.dataset.index).map((row) => titleOf(row));

const checks = {
    async home(key) {
        await signIn(key);
        await until('the shelves', () => !isBusy() && one('.card'));
        return {
            lead: lead(),
            recent: cards('Recently added').slice(0, 2),
            shelves: all('.content .shelf h2').map((each) => each.textContent),
        };
    },

    async songs() {
        await show('/songs', '.track-row');
        const first = await titles();
        const end = await scrollTo(1);
        const middle = await scrollTo(0.5);
        await scrollTo(0);
        const requests = (part) => performance.getEntriesByType('resource').filter(({ name }) => name.includes(part));
        const prepared = await until('the host to be prepared', () => requests('/api/smart-playlists/count').length);
        const asked = requests('/api/tracks?');
        return {
            lead: lead(),
            first: first.slice(0, 3),
            last: end.at(-1),
            middle: Number(middle[0].slice(5)),
            isDownloadOffered: all('.content .download-button').some((each) => each.checkVisibility()),
            longest: Math.max(...asked.map(({ name }) => Number(new URL(name).searchParams.get('limit')))),
            requests: asked.length,
            prepared,
        };
    },

    /** Sorts by columns: one by which the host sorts at once, and one by which rules do. */
    async sorted() {
        const head = (name) => one(`.content .track-head-cell[data-column="${name}"] .track-sort`);
        const by = async (name) => {
            head(name).click();
            await new Promise((resolve) => setTimeout(resolve, 50));
            return (await titles()).slice(0, 2);
        };
        const result = {
            ascending: await by('year'),
            descending: await by('year'),
            unsorted: await by('year'),
            artist: await by('artist'),
        };
        await by('artist');
        return { ...result, afterwards: await by('artist') };
    },

    async filtered() {
        button('Filter').click();
        const genre = one('.filter-bar select');
        await until('the genres', () => genre.isConnected && one('.filter-bar select').options.length > 2);
        const select = one('.filter-bar select');
        select.value = 'Jazz';
        select.dispatchEvent(new Event('change'));
        const shownLead = await until('the filtered songs', () => lead().includes('of') && !isBusy() && lead());
        const jazz = (await titles()).slice(0, 3);
        const year = one('.filter-bar input[type=number]');
        year.value = '3000';
        year.dispatchEvent(new Event('input'));
        await until('no song', () => one('.content .empty h2')?.textContent === 'No songs match');
        button('Filter').click();
        await until('all songs', () => lead() === '3,000 songs');
        return { lead: shownLead, jazz, afterwards: (await titles()).slice(0, 2) };
    },

    /** Selects rows that have not been read, and too many. */
    async selected() {
        const press = (element, options) => element.dispatchEvent(new MouseEvent('click', { bubbles: true, ...options }));
        press(rowAt(3).querySelector('.track-time'));
        scroller().scrollTop += 450 * rowAt(3).offsetHeight;
        await titles();
        const far = inView()[5];
        press(far.querySelector('.track-time'), { shiftKey: true });
        const count = await until(
            'the selected rows',
            () => one('.selection-bar:not([hidden])') && one('.selection-count').textContent,
        );
        const wanted = Number(far.dataset.index) - 3 + 1;
        far.focus();
        far.dispatchEvent(new KeyboardEvent('keydown', { key: 'a', ctrlKey: true, bubbles: true }));
        const told = await until(
            'the notice',
            () => all('.toast').map((each) => each.textContent).find((text) => text.includes('at once')),
        );
        return { count, wanted, told };
    },

    /** Plays a song in the middle of the list: the next one follows. The host drops songs whose file it does not find. */
    async played() {
        await show('/songs', '.track-row');
        await scrollTo(0);
        scroller().scrollTop += 100 * rows()[0].offsetHeight;
        await until('the song', () => rowAt(101));
        await titles();
        rowAt(101).dispatchEvent(new MouseEvent('dblclick', { bubbles: true }));
        await until('the song', () => playing() === 'Song 0101');
        one('[aria-label="Next"]').click();
        await until('the next song', () => playing() === 'Song 0102');
        button('Shuffle').click();
        await until('another song', () => !/^Song 010[12]$/.test(playing()));
        await show('/queue', '.queue-row');
        const shuffled = queued();
        return { isShuffled: shuffled.slice(0, 10).join() !== [...shuffled.slice(0, 10)].sort().join() };
    },

    async search() {
        await show('/search', '.search-field');
        const field = one('.search-field');
        const type = async (text) => {
            field.value = text;
            field.dispatchEvent(new Event('input'));
        };
        type('Song 2');
        type('Song 25');
        type('Song 2512');
        await until('the song', () => one('.content h2.section').textContent === '1 song');
        const song = await titles();
        type('Album 17');
        await until('albums', () => cards('Albums').includes('Album 17'));
        const albums = cards('Albums');
        type('Artist');
        await until('artists', () => cards('Artists').length > 1);
        const count = one('.content h2.section').textContent;
        type('nothing like it');
        await until('no result', () => one('.content .empty h2')?.textContent.startsWith('No results'));
        type('');
        await until('the hint', () => one('.content .empty h2')?.textContent.startsWith('What would'));
        return { song, albums: albums[0], count };
    },

    async pages() {
        await show('/genres', '.tile-title');
        const genres = all('.content .tile').map((each) => each.textContent);
        await show('/genres/Jazz', '.track-row');
        const jazz = [lead(), (await titles())[0]];
        await show('/decades', '.tile-title');
        const decades = all('.content .tile').map((each) =>
            [each.querySelector('.tile-title').textContent, each.querySelector('.tile-text').textContent].join(': ')
        );
        await show('/decades/1990', '.card');
        const decade = lead();
        await show('/albums', '.card');
        await until('the albums', () => lead() === '300 albums');
        // Cards are drawn after the number of albums.
        const card = () => all('.content .card').find((each) => each.ariaLabel.startsWith('Album 17,'));
        location.hash = (await until('the card', card)).querySelector('a').hash;
        await until('the album', () => one('.content h1')?.textContent === 'Album 17' && rows().length === 10);
        const album = await titles();
        location.hash = one('.hero-artist').hash;
        await until('the artist', () => one('.page.artist h1')?.textContent === 'Artist 5' && !isBusy());
        const artist = one('.page.artist .hero-facts').textContent;
        await titles();
        await show('/artists/99999', '.empty');
        const missing = one('.content .empty h2').textContent;
        return { genres, jazz, decades, decade, album: album.slice(0, 2), artist, missing };
    },

    /** Favourites, whose songs no list has shown yet. */
    async favourites(key) {
        await send('/listening/actions', key, {
            actions: [2990, 1500, 20].map((number, index) => ({
                action: 'star',
                relative_path: `Song ${String(number).padStart(4, '0')}.mp3`,
                at: Date.now() / 1000 - index,
            })),
        });
        await show('/favourites', 'h1');
        await until('the favourites', () => lead() === '3 songs' && !isBusy());
        return { songs: await titles() };
    },

    async tags() {
        await show('/manage/tags', '.manage-search');
        const hint = () => one('.manage-tags .manage-hint').textContent;
        await until('all songs', () => hint().startsWith('3,000 songs.'));
        const field = one('.manage-search');
        field.value = 'Song 298';
        field.dispatchEvent(new Event('input'));
        await until('the found songs', () => hint().startsWith('10 songs.'));
        await titles();
        rowAt(0).focus();
        rowAt(0).dispatchEvent(new KeyboardEvent('keydown', { key: 'a', ctrlKey: true, bubbles: true }));
        const told = await until('the selection', () => hint().includes('selected.') && hint());
        return { told, mayEdit: !button('Edit tags…').disabled };
    },

    /** Shows the songs, which are then changed on the host. */
    async before() {
        await show('/songs', '.track-row');
        return { first: (await scrollTo(0))[0] };
    },

    async after() {
        const first = await until('the changed song', async () => {
            const [title] = await titles();
            return title === '!First of all' && title;
        });
        await until('the count', () => lead() === '3,001 songs');
        return { first };
    },

    /** Exports the favourites, removes one, and restores it. */
    async backup(key) {
        const modules = {
            Catalogue: 'library/catalogue',
            Favourites: 'library/favourites',
            HostClient: 'host/host-client',
            Playlists: 'library/playlists',
            Settings: 'host/settings',
            WaitingActions: 'offline/waiting-actions',
        };
        const parts = Object.fromEntries(
            await Promise.all(
                Object.entries(modules).map(async ([name, path]) => [name, (await import(`/player/scripts/${path}.js`))[name]]),
            ),
        );
        const { makeBackup, restoreBackup } = await import('/player/scripts/offline/backup.js');
        const client = new parts.HostClient({ key });
        const catalogue = new parts.Catalogue(client, 'backup');
        const app = {
            catalogue,
            client,
            connection: { account: { id: 1 } },
            favourites: new parts.Favourites(client, new parts.WaitingActions(client, catalogue)),
            playlists: new parts.Playlists(client),
            settings: new parts.Settings(),
        };
        const backup = await makeBackup(app);
        await send('/listening/actions', key, {
            actions: [{ action: 'unstar', relative_path: 'Song 1500.mp3', at: Date.now() / 1000 }],
        });
        // A song that has been moved is known by its audio, and one that is gone by nothing.
        const [moved] = backup.favourites.tracks;
        moved.relative_path = 'elsewhere.mp3';
        backup.favourites.tracks.push({
            audio_hash: '0'.repeat(moved.audio_hash.length),
            relative_path: 'gone.mp3',
            starred: true,
        });
        const restored = await restoreBackup(app, backup);
        await app.favourites.refresh();
        return {
            isLarge: catalogue.isLarge,
            songs: backup.favourites.tracks.slice(0, 3).map(({ title }) => title).sort(),
            starred: app.favourites.starred('tracks').length,
            missing: restored.missing,
        };
    },

    /** After a reload: the stored lists are shown, and the queue is there again. */
    async reloaded() {
        await until('the page', () => one('.shell') && one('.content h1'));
        await show('/songs', '.track-row');
        await titles();
        await until('the song of the last visit', () => /^Song \d{4}$/.test(playing()));
        const stored = await new Promise((resolve, reject) => {
            const request = indexedDB.open('library');
            request.onerror = () => reject(request.error);
            request.onsuccess = () => {
                const keys = request.result.transaction('parts').objectStore('parts').getAllKeys();
                keys.onsuccess = () => resolve(keys.result.filter((key) => key.startsWith('tracks/')).length);
            };
        });
        return { playing: playing(), stored };
    },

    /** Places of a million rows of 40 pixels in a box of 15 million pixels. */
    async tallBox() {
        const { TallBox } = await import('/player/scripts/views/lists/tall-box.js');
        const box = new TallBox();
        box.screen = 800;
        box.resize(40_000_000);
        const [wholeEnd, boxEnd] = [40_000_000 - 800, box.height - 800];
        let seen = 0;
        const top = () => seen + box.offset;
        const scroll = (to) => {
            seen = to;
            box.scrolled(seen);
            return top();
        };
        const settle = () => {
            const to = box.settled();
            if (to !== null) seen = to;
            return to !== null;
        };
        const end = wholeEnd - scroll(boxEnd);
        const middle = scroll(boxEnd / 2) / wholeEnd;
        const before = top();
        for (let step = 1; step <= 10_000; step++) scroll(seen + 100);
        const moved = top() - before;
        settle();
        const isKept = top() === before + moved;
        const part = seen / boxEnd - top() / wholeEnd;
        // To the first row and to the last one in small steps, with pauses.
        const walk = (start, step, isThere) => {
            scroll(start);
            for (let count = 0; count < 1000 && !isThere(); count++) {
                scroll(Math.min(boxEnd, Math.max(0, seen + step)));
                if (count % 5 === 0) settle();
            }
            return isThere();
        };
        const isFirst = walk(3000, -100, () => top() === 0);
        const isLast = walk(boxEnd - 3500, 100, () => top() === wholeEnd);
        seen = box.show(0, seen);
        const home = top();
        seen = box.show(wholeEnd, seen);
        return { height: box.height, end, middle, moved, isKept, part, isFirst, isLast, home, last: wholeEnd - top() };
    },

    /** A list of 100,000 songs whose answers are held back, late, or failures. */
    async windows() {
        const { HostTracks } = await import('/player/scripts/library/host-tracks.js');
        const asked = [];
        let answer = async () => {};
        let version = 1;
        const tracks = new HostTracks({
            read: async (offset, limit) => {
                asked.push(offset);
                await answer();
                const items = Array.from({ length: limit }, (_, index) => ({ id: offset + index, version }));
                return { items, total: 100_000 };
            },
            sample: async () => [],
            order: () => tracks,
            columns: new Set(),
            version: () => version,
        });
        const loaded = () => new Promise((resolve) => tracks.addEventListener('load', resolve, { once: true }));
        const isUnknown = tracks.at(0) === undefined;
        await loaded();
        const first = tracks.at(0).id;
        await new Promise((resolve) => setTimeout(resolve));
        // Rows that fly by while two requests run.
        let release;
        const held = new Promise((resolve) => {
            release = resolve;
        });
        answer = () => held;
        asked.length = 0;
        for (let page = 1; page <= 50; page++) tracks.at(100 * page);
        answer = async () => {};
        release();
        await until('the last rows', () => tracks.peek(5000));
        const flown = [...asked];
        const slice = (await tracks.slice(950, 1150)).map(({ id }) => id);
        for (let page = 0; page < 100; page++) await tracks.slice(100 * page, 100 * page + 1);
        const isForgotten = tracks.peek(0) === undefined && tracks.peek(9900)?.id === 9900;
        asked.length = 0;
        version = 2;
        const stale = tracks.at(9900)?.version;
        await loaded();
        const fresh = tracks.at(9900).version;
        const again = [...asked];
        // A host that is away is not asked again and again.
        answer = () => Promise.reject(new Error('away'));
        asked.length = 0;
        for (let index = 0; index < 100; index++) tracks.at(20_000);
        await until('the failure', () => tracks.error);
        for (let index = 0; index < 100; index++) tracks.at(30_000);
        return {
            isUnknown,
            first,
            length: tracks.length,
            flown,
            isSlice: slice.length === 200 && slice.every((id, index) => id === 950 + index),
            isForgotten,
            stale,
            fresh,
            again,
            whileAway: asked.length,
        };
    },
};
