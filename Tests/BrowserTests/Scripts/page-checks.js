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
        const waiting = () => JSON.parse(localStorage.getItem('listening.waiting') ?? '[]').length;
        await go('/songs', '.track-row');
        await menuOf('.track-row[aria-label^="Solo"]', 'Add to favourites');
        await until('the host has the star', async () => (await asked('/listening/tracks?list=starred')).includes('Solo'));
        await until('the page knows', () => waiting() === 0);
        const real = window.fetch;
        window.fetch = async () => {
            throw new TypeError('Failed to fetch');
        };
        await menuOf('.track-row[aria-label^="Übermut"]', 'Add to favourites');
        await go('/favourites', '.track-row');
        const shown = titles('.track-row');
        const held = waiting();
        window.fetch = real;
        dispatchEvent(new Event('online'));
        await until('the host has both', async () => (await asked('/listening/tracks?list=starred')).length === 2);
        await until('nothing waits any more', () => waiting() === 0);
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

    async names() {
        // The accessible name of each control on each page.
        const nameless = [];
        for (
            const path of [
                '/',
                '/albums',
                '/songs',
                '/artists',
                '/playlists',
                '/genres',
                '/map',
                '/similar/1',
                '/favourites',
                '/downloads',
                '/search',
                '/queue',
                '/settings',
            ]
        ) {
            location.hash = path;
            await new Promise((resolve) => setTimeout(resolve, 150));
            for (const control of all('button, a, input, [role="slider"], [tabindex="0"]')) {
                if (!control.checkVisibility() || control.closest('[aria-hidden="true"]')) continue;
                const name = control.getAttribute('aria-label') ?? control.textContent.trim();
                const label = control.labels?.[0]?.textContent ?? '';
                if (!name && !label && !control.getAttribute('title')) nameless.push(`${path} ${control.outerHTML.slice(0, 120)}`);
            }
        }
        return { nameless };
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
