// Checks of the real page, run one after the other in one page. Each returns numbers and texts for the tests.

const key = (name, options = {}) =>
    (document.activeElement ?? document.body).dispatchEvent(
        new KeyboardEvent('keydown', { key: name, bubbles: true, cancelable: true, ...options }),
    );
const go = async (path, selector) => {
    const shown = new Promise((resolve) => addEventListener('hashchange', resolve, { once: true }));
    if (location.hash !== `#${path}`) {
        location.hash = path;
        await shown;
    }
    return until(`${path} shows ${selector}`, () => one(selector));
};
const submit = async (text) => {
    const input = await until('the connection page', () => one('#connect-key'));
    input.value = text;
    input.form.requestSubmit();
};
const titles = (selector) => all(`${selector} .track-title`).map((each) => each.textContent);
const queueTitles = () =>
    [...all('.queue-row')].sort((a, b) => a.dataset.index - b.dataset.index).map((row) =>
        row.querySelector('.track-title').textContent
    );
const choose = async (label) => {
    const item = await until(`a menu with ${label}`, () => all('.menu-item').find((each) => each.textContent === label));
    item.click();
};
const menuOf = async (selector, label) => {
    const element = await until(selector, () => one(selector));
    element.dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, cancelable: true, clientX: 50, clientY: 50 }));
    await choose(label);
};
const message = (state) => until(`the message about ${state}`, () => one('.connect-error')?.textContent);

