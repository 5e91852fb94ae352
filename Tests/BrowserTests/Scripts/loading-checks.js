// Placeholders of views that wait for the host's answers. `held-answers.js` is loaded before the page.

const frames = async (count) => {
    for (let each = 0; each < count; each++) await new Promise((resolve) => requestAnimationFrame(resolve));
};
const send = async (path, key, body) => {
    const response = await fetch(path, {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    });
    if (!response.ok) throw new Error(`${path}: ${response.status}`);
};

const checks = {
    /** Signs in, with plays, favourites and a playlist. */
    async begin(key) {
        const at = Date.now() / 1000 - 5000;
        const play = (number, count) => ({ action: 'play', relative_path: `${number}.mp3`, at: at - count });
        await send('/listening/actions', key, {
            actions: [
                ...[0, 1, 2, 3, 4, 12].flatMap((number) => [1, 2, 3].map((count) => play(number, 10 * number + count))),
                { action: 'star', relative_path: '3.mp3' },
                { action: 'star', album_id: 1 },
            ],
        });
        await send('/api/playlists', key, { name: 'Mine', track_ids: [1, 2, 3] });
        await signIn(key);
        await until('the library', () => one('.card'));
        return {};
    },

    /** Decides about the next visit: the first one of this browser, or a later one. Runs outside the page, which uses the database. */
    async prepare(key, isFirst) {
        if (isFirst) {
            sessionStorage.setItem('isFirst', 'yes');
            await new Promise((resolve, reject) => {
                const request = indexedDB.deleteDatabase('library');
                request.onsuccess = resolve;
                request.onerror = () => reject(request.error);
            });
            for (const name of Object.keys(localStorage)) if (name.startsWith('listening.')) localStorage.removeItem(name);
        } else sessionStorage.removeItem('isFirst');
        return {};
    },

    /** Shows albums and artists, and plays an album, while the list of all tracks is not answered; then answers it. */
    async early() {
        const isBusy = () => Boolean(one('.content [aria-busy=true]'));
        await until('the albums', () => all('.cards .card').length > 1 && !isBusy());
        const albums = one('.page-text').textContent;
        const card = all('.card').find((each) => each.ariaLabel.startsWith('Long'));
        card.querySelector('.card-play').click();
        const playing = await until(
            'a playing song',
            () => /^Song/.test(one('.bar-title')?.textContent) && one('.bar-title').textContent,
        );
        location.hash = '#/artists';
        await until('the artists', () => all('.card.is-round').length > 0 && !isBusy());
        const artists = one('.page-text').textContent;
        location.hash = card.querySelector('a').hash;
        const rows = await until('the songs of an album', () => !isBusy() && all('.track-row').length);
        location.hash = '#/artists/1';
        await until('the songs of an artist', () => one('.page.artist h1') && !isBusy() && all('.track-row').length > 0);
        location.hash = '#/songs';
        const isWaiting = await until('that all songs are waited for', () => one('.content .bones') && isBusy());
        answerTracks();
        await until('all songs', () => !isBusy() && all('.track-row').length > 10);
        return { albums, playing, artists, rows, isWaiting, songs: one('.page-text').textContent };
    },

    /** Waits until the view waits for nothing. */
    async lost() {
        const title = await until(
            'the end of waiting',
            () => !one('.content .bones, .content [aria-busy=true]') && one('.content .empty h2')?.textContent,
        );
        return { title };
    },

    /** Waits for what is shown without answers, and then for the view. */
    async load(key, path, selector) {
        await until(`the view ${path}`, () => location.hash === `#${path}` && one('.content > .page'));
        // On a later visit, a view may be complete without an answer.
        await until(`${path}: placeholders`, () => one('.content .bones') || !sessionStorage.getItem('isFirst'));
        await frames(10);
        const bones = one('.content .bones');
        const early = [];
        const [appearance] = bones?.getAnimations() ?? [];
        for (const time of appearance ? [90, 300] : []) {
            appearance.currentTime = time;
            early.push(Number(getComputedStyle(bones).opacity));
        }
        const told = {
            early,
            isBusy: Boolean(bones?.closest('[aria-busy=true]')),
            isHidden: bones?.getAttribute('aria-hidden') === 'true',
        };
        await frames(3);
        const quiet = async (count) => {
            let pictures = 0;
            await until(`${path}: answers`, () => {
                pictures = count() ? 0 : pictures + 1;
                return pictures > 8;
            });
        };
        answer();
        await quiet(expectedRequests);
        answerLate();
        await until(
            `${path} shows ${selector}`,
            () => one(`.content ${selector}`) && !one('.content .bones, .content [aria-busy=true]'),
        );
        await quiet(() => openRequests);
        await frames(5);
        return {
            ...told,
            shift: shifts.reduce((sum, { value }) => sum + value, 0),
            sources: shifts.map(({ value, names }) => `${value.toFixed(3)}: ${names.join(', ')}`).join('; '),
        };
    },
};
