// The page as stored by its service worker.

const versions = async () =>
    Promise.all(
        ['style/tokens.css', 'scripts/playback/output/sound-worker.js'].map(async (path) =>
            (await (await fetch(`/player/${path}`)).text()).match(/(?:made by|made-by:) (\w+)/)?.[1] ?? 'none'
        ),
    );
const show = async (path, selector) => {
    location.hash = path;
    return until(`${path} shows ${selector}`, () => one(selector));
};
const storedCount = async () => {
    const names = await caches.keys();
    return names.length === 1 ? (await (await caches.open(names[0])).keys()).length : 0;
};

/** Changes the speed as another tab does. */
function setSpeed(speed) {
    localStorage.setItem(
        'settings',
        JSON.stringify({ ...JSON.parse(localStorage.getItem('settings') ?? '{}'), 'playback.speed': speed }),
    );
    dispatchEvent(new StorageEvent('storage', { key: 'settings' }));
}

const checks = {
    /** Downloads an album once the page itself is stored. */
    async store(key) {
        await signIn(key);
        await show('/albums/1', '.page.album .download-button:not([hidden])');
        one('.page.album .download-button').click();
        await until('the downloads', () => all('.page.album .track-downloaded').length === 2);
        const registration = await navigator.serviceWorker.ready;
        await until('an active worker', () => registration.active?.state === 'activated' && navigator.serviceWorker.controller);
        const { files } = await (await fetch('/player/files.json', { cache: 'no-store' })).json();
        const missing = [];
        for (const path of files) if (!await caches.match(path)) missing.push(path);
        return { missing, listed: files.length, count: await storedCount() };
    },

    /** Plays the first album and pauses before a play is counted; with a second argument, also waits until the page is stored. */
    async play(key, waits) {
        tap();
        await signIn(key);
        (await until('an album', () => one('.card-play'))).click();
        const peak = await heard();
        one('.play-button').click();
        if (waits) await until('an active worker', async () => (await navigator.serviceWorker.ready).active?.state === 'activated');
        return { peak };
    },

    async playOffline() {
        tap();
        await until('the page', () => one('.shell'));
        const row = await show('/downloads', '.track-row[aria-label^="First rate"]');
        setSpeed(1.5);
        row.querySelector('.track-play').click();
        await until(
            'it plays',
            () =>
                one('.play-button').getAttribute('aria-label') === 'Pause' &&
                one('.play-button').getAttribute('aria-busy') === 'false',
            30,
        );
        const faster = await heard();
        setSpeed(1);
        one('.track-row[aria-label^="Second rate"] .track-play').click();
        await until(
            'the other one plays',
            () =>
                one('.bar-title').textContent === 'Second rate' && one('.play-button').getAttribute('aria-label') === 'Pause' &&
                one('.play-button').getAttribute('aria-busy') === 'false',
            30,
        );
        return { faster, otherRate: await heard(), title: one('.bar-title').textContent };
    },

    async version() {
        await until('the page', () => one('.shell'));
        return { all: await versions() };
    },

    /** A new version is published while the page is open. */
    async update() {
        const registration = await navigator.serviceWorker.ready;
        await registration.update();
        await until('the new version is stored', () => registration.waiting);
        const said = await until('the notification', () => one('.toast')?.textContent);
        return { all: await versions(), said };
    },

    async reloaded() {
        // The page may reload once more.
        await until('the page', () => one('.shell'));
        await until('the new worker', () => navigator.serviceWorker.controller?.state === 'activated');
        await until('one store', async () => (await caches.keys()).length === 1);
        return { all: await versions(), caches: (await caches.keys()).length };
    },
};
