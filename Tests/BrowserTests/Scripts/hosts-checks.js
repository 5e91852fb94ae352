// Several hosts in one page.

const labelled = (label, within = document) =>
    [...within.querySelectorAll('button, [role="menuitem"], [role="menuitemcheckbox"]')].find((each) =>
        each.textContent.trim() === label || each.getAttribute('aria-label') === label
    );
const show = async (path, selector) => {
    location.hash = path;
    return until(`${path} shows ${selector}`, () => location.hash === `#${path}` && one(selector));
};
const titles = () => all('.content .track-row .track-title').map((each) => each.textContent).sort();
const isPlaying = () =>
    one('.play-button')?.getAttribute('aria-label') === 'Pause' && one('.play-button').getAttribute('aria-busy') === 'false';
const sheet = (title) => until(`the sheet ${title}`, () => one(`dialog[aria-label="${title}"]`));
/** Clicks after this check has returned: the page is loaded again. */
const later = (click) => {
    window.isOld = true;
    setTimeout(click, 100);
    return {};
};
const hostSheet = async () => {
    await show('/settings', '.settings');
    (await until('the button', () => one('.settings') && labelled('Hosts…', one('.settings')))).click();
    return sheet('Hosts');
};
const fillHost = async (address, secret) => {
    const form = (await sheet('Add a host')).querySelector('form');
    const [where, , key] = form.querySelectorAll('input');
    where.value = address;
    key.value = secret;
    return form;
};
const failure = (form) => until('the error', () => form.querySelector('[role="alert"]').textContent);

/** Closes the sheet of hosts. The browser removes it later. */
const closeHosts = async () => {
    one('dialog[aria-label="Hosts"]').close();
    await until('it is gone', () => !one('dialog[aria-label="Hosts"]'));
};

const checks = {
    async connect(key) {
        tap();
        await signIn(key);
        return checks.songs();
    },

    async songs() {
        await until('the library', () => one('.shell'));
        await show('/songs', '.track-row');
        await until('all songs', () => titles().length === 3);
        return { songs: titles(), name: one('.side-name').textContent.trim(), theme: document.documentElement.dataset.theme };
    },

    /** Plays the second song for a while, and marks it as a favourite. */
    async play() {
        tap();
        await show('/songs', '.track-row');
        await until('all songs', () => titles().length === 3);
        const row = all('.track-row')[1];
        row.querySelector('.track-play').click();
        await until('it plays', isPlaying);
        await heard();
        row.focus();
        row.dispatchEvent(new KeyboardEvent('keydown', { key: 'f', bubbles: true, cancelable: true }));
        await until('the position', () => !/^0:0[01]$/.test(one('.bar-line .time').textContent));
        return { title: one('.bar-title').textContent };
    },

    async download() {
        const button = await show('/songs', '.page .download-button:not([hidden])');
        await until('all songs', () => titles().length === 3);
        button.click();
        (await until('the question', () => one('dialog.sheet') && labelled('Download', one('dialog.sheet')))).click();
        await until('the downloads', () => all('.track-downloaded').length === 3);
        return {};
    },

    /** Addresses as users enter them. */
    async addresses() {
        const { blockedReason, parseAddress } = await import('/player/scripts/host/host-address.js');
        const parsed = (text) => {
            try {
                return parseAddress(text);
            } catch {
                return '';
            }
        };
        const entered = [
            'attic.local',
            ' 192.168.1.2:9000/ ',
            '[::1]:80',
            'http://attic',
            'https://music.example.org',
            'HTTPS://a.b:443',
        ];
        const wrong = ['', 'ftp://attic', 'attic/music', 'user@attic', 'attic:99999', 'a b'];
        const page = 'https://music.example.org';
        return {
            parsed: entered.map(parsed),
            wrong: wrong.map(parsed),
            blocked: ['http://attic:8420', 'http://127.0.0.1:8420', 'https://attic'].map((each) =>
                blockedReason(each, page) !== ''
            ),
        };
    },

    /** Errors of addresses that cannot be added. */
    async refusals(key, closed, locked) {
        const hosts = await hostSheet();
        labelled('Add a host…', hosts).click();
        const told = {};
        const entries = { wrong: ['a b', key], closed: [closed, key], locked: [locked, key], key: [location.origin, 'nonsense'] };
        for (const [name, entry] of Object.entries(entries)) {
            const form = await fillHost(...entry);
            form.querySelector('[role="alert"]').textContent = '';
            form.requestSubmit();
            told[name] = await failure(form);
        }
        labelled('Cancel', one('dialog[aria-label="Add a host"]')).click();
        await closeHosts();
        return told;
    },

    async add(key, address, secret) {
        const hosts = await hostSheet();
        labelled('Add a host…', hosts).click();
        const form = await fillHost(address, secret);
        return later(() => form.requestSubmit());
    },

    /** Chooses a host in the menu beside its name. */
    async choose(key, name) {
        await until('the library', () => one('.shell'));
        one('.side-switch').click();
        const item = await until('the menu', () => one('.menu') && labelled(name, one('.menu')));
        return later(() => item.click());
    },

    async rename(key, name, addresses) {
        const hosts = await hostSheet();
        const rows = [...hosts.querySelectorAll('.hosts > li')];
        labelled('Edit…', rows.at(-1)).click();
        const form = (await sheet('Edit host')).querySelector('form');
        form.querySelector('input').value = name;
        if (addresses) form.querySelector('textarea').value = addresses;
        form.requestSubmit();
        await until('the end', () => !form.isConnected || form.querySelector('[role="alert"]').textContent);
        const error = form.isConnected ? form.querySelector('[role="alert"]').textContent : '';
        if (error) labelled('Cancel', form).click();
        await until('the sheet', () => !one('dialog[aria-label="Edit host"]'));
        const names = [...hosts.querySelectorAll('.hosts .setting-name > span')].map((each) => each.textContent);
        await closeHosts();
        return { error, names };
    },

    async remove() {
        const hosts = await hostSheet();
        labelled('Forget', [...hosts.querySelectorAll('.hosts > li')].at(-1)).click();
        const question = await sheet('Forget this host?');
        labelled('Forget', question).click();
        await until('one host', () => hosts.querySelectorAll('.hosts > li').length === 1);
        await closeHosts();
        const databases = indexedDB.databases ? (await indexedDB.databases()).map(({ name }) => name) : [];
        return {
            keys: Object.keys(localStorage).filter((key) => key.startsWith('hosts')),
            databases: databases.filter((name) => name.startsWith('library')),
        };
    },

    /** Returns the views right after a switch. */
    async restored() {
        await until('the track', () => one('.bar-title')?.textContent);
        await until('the position', () => !/^0:0[01]$/.test(one('.bar-line .time').textContent));
        await show('/favourites', '.page');
        await until('the favourite', () => titles().length === 1);
        return { title: one('.bar-title').textContent, isPlaying: isPlaying(), favourites: titles() };
    },

    async offline() {
        await until('the banner', () => one('.banner:not([hidden])')?.textContent.includes('Offline'));
        const shown = await checks.songs();
        tap();
        one('.track-row .track-play').click();
        await until('it plays', isPlaying);
        return { ...shown, peak: await heard() };
    },

    async keys() {
        const keys = Object.keys(localStorage).filter((key) => key.endsWith('host.key')).map((key) => localStorage.getItem(key));
        const addresses = performance.getEntriesByType('resource').map(({ name }) => name);
        return { keys, leaked: addresses.filter((address) => keys.some((key) => key && address.includes(key))) };
    },
};
