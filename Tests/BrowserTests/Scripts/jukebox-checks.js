// The jukebox in the real page.

const labelled = (label) =>
    all('button').find((each) => each.offsetParent && (each.getAttribute('aria-label') ?? each.textContent).startsWith(label));
const click = async (label) => (await until(`a button ${label}`, () => labelled(label))).click();
const songs = () => all('.jukebox-page [role=listitem] .setting-name > span').map((each) => each.textContent);
const title = () => one('.jukebox-title')?.textContent ?? '';
const playButton = () => one('.jukebox-page .play-button');
const label = () => playButton()?.getAttribute('aria-label');
const request = async (key, path, method, body) => {
    const answer = await fetch(path, {
        method,
        headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
        body: body && JSON.stringify(body),
    });
    return await answer.json();
};

const checks = {
    async play(key) {
        await signIn(key);
        await until('the link', () => all('.nav-link').find((each) => each.textContent === 'Jukebox' && each.offsetParent));
        location.hash = '/songs';
        await click('More options for Song 1');
        (await until('a menu', () => all('.menu-item').find((each) => each.textContent === 'Play on the jukebox'))).click();
        location.hash = '/jukebox';
        await until('the first song', () => title() === 'Song 1');
        for (const name of ['Song 2', 'Song 3']) {
            const found = await request(key, `/api/tracks?q=${encodeURIComponent(name)}`, 'GET');
            await request(key, '/jukebox/queue/entries', 'POST', { track_ids: [found.items[0].id] });
        }
        await until('three songs', () => songs().length === 3);
        return { title: title(), isPlaying: label() === 'Pause', songs: songs() };
    },

    size() {
        const shown = all('.jukebox-page *').filter((each) => each.offsetParent);
        const boxes = shown.map((each) => each.getBoundingClientRect());
        return {
            line: one('.jukebox-player .slider').offsetWidth,
            beyond: Math.round(Math.max(0, ...boxes.map((each) => Math.max(-each.left, each.right - innerWidth)))),
        };
    },

    async control() {
        playButton().click();
        await until('a pause', () => label() === 'Play');
        const isPaused = label() === 'Play';
        await click('Next');
        await until('the second song', () => title() === 'Song 2');
        const skipped = title();
        await click('Remove Song 1');
        await until('two songs', () => songs().length === 2);
        return { isPaused, skipped, songs: songs() };
    },

    /** Another client skips. */
    async follow(key) {
        await request(key, '/jukebox', 'PATCH', { index: 1 });
        await until('the third song', () => title() === 'Song 3');
        return { title: title() };
    },
};
