// The page as stored by its service worker.

const open = async key => {
    const input = await until('the page', () => one('#connect-key') ?? one('.shell'));
    if (input.id === 'connect-key') {
        input.value = key;
        input.form.requestSubmit();
    }
    await until('the library', () => one('.shell'));
};
const versions = async () => Promise.all(['style/tokens.css', 'scripts/playback/output/sound-worker.js'].map(async path =>
    (await (await fetch(`/player/${path}`)).text()).match(/(?:made by|made-by:) (\w+)/)?.[1] ?? 'none'));
const show = async (path, selector) => {
    location.hash = path;
    return until(`${path} shows ${selector}`, () => one(selector));
};
const storedCount = async () => {
    const names = await caches.keys();
    return names.length === 1 ? (await (await caches.open(names[0])).keys()).length : 0;
};

const checks = {
    /** Downloads an album once the page itself is stored. */
    async store(key) {
        await open(key);
        await show('/albums/1', '.page.album .download-button:not([hidden])');
        one('.page.album .download-button').click();
        await until('the downloads', () => all('.page.album .track-downloaded').length === 2);
        const registration = await navigator.serviceWorker.ready;
        await until('an active worker', () => registration.active?.state === 'activated' && navigator.serviceWorker.controller);
        const needed = ['sound-worker.js', 'sound-chain.js', 'resampler.js', 'time-stretch.js', 'samples.js'].map(name => `/player/scripts/playback/output/${name}`);
        const missing = [];
        for (const path of needed) if (!await caches.match(path)) missing.push(path);
        return { missing, count: await storedCount() };
    },

    async playOffline() {
        tap();
        await until('the page', () => one('.shell'));
        const row = await show('/downloads', '.track-row[aria-label^="First rate"]');
        const { Settings } = await import('/player/scripts/host/settings.js');
        const stored = new Settings();
        stored.set('playback.speed', 1.5);
        // As if changed in another tab.
        dispatchEvent(new StorageEvent('storage', { key: 'settings' }));
        row.querySelector('.track-play').click();
        await until('it plays', () => one('.play-button').getAttribute('aria-label') === 'Pause' && one('.play-button').getAttribute('aria-busy') === 'false', 30);
        const faster = await heard();
        stored.set('playback.speed', 1);
        dispatchEvent(new StorageEvent('storage', { key: 'settings' }));
        one('.track-row[aria-label^="Second rate"] .track-play').click();
        await until('the other one plays', () => one('.bar-title').textContent === 'Second rate' && one('.play-button').getAttribute('aria-label') === 'Pause'
            && one('.play-button').getAttribute('aria-busy') === 'false', 30);
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