const checks = {
    async wrongKey() {
        await submit('this-is-not-the-key');
        return { said: await message('wrong') };
    },

    async otherVersion(right) {
        const real = window.fetch;
        window.fetch = async (
            url,
            init,
        ) => (String(url).endsWith('/auth')
            ? new Response('{"host_name":"attic","protocol_version":2}', { headers: { 'Content-Type': 'application/json' } })
            : real(url, init));
        await submit(right);
        const title = await until(
            'the version mismatch',
            () => (one('h1').textContent.includes('Version mismatch') ? one('h1').textContent : ''),
        );
        const said = one('.connect-error').textContent;
        window.fetch = real;
        return { title, said };
    },

    async hostAway() {
        const real = window.fetch;
        window.fetch = async () => {
            throw new TypeError('Failed to fetch');
        };
        all('.connect button').find((each) => each.textContent === 'Retry').click();
        const title = await until(
            'the offline message',
            () => (one('h1').textContent.includes('offline') ? one('h1').textContent : ''),
        );
        const said = one('.connect-error').textContent;
        window.fetch = real;
        // It reconnects automatically with the key entered before.
        await until('the library', () => one('.shell'));
        return { title, said };
    },

    async library() {
        await until('cards', () => one('.card'));
        await go('/songs', '.track-row');
        await until('all songs', () => all('.track-row').length === 9);
        const songs = titles('.track-row');
        await go('/albums', '.cards .card');
        const albums = all('.cards .card .card-title').map((each) => each.textContent);
        await go('/artists', '.cards .card');
        const artists = all('.cards .card .card-title').map((each) => each.textContent);
        await go('/genres', '.tile');
        return {
            songs,
            albums,
            artists,
            genres: all('.tile .tile-title').map((each) => each.textContent),
            images: all('img[src="x"]').length,
            ran: Number(Boolean(window.ran)),
        };
    },

    async search() {
        const input = await go('/search', '.search-field');
        const type = async (text) => {
            input.value = text;
            input.dispatchEvent(new Event('input', { bubbles: true }));
            await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
            return titles('.page.search .track-row');
        };
        return {
            accents: await type('uber'),
            words: await type('night first'),
            typo: await type('Nihgt oen'),
            typos: await type('sonnte'),
            none: await type('nothing like it'),
            narrowed: await type('so'),
            wide: (await type('')).length,
        };
    },

    async radio() {
        tap();
        await go('/songs', '.track-row');
        await menuOf('.track-row[aria-label^="Solo"]', 'Start radio');
        await until('it plays', () => one('.play-button').getAttribute('aria-label') === 'Pause');
        const current = one('.bar-title').textContent;
        await go('/queue', '.queue-row');
        const shown = () => Number(all('.queue-row').at(-1)?.dataset.index ?? -1) + 1;
        await until('the queue', () => shown() >= 10);
        return { current, first: queueTitles()[0], count: shown() };
    },

    async map() {
        await go('/map', '.map-canvas');
        const canvas = one('.map-canvas');
        const painted = () => {
            if (!canvas.width) return 0;
            const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
            let count = 0;
            for (let index = 3; index < data.length; index += 4) count += data[index] > 0 ? 1 : 0;
            return count;
        };
        await until('the songs', () => painted() > 20);
        return { points: painted() };
    },

    async playAlbum() {
        tap();
        await go('/albums', '.cards .card');
        const card = all('.cards .card').find((each) => each.querySelector('.card-title').textContent === 'First album');
        location.hash = card.querySelector('a').getAttribute('href');
        (await until('the album', () => one('.hero .is-main'))).click();
        const began = performance.now();
        await until(
            'it plays',
            () =>
                one('.play-button').getAttribute('aria-label') === 'Pause' &&
                one('.play-button').getAttribute('aria-busy') === 'false',
        );
        const peak = await heard();
        const current = one('.bar-title').textContent;
        one('.transport [aria-label="Next"]').click();
        await until('the next one', () => one('.bar-title').textContent !== current && one('.bar-title').textContent !== '');
        return {
            current,
            next: one('.bar-title').textContent,
            peak,
            seconds: (performance.now() - began) / 1000,
            marked: all('.track-row[aria-current]').length,
        };
    },

    async queue() {
        await go('/songs', '.track-row');
        const row = (title) => `.track-row[aria-label^="${title}"]`;
        await menuOf(row('Solo'), 'Play next');
        await menuOf(row('Übermut'), 'Add to queue');
        await go('/queue', '.queue-row');
        await until('the queue', () => all('.queue-row').length === 5);
        const added = queueTitles();
        const rowAt = (index) => one(`.queue-row[data-index="${index}"]`);
        rowAt(2).focus();
        key('ArrowDown', { altKey: true });
        const moved = queueTitles();
        const hasFocus = Number(document.activeElement === rowAt(3));
        rowAt(3).focus();
        key('Delete');
        const removed = queueTitles();
        // Drag it by its grip.
        const grip = rowAt(3).querySelector('.grip');
        grip.setPointerCapture = () => {};
        const { top } = grip.getBoundingClientRect();
        const pointer = (type, y) =>
            grip.dispatchEvent(new PointerEvent(type, { bubbles: true, pointerId: 1, clientX: 20, clientY: y }));
        pointer('pointerdown', top);
        pointer('pointermove', top - 58);
        await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
        pointer('pointerup', top - 58);
        return { added, moved, hasFocus, removed, dragged: queueTitles() };
    },

    async clearedQueue() {
        await go('/queue', '.queue-row');
        const before = queueTitles();
        all('.queue-head button').find((each) => each.textContent === 'Clear queue').click();
        const left = queueTitles();
        const undo = await until('the undo button', () => all('.toast button').find((each) => each.textContent === 'Undo'));
        undo.click();
        return { before, left, after: queueTitles() };
    },

    async sortedQueue() {
        await go('/queue', '.queue-row');
        const before = queueTitles();
        const current = one('.queue-row[aria-current] .track-title').textContent;
        one('.queue-head [aria-label="Sort for mixing"]').click();
        await choose('Falling energy');
        const undo = await until('the undo button', () => all('.toast button').find((each) => each.textContent === 'Undo'));
        const after = queueTitles();
        undo.click();
        return { before, current, after, undone: queueTitles() };
    },

    /** The range of speeds in the settings and by keyboard. */
    async speeds() {
        const slider = async () => {
            await go('/songs', '.track-row');
            await go('/settings', '.settings');
            return one('.settings [aria-label="Speed"]');
        };
        const { min, max } = await slider();
        document.activeElement?.blur();
        const pressed = async (name) => {
            for (let i = 0; i < 60; i++) key(name);
            return Number((await slider()).value);
        };
        const [fastest, slowest] = [await pressed('.'), await pressed(',')];
        const input = await slider();
        input.value = '1';
        input.dispatchEvent(new Event('input', { bubbles: true }));
        return { min: Number(min), max: Number(max), fastest, slowest };
    },

    async favourites(right) {
        const asked = async (path) =>
            (await (await fetch(path, { headers: { Authorization: `Bearer ${right}` } })).json()).items.map((item) => item.title);
        await go('/songs', '.track-row');
        await menuOf('.track-row[aria-label^="Solo"]', 'Add to favourites');
        await until('the host has the star', async () => (await asked('/listening/tracks?list=starred')).includes('Solo'));
        await until('the page knows', () => waitingStars() === 0);
        const real = window.fetch;
        window.fetch = async () => {
            throw new TypeError('Failed to fetch');
        };
        await menuOf('.track-row[aria-label^="Übermut"]', 'Add to favourites');
        await go('/favourites', '.track-row');
        const shown = titles('.track-row');
        const held = waitingStars();
        window.fetch = real;
        dispatchEvent(new Event('online'));
        await until('the host has both', async () => (await asked('/listening/tracks?list=starred')).length === 2);
        await until('nothing waits any more', () => waitingStars() === 0);
        return { shown, waiting: held };
    },

    async playlists(right) {
        const atFirst = all('.nav-heading').filter((each) => !each.hidden).length;
        await go('/songs', '.track-row');
        await menuOf('.track-row[aria-label^="Solo"]', 'Add to playlist');
        await choose('New playlist…');
        const input = await until('the name dialog', () => one('dialog .field'));
        input.value = 'Evening <b>';
        input.form.requestSubmit();
        const link = await until('it is in the sidebar', () => one('.nav-list'));
        location.hash = link.getAttribute('href');
        await until('its song', () => one('.page.playlist .track-row'));
        const result = { name: link.textContent, songs: titles('.page.playlist .track-row') };
        one('.page.playlist .track-row').focus();
        key('Delete');
        await until('it is empty', () => one('.page.playlist .empty'));
        // A playlist created by another client appears too.
        await fetch('/api/playlists', {
            method: 'POST',
            body: JSON.stringify({ name: 'From elsewhere' }),
            headers: { Authorization: `Bearer ${right}`, 'Content-Type': 'application/json' },
        });
        await until('the other one is in the sidebar', () => all('.nav-list').length === 2);
        return {
            ...result,
            atFirst,
            heading: one('.nav-heading').textContent,
            lists: all('.nav-list').map((each) => each.textContent).sort(),
        };
    },

    async smartPlaylist() {
        const pick = (element, value) => {
            element.value = value;
            element.dispatchEvent(new Event('change', { bubbles: true }));
        };
        const type = (element, value) => {
            element.value = value;
            element.dispatchEvent(new Event('input', { bubbles: true }));
        };
        const button = (text) => all('.smart-form button').findLast((each) => each.textContent === text);
        const count = (text) => until(`the count ${text}`, () => one('.rule-count').textContent.startsWith(text));
        await go('/playlists', '.page-actions');
        all('.page-actions button').find((each) => each.textContent === 'New smart playlist').click();
        await until('the editor', () => one('.rule-editor'));
        type(one('.smart-form > .field'), 'Folk with S');
        pick(one('.rule-field'), 'genre');
        pick(one('.rule-operator'), 'is');
        // A rule without a value is not stored.
        await count('Fill in all values');
        const wasDisabled = Number(button('Create').disabled);
        type(one('.rule-value .field'), 'folk');
        await count('6 songs');
        button('Add a group').click();
        const inner = () => one('.rule-group .rule-group');
        pick(inner().querySelector('.rule-operator'), 'startsWith');
        type(inner().querySelector('.rule-value .field'), 'so');
        await count('2 songs');
        // The focus stays in the field whose condition is wrong.
        pick(inner().querySelector('.rule-field'), 'bpm');
        await count('Fill in all values');
        pick(inner().querySelector('.rule-field'), 'id');
        pick(inner().querySelector('.rule-operator'), 'notInPlaylist');
        pick(inner().querySelector('.rule-choice'), inner().querySelector('.rule-choice').options[1]?.value ?? '');
        await count('6 songs');
        pick(inner().querySelector('.rule-field'), 'title');
        pick(inner().querySelector('.rule-operator'), 'startsWith');
        type(inner().querySelector('.rule-value .field'), 'so');
        await count('2 songs');
        pick(one('[aria-label="Direction"]'), 'desc');
        type(one('[aria-label="Limit"]'), '1');
        await count('1 song of 2 that match');
        type(one('[aria-label="Limit"]'), '');
        await count('2 songs');
        one('.smart-form').requestSubmit();
        await until('its songs', () => all('.page.playlist .track-row').length === 2);
        const songs = titles('.page.playlist .track-row').toSorted();
        const kind = one('.hero-kind').textContent;
        const menu = async () => {
            one('.page.playlist .track-row').dispatchEvent(
                new MouseEvent('contextmenu', { bubbles: true, cancelable: true, clientX: 50, clientY: 50 }),
            );
            const items = await until('a menu', () => all('.menu-item').map((each) => each.textContent));
            document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true }));
            return items;
        };
        const changes = (await menu()).filter((each) => /^Move (up|down)|Remove from playlist/.test(each));
        // The file that is exported can be imported.
        const real = URL.createObjectURL;
        let file = null;
        URL.createObjectURL = (blob) => {
            file = blob;
            return real.call(URL, blob);
        };
        one('.hero-actions [aria-label="More"]').click();
        await choose('Export rules (.nsp)');
        await until('the file', () => file);
        URL.createObjectURL = real;
        const content = JSON.parse(await file.text());
        await go('/playlists', '.tile');
        const files = new DataTransfer();
        files.items.add(new File([JSON.stringify({ ...content, name: 'Imported', limit: 1 })], 'x.nsp'));
        const input = one('[aria-label="Smart playlist file"]');
        input.files = files.files;
        input.dispatchEvent(new Event('change'));
        await until('the imported playlist', () => all('.page.playlist .track-row').length === 1);
        const imported = one('.page.playlist h1').textContent;
        all('.hero-actions button').find((each) => each.textContent === 'Edit rules').click();
        await until('the editor with the rules', () => all('.rule').length === 2);
        const operators = all('.rule-operator').map((each) => each.value);
        button('Cancel').click();
        await until('the playlist', () => one('.page.playlist .track-row'));
        return { songs, kind, changes, wasDisabled, rules: JSON.stringify(content.all), imported, operators };
    },

    async table(right) {
        await go('/songs', '.is-table .track-row');
        // The table shows what the host knows.
        const known = await (await fetch('/api/tracks', { headers: { Authorization: `Bearer ${right}` } })).json();
        const keyAt = all('.track-head-cell').findIndex((each) => each.dataset.column === 'key') + 1;
        const wrongKeys = all('.track-row').filter((each) => {
            const track = known.items.find(({ id }) => String(id) === each.dataset.track);
            return each.children[keyAt].textContent !== (track.key_camelot ?? '');
        }).length;
        const keys = known.items.filter((track) => track.key_camelot).length;
        const shown = () =>
            [...all('.track-row')].sort((a, b) => a.dataset.index - b.dataset.index).map((row) =>
                row.querySelector('.track-title').textContent
            );
        const heads = () => all('.track-head-cell').map((each) => each.textContent);
        const before = heads();
        const height = one('.track-row').getBoundingClientRect().height;
        const sort = (name) => one(`[data-column="${name}"] button`).click();
        const natural = shown();
        sort('title');
        sort('title');
        const backwards = shown();
        sort('title');
        const again = shown();
        sort('album');
        const byAlbum = all('.track-row').toSorted((a, b) => a.dataset.index - b.dataset.index).map((row) =>
            row.querySelector('.track-album').textContent
        );
        const label = one('[data-column="album"] button').getAttribute('aria-label');
        // The choice is kept for the view.
        one('[aria-label="Choose columns"]').click();
        await choose('Genre');
        const width = () => one('[data-column="album"]').getBoundingClientRect().width;
        const narrow = width();
        one('[data-column="album"] button').focus();
        key('ArrowRight', { altKey: true });
        const wider = width();
        await go('/albums', '.cards .card');
        await go('/songs', '.is-table .track-row');
        const kept = { heads: heads(), width: width(), label: one('[data-column="album"] button').getAttribute('aria-label') };
        one('[aria-label="Choose columns"]').click();
        await choose('Reset columns');
        // Aligned with their heads.
        const misplaced = heads().map((_, index) =>
            Math.abs(
                all('.track-head > *')[index + 1].getBoundingClientRect().left -
                    one('.track-row').children[index + 1].getBoundingClientRect().left,
            )
        ).filter((distance) => distance > 1).length;

        const row = (index) => one(`.track-row[data-index="${index}"]`);
        const selected = () => all('.track-row.is-selected').map((each) => Number(each.dataset.index)).toSorted((a, b) => a - b);
        row(1).click();
        row(3).dispatchEvent(new MouseEvent('click', { bubbles: true, shiftKey: true }));
        const range = selected().join();
        row(6).dispatchEvent(new MouseEvent('click', { bubbles: true, ctrlKey: true }));
        row(2).dispatchEvent(new MouseEvent('click', { bubbles: true, ctrlKey: true }));
        const several = selected().join();
        const said = one('.selection-count').textContent;
        const wanted = selected().map((index) => shown()[index]);
        all('.selection-bar button').find((each) => each.textContent === 'Add to queue').click();
        await go('/queue', '.queue-row');
        const queued = queueTitles().slice(-3);
        await go('/songs', '.is-table .track-row');
        row(0).focus();
        key('ArrowDown');
        key('ArrowDown', { shiftKey: true });
        key('ArrowDown', { shiftKey: true });
        const byKeys = selected().join();
        key('a', { ctrlKey: true });
        const everything = selected().length;
        key('Escape');
        const none = selected().length;
        const isHidden = Number(one('.selection-bar').hidden);
        return {
            before,
            height,
            wrongKeys,
            keys,
            isBackwards: Number(backwards.toReversed().join() === natural.join()),
            isNatural: Number(again.join() === natural.join()),
            byAlbum,
            label,
            widened: wider - narrow,
            keptHeads: kept.heads,
            keptWidth: kept.width - wider,
            keptLabel: kept.label,
            after: heads(),
            misplaced,
            range,
            several,
            said,
            isQueued: Number(queued.join() === wanted.join()),
            byKeys,
            everything,
            none,
            isHidden,
        };
    },

    async filter() {
        await go('/songs', '.is-table .track-row');
        const put = (label, value) => {
            const input = one(`.filter-bar [aria-label="${label}"]`);
            input.value = value;
            input.dispatchEvent(new Event(input.tagName === 'SELECT' ? 'change' : 'input', { bubbles: true }));
        };
        const text = () => one('.page-text').textContent;
        const everything = text();
        all('.page-actions button').find((each) => each.textContent === 'Filter').click();
        put('Genre', 'Folk');
        const folk = text();
        put('Year from', '1900');
        // No song has a year.
        const years = text();
        put('Year from', '');
        const button = (label) => all('.filter-bar button').find((each) => each.textContent === label);
        button('Save as smart playlist').click();
        await until('the count', () => one('.rule-count')?.textContent.startsWith('6 songs'));
        const field = one('.rule-field').value;
        await go('/songs', '.is-table .track-row');
        const again = text();
        const neighbours = [];
        for (const wanted of ['8A', '12B', '1A']) {
            await go('/songs', '.is-table .track-row');
            all('.page-actions button').find((each) => each.textContent === 'Filter').click();
            put('Key', wanted);
            button('Save as smart playlist').click();
            await until('the rules', () => one('.rule-value .field'));
            neighbours.push(one('.rule-value .field').value);
        }
        return { everything, folk, years, field, again, neighbours };
    },

    async forgotten(right) {
        const ago = (days) => Date.now() / 1000 - days * 86_400;
        const tell = (actions) =>
            fetch('/listening/actions', {
                method: 'POST',
                body: JSON.stringify({ actions }),
                headers: { Authorization: `Bearer ${right}`, 'Content-Type': 'application/json' },
            });
        const told = await tell([
            // Not played since.
            { action: 'star', relative_path: 'c/1.mp3', at: ago(100) },
            // Played again lately. The songs that other checks have starred are new.
            { action: 'star', relative_path: 'a/1.mp3', at: ago(100) },
            { action: 'play', relative_path: 'a/1.mp3', at: ago(2) },
        ]);
        await go('/', '.page.home');
        const shelf = await until(
            'the shelf',
            () => all('.shelf').find((each) => each.querySelector('h2')?.textContent === 'Forgotten favourites'),
        );
        // Other checks have favourites of their own.
        await tell(['c/1.mp3', 'a/1.mp3'].map((path) => ({ action: 'unstar', relative_path: path })));
        return { status: told.status, albums: [...shelf.querySelectorAll('.card-title')].map((each) => each.textContent) };
    },

    async download() {
        // All songs can be downloaded at once, even those added since the page was opened.
        await go('/songs', '.download-button:not([hidden])');
        await go('/albums', '.cards .card');
        await go(
            all('.cards .card').find((each) => each.querySelector('.card-title').textContent === 'First album').querySelector('a')
                .getAttribute('href').slice(1),
            '.page.album',
        );
        (await until('the button', () => one('.download-button:not([hidden])'))).click();
        await until('all of it', () => all('.page.album .track-downloaded').length === 3);
        // Offline.
        const real = window.fetch;
        let asked = 0;
        window.fetch = async (url) => {
            if (/files|segments/.test(String(url))) asked++;
            throw new TypeError('Failed to fetch');
        };
        one('.hero .is-main').click();
        await until(
            'it plays',
            () =>
                one('.play-button').getAttribute('aria-label') === 'Pause' &&
                one('.play-button').getAttribute('aria-busy') === 'false',
        );
        const peak = await heard();
        window.fetch = real;
        key(' ');
        return { peak, asked };
    },

    async contrast() {
        const context = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
        const luminance = (colour) => {
            context.fillStyle = colour;
            context.fillRect(0, 0, 1, 1);
            const [r, g, b] = [...context.getImageData(0, 0, 1, 1).data].slice(0, 3).map((value) => {
                const share = value / 255;
                return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
            });
            return 0.2126 * r + 0.7152 * g + 0.0722 * b;
        };
        const worst = {};
        for (const theme of ['dark', 'light']) {
            document.documentElement.dataset.theme = theme;
            const style = getComputedStyle(document.documentElement);
            const value = (name) => luminance(style.getPropertyValue(name));
            worst[theme] = Math.min(
                ...['--text', '--text-soft', '--accent', '--danger'].flatMap((text) =>
                    ['--ground', '--raised', '--raised-more'].map((ground) => {
                        const [high, low] = [value(text), value(ground)].sort((a, b) => b - a);
                        return (high + 0.05) / (low + 0.05);
                    })
                ),
            );
        }
        delete document.documentElement.dataset.theme;
        return worst;
    },

    async help() {
        document.activeElement?.blur();
        key('?');
        await until('the help', () => one('dialog.sheet kbd'));
        const keys = all('dialog.sheet kbd').length;
        one('dialog.sheet').close();
        await until('it is gone', () => !one('dialog.sheet'));
        key('i');
        await until('the player', () => one('dialog.now.is-open'));
        const slider = one('.now [role="slider"]').getAttribute('aria-valuemax');
        key('Escape');
        one('dialog.now')?.dispatchEvent(new Event('cancel', { cancelable: true }));
        await until('it closes', () => !one('dialog.now'));
        return { keys, slider: Number(slider) };
    },

    async console() {
        document.activeElement?.blur();
        key('`');
        await until('lines', () => one('.console:not([hidden]) .console-line'));
        const lines = all('.console-line').length;
        const search = one('.console-search');
        search.value = 'no such thing at all';
        search.dispatchEvent(new Event('input'));
        const left = all('.console-line').length;
        search.value = '';
        search.dispatchEvent(new Event('input'));
        one('.console [aria-label="Close the console"]').click();
        return { lines, left, hidden: Number(one('.console').hidden) };
    },

    async afterReload() {
        await until('the queue is back', () => one('.bar-title')?.textContent === 'One night');
        const state = one('.play-button').getAttribute('aria-label');
        await go('/favourites', '.track-row');
        return { state, favourites: titles('.track-row').sort(), isStored: localStorage.getItem('listening.states') !== null };
    },

    /** A library of a hundred thousand songs, from simulated responses. */
    async manySongs(right) {
        const total = 100_000;
        const real = window.fetch;
        window.fetch = async (url, init) => {
            const { pathname, searchParams } = new URL(url);
            if (pathname !== '/api/tracks') return real(url, init);
            const offset = Number(searchParams.get('offset') ?? 0);
            const items = Array.from({ length: Math.min(500, total - offset) }, (_, index) => ({
                id: offset + index + 1000,
                title: `Song ${String(offset + index).padStart(6, '0')}`,
                artist: `Artist ${(offset + index) % 997}`,
                album: `Album ${(offset + index) % 8000}`,
                duration_seconds: 200,
                added_at: offset + index,
                relative_path: `${offset + index}.mp3`,
                has_cover: false,
                cover_url: '',
            }));
            return new Response(JSON.stringify({ items, total, offset, limit: 500 }), {
                headers: { ETag: '"many"', 'Content-Type': 'application/json' },
            });
        };
        location.hash = '/settings';
        (await until('settings', () => all('.settings .text-button').find((each) => each.textContent === 'Forget this host')))
            .click();
        (await until('the confirmation', () => all('dialog .text-button').find((each) => each.textContent === 'Forget'))).click();
        await submit(right);
        location.hash = '/songs';
        await until('all of them', () => one('.page-text')?.textContent.startsWith('100'), 120);
        const scroller = one('.scroller');
        await until('the height', () => scroller.scrollHeight > total * 40);
        let most = 0;
        const slow = [];
        let before = performance.now();
        for (let frame = 0; frame < 90; frame++) {
            scroller.scrollTop = frame * 4000;
            await new Promise((resolve) => requestAnimationFrame(resolve));
            const now = performance.now();
            slow.push(now - before);
            before = now;
            most = Math.max(most, all('.track-row').length);
        }
        const scripted = performance.now();
        scroller.scrollTop = scroller.scrollHeight;
        await until('the last song', () => titles('.track-row').includes('Song 099999'));
        slow.sort((a, b) => a - b);
        const input = await go('/search', '.search-field');
        input.value = '09999';
        const asked = performance.now();
        input.dispatchEvent(new Event('input', { bubbles: true }));
        await until('what was found', () => one('.section[role="status"]').textContent === '11 songs');
        return {
            rows: most,
            medianFrame: slow[45],
            worstFrame: slow.at(-1),
            last: 1,
            searched: performance.now() - asked,
            scripted,
        };
    },
};
