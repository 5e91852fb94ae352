// Data stored in the browser, and the library it belongs to.

const open = async (key) => {
    await signIn(key);
    await until('the library', () => document.body.textContent.includes('3 songs'));
};
const show = async (path, selector) => {
    location.hash = path;
    return until(`${path} shows ${selector}`, () => location.hash === `#${path}` && one(selector));
};
const titles = () => all('.content .track-row .track-title').map((each) => each.textContent).sort();
const ask = async (path, key) => (await fetch(path, { headers: { Authorization: `Bearer ${key}` } })).json();
const isPlaying = () =>
    one('.play-button')?.getAttribute('aria-label') === 'Pause' && one('.play-button').getAttribute('aria-busy') === 'false';
const pressF = (row) => {
    row.focus();
    row.dispatchEvent(new KeyboardEvent('keydown', { key: 'f', bubbles: true, cancelable: true }));
};
const records = () =>
    new Promise((resolve, reject) => {
        const request = indexedDB.open('downloads');
        request.onerror = () => reject(request.error);
        request.onsuccess = async () => {
            const names = [...request.result.objectStoreNames].filter((name) =>
                ['songs', 'pieces', 'waiting', 'tracks', 'parts'].includes(name)
            );
            let count = 0;
            for (const name of names) {
                count += await new Promise((done) => {
                    const counted = request.result.transaction(name).objectStore(name).count();
                    counted.onsuccess = () => done(counted.result);
                });
            }
            request.result.close();
            resolve({ count, names });
        };
    });
/** Counts file requests from now on. */
function countFiles() {
    const real = window.fetch;
    window.filesAsked = 0;
    window.fetch = (url, init) => {
        if (/\/api\/files\//.test(String(url))) window.filesAsked++;
        return real(url, init);
    };
}
const downloadAll = async () => {
    const button = await show('/songs', '.page .download-button:not([hidden])');
    await until('all songs', () => titles().length === 3);
    button.click();
    const yes = await Promise.race([
        until('the confirmation', () => all('dialog .text-button').find((each) => each.textContent === 'Download')).catch(() =>
            null
        ),
        new Promise((resolve) => setTimeout(resolve, 1500, null)),
    ]);
    const said = yes ? one('dialog').textContent : '';
    const before = all('.track-downloaded, .track-marks .ring').length;
    yes?.click();
    return { said, before };
};

const checks = {
    /** Signs in, and returns the songs. */
    async songs(key) {
        await open(key);
        await show('/songs', '.track-row');
        await until('all songs', () => titles().length === 3);
        return { songs: titles() };
    },

    /** Stores downloads, a queue, and a star that could not be sent. */
    async keep(key) {
        await open(key);
        await downloadAll();
        await until('the downloads', () => all('.track-downloaded').length === 3);
        one('.track-row .track-play').click();
        await until('it plays', isPlaying);
        one('.play-button').click();
        const real = window.fetch;
        window.fetch = async () => {
            throw new TypeError('Failed to fetch');
        };
        pressF(one('.track-row'));
        await until('the queued star', () => waitingStars() === 1);
        await new Promise((resolve) => setTimeout(resolve, 300));
        const kept = JSON.parse(localStorage.getItem('playback.resume') ?? 'null');
        window.fetch = real;
        const { items } = await ask('/api/tracks', key);
        // The star is never sent.
        window.fetch = async () => {
            throw new TypeError('Failed to fetch');
        };
        return {
            downloads: all('.track-downloaded').length,
            queued: kept?.ids?.length ?? 0,
            waiting: waitingStars(),
            ids: items.map((item) => item.id).sort(),
        };
    },

    /** Another library at the same address, with another key, which is entered after this check has returned. */
    async enterOther(key) {
        const input = await until('the connection page', () => one('#connect-key'));
        window.isOld = true;
        setTimeout(() => {
            input.value = key;
            input.form.requestSubmit();
        }, 200);
        return {};
    },

    async other(key) {
        tap();
        await show('/songs', '.track-row');
        await until('the new songs', () => titles().length === 3 && titles()[0] === 'New 1');
        await new Promise((resolve) => setTimeout(resolve, 1500));
        const songs = titles();
        const marked = all('.track-downloaded').length;
        const hasTrack = document.body.classList.contains('has-track');
        countFiles();
        one('.track-row[aria-label^="New 1"] .track-play').click();
        await until('it plays', isPlaying);
        await heard();
        const title = one('.bar-title').textContent;
        const asked = window.filesAsked;
        const starred = (await ask('/listening/tracks?list=starred', key)).items.map((item) => item.title);
        location.hash = '/downloads';
        const note = await until(
            'the note',
            () => all('.content .page-note').find((each) => !each.hidden && each.textContent.includes('library')),
        );
        const orphans = note.textContent;
        const { items } = await ask('/api/tracks', key);
        return { songs, marked, hasTrack, heard: title, asked, starred, orphans, ids: items.map((item) => item.id).sort() };
    },

    async forget() {
        await show('/settings', '.settings');
        all('.settings .text-button').find((each) => each.textContent.startsWith('Forget')).click();
        (await until('the confirmation', () => all('dialog .text-button').find((each) => each.textContent === 'Forget'))).click();
        await until('the connection page', () => one('#connect-key'));
        await new Promise((resolve) => setTimeout(resolve, 500));
        const storage = Object.keys(localStorage).filter((name) => name !== 'settings' && !name.startsWith('console'));
        return { storage, records: (await records()).count };
    },

    /** Connects again after the host was forgotten, and counts how often one click makes a view. */
    async again(key) {
        await signIn(key);
        await show('/albums', '.page[aria-label="Albums"]');
        let made = 0;
        const observer = new MutationObserver((changes) => {
            made += changes.filter(({ target }) => target.nodeName === 'TITLE').length;
        });
        observer.observe(document.head, { childList: true, subtree: true, characterData: true });
        await show('/songs', '.page[aria-label="Songs"]');
        await new Promise((resolve) => setTimeout(resolve));
        observer.disconnect();
        return { made };
    },

    /** Stores what an earlier release stored: downloads by track id, of this library and of another one. */
    async earlierRelease(key) {
        localStorage.setItem('host.key', key);
        localStorage.setItem('host.name', 'test host');
        const { items } = await ask('/api/tracks', key);
        const named = (title) => items.find((item) => item.title === title);
        const database = await new Promise((resolve, reject) => {
            const request = indexedDB.open('downloads', 1);
            request.onupgradeneeded = () => {
                request.result.createObjectStore('tracks', { keyPath: 'track.id' });
                request.result.createObjectStore('parts');
            };
            request.onsuccess = () => resolve(request.result);
            request.onerror = () => reject(request.error);
        });
        const put = async (track, index, file) => {
            const transaction = database.transaction(['tracks', 'parts'], 'readwrite');
            transaction.objectStore('tracks').put({ track, bytes: file.size, at: Date.now() });
            transaction.objectStore('parts').put({ type: 'application/json', blob: index }, `${track.id}/segments.json`);
            transaction.objectStore('parts').put({ type: 'audio/mpeg', blob: file }, `${track.id}/file`);
            await new Promise((resolve) => {
                transaction.oncomplete = resolve;
            });
        };
        const blob = async (path) => (await fetch(path, { headers: { Authorization: `Bearer ${key}` } })).blob();
        const [first, second, third] = ['Song 1', 'Song 2', 'Song 3'].map(named);
        await put(first, await blob(`/tracks/${first.id}/segments.json`), await blob(`/api/files/${first.id}/stream`));
        // Another library's song under the same id: its metadata differs, or its file differs from its metadata.
        const foreign = { ...second, title: 'Foreign', audio_hash: 'f'.repeat(32) };
        await put(foreign, new Blob([JSON.stringify({ audio_hash: foreign.audio_hash })]), new Blob(['nothing']));
        await put(third, new Blob([JSON.stringify({ audio_hash: 'e'.repeat(32) })]), new Blob(['nothing']));
        database.close();
        return {};
    },

    async migrated() {
        await until('the library', () => one('.shell'));
        await show('/downloads', '.page h1');
        await until('one download', () => titles().length === 1);
        const songs = titles();
        countFiles();
        tap();
        one('.track-row .track-play').click();
        await until('it plays', isPlaying);
        await heard();
        const old = await new Promise((resolve) => {
            const request = indexedDB.open('downloads');
            request.onsuccess = () => {
                const counted = request.result.transaction('tracks').objectStore('tracks').count();
                counted.onsuccess = () => {
                    request.result.close();
                    resolve(counted.result);
                };
            };
        });
        return { songs, asked: window.filesAsked, records: old };
    },

    /** Downloads all songs over a network that hangs for files. */
    async downloadAll(key) {
        await open(key);
        await fetch('/__proxy/faults', { method: 'POST', body: JSON.stringify([{ match: '/api/files/', hang: true }]) });
        const told = await downloadAll();
        await until('queued downloads', () => all('.track-marks .ring').length === 3);
        await until('the stored queue', async () => (await records()).count === 3);
        return { ...told, waiting: all('.track-marks .ring').length };
    },

    async downloadsGoOn() {
        await fetch('/__proxy/faults', { method: 'POST', body: '[]' });
        await show('/songs', '.track-row');
        await until('the downloads', () => all('.track-downloaded').length === 3);
        await until('an empty queue', async () => (await records()).names.length > 0);
        return { downloads: all('.track-downloaded').length };
    },

    async twoTabs(key) {
        await open(key);
        const { Settings } = await import('/player/scripts/host/settings.js');
        const writes = { 'playback.volume': 0, 'playback.speed': 0 };
        const set = Settings.prototype.set;
        Settings.prototype.set = function (name, value) {
            if (name in writes) writes[name]++;
            return set.call(this, name, value);
        };
        const volume = await until('the volume', () => one('input[type="range"][aria-label="Volume"]'));
        volume.value = String(Number(volume.max) / 2);
        volume.dispatchEvent(new Event('input', { bubbles: true }));
        const volumeWrites = writes['playback.volume'];
        document.activeElement?.blur();
        document.body.dispatchEvent(new KeyboardEvent('keydown', { key: '>', shiftKey: true, bubbles: true, cancelable: true }));
        const speedWrites = writes['playback.speed'];
        const play = (await show('/songs', '.track-row')).querySelector('.track-play');
        play.click();
        await until('it plays', isPlaying);
        const other = window.open('/');
        const label = (of) => of.document.querySelector('.play-button')?.getAttribute('aria-label');
        await until('the other tab', () => other.document.querySelector('.shell'));
        other.location.hash = '/songs';
        const row = await until('its songs', () => other.document.querySelector('.track-row .track-play'));
        row.click();
        await until(
            'it plays there',
            () => label(other) === 'Pause' && other.document.querySelector('.play-button').getAttribute('aria-busy') === 'false',
        );
        await new Promise((resolve) => setTimeout(resolve, 1000));
        const [first, second] = [label(window), label(other)];
        one('.play-button').click();
        await until('it plays here again', () => label(window) === 'Pause');
        await new Promise((resolve) => setTimeout(resolve, 1000));
        const [back, held] = [label(window), label(other)];
        other.close();
        return { first, second, back, held, volumeWrites, speedWrites };
    },
};
