// Checks of the real page in several browsers, run one after the other in one page. Each returns results for the tests.

const wait = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const seconds = (text) => text.split(':').reduce((sum, part) => sum * 60 + Number(part), 0);
const shownPosition = () => seconds(one('.bar-line .time').textContent);
const isPlaying = () =>
    one('.play-button').getAttribute('aria-label') === 'Pause' && one('.play-button').getAttribute('aria-busy') === 'false';
const press = (name) =>
    (document.activeElement ?? document.body).dispatchEvent(
        new KeyboardEvent('keydown', { key: name, bubbles: true, cancelable: true }),
    );

async function enter(key) {
    await signIn(key);
    await until('the library', () => one('.card'));
    location.hash = '/songs';
    return until(
        'all songs',
        () => all('.track-row').length === 3 && all('.track-row .track-title').map((each) => each.textContent),
    );
}

async function playAlbum() {
    tap();
    location.hash = '/albums';
    const link = await until('the album', () => one('.cards .card a'));
    location.hash = link.getAttribute('href');
    (await until('its button', () => one('.hero .is-main'))).click();
}

/** Returns the number of drawn pixels of a canvas, and of pixels that change a moment later. */
async function drawn(canvas) {
    const copy = document.createElement('canvas');
    [copy.width, copy.height] = [canvas.width, canvas.height];
    const context = copy.getContext('2d', { willReadFrequently: true });
    const look = () => {
        context.clearRect(0, 0, copy.width, copy.height);
        context.drawImage(canvas, 0, 0);
        return context.getImageData(0, 0, copy.width, copy.height).data;
    };
    const count = (one, holds) => {
        let sum = 0;
        for (let i = 3; i < one.length; i += 4) if (holds(i)) sum += 1;
        return sum;
    };
    let before;
    const opaque = await until('a picture', () => {
        before = look();
        const now = count(before, (i) => before[i] > 40);
        return now > 200 && now;
    });
    const changed = await until('another picture', () => {
        const after = look();
        const now = count(after, (i) => Math.abs(after[i] - before[i]) > 20);
        return now > 100 && now;
    });
    return { opaque, changed };
}

const checks = {
    async enter(key) {
        const songs = await enter(key);
        let isKept = false;
        try {
            isKept = localStorage.getItem('host.key') === key;
        } catch {
            // Even reading the property may throw.
        }
        return { songs: songs.sort(), isKept };
    },

    async core() {
        const titles = (within) => all(`${within} .track-title`).map((each) => each.textContent);
        location.hash = '/search';
        const field = await until('the search field', () => one('.search-field'));
        field.value = 'track 2';
        field.dispatchEvent(new Event('input', { bubbles: true }));
        const found = await until('the result', () => all('.content .track-row').length === 1 && titles('.content'));

        location.hash = '/songs';
        await until('all songs', () => location.hash === '#/songs' && all('.content .track-row').length === 3);
        for (const title of ['Track 1', 'Track 3']) {
            const row = all('.content .track-row').find((each) => each.getAttribute('aria-label').startsWith(title));
            row.dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, cancelable: true, clientX: 50, clientY: 50 }));
            const item = await until('the menu', () => all('.menu-item').find((each) => each.textContent === 'Add to queue'));
            item.click();
        }
        location.hash = '/queue';
        const queue = await until('the queue', () => all('.queue-row').length === 2 && titles('.queue-row').sort());

        location.hash = '/settings';
        const light = await until(
            'the settings',
            () => all('.settings button, .settings label').find((each) => each.textContent.trim() === 'Light'),
        );
        light.click();
        const { theme } = await until(
            'the theme',
            () => document.documentElement.dataset.theme === 'light' && document.documentElement.dataset,
        );

        location.hash = '/radio';
        const stations = await until('the stations', () => one('.content h1')?.textContent === 'Radio' && 'Radio');
        return { found, queue, theme, stations };
    },

    async play() {
        await playAlbum();
        await until('it plays', isPlaying);
        const peak = await heard();
        const { context } = window.tapped[0];
        const since = context.currentTime;
        // How far each second is shown behind the audio. A busy machine sometimes draws late, so the best of several counts.
        const behind = async (second) => {
            await until(`second ${second} is shown`, () => shownPosition() >= second);
            const [position, time] = [shownPosition(), context.currentTime];
            return { position, time, late: time - since - position };
        };
        const best = (shown) => shown.reduce((a, b) => Math.abs(b.late) < Math.abs(a.late) ? b : a);
        const early = best([await behind(1), await behind(2), await behind(3)]);
        const later = best([await behind(7), await behind(8), await behind(9)]);
        const rate = (later.position - early.position) / (later.time - early.time);
        return { peak, late: best([early, later]).late, rate };
    },

    async seek() {
        const slider = one('.player-bar [role="slider"]');
        const from = shownPosition();
        const { left, top, width, height } = slider.getBoundingClientRect();
        const place = {
            bubbles: true,
            pointerId: 1,
            button: 0,
            isPrimary: true,
            clientX: left + width * 31 / 40,
            clientY: top + height / 2,
        };
        slider.setPointerCapture = () => {};
        for (const type of ['pointerdown', 'pointerup']) slider.dispatchEvent(new PointerEvent(type, place));
        await until('it is there', () => shownPosition() >= 30 && isPlaying());
        const to = shownPosition();
        await until('it continues', () => shownPosition() > to);
        return { from, to };
    },

    async visualizers() {
        document.activeElement?.blur();
        press('i');
        const canvas = await until('the player', () => one('dialog.now.is-open canvas.now-visualizer'));
        const told = {};
        for (const style of ['wave', 'siri', 'bar', 'line']) {
            // As if chosen in another tab.
            localStorage.setItem('settings', JSON.stringify({ 'visualizer.full.style': style }));
            dispatchEvent(new StorageEvent('storage', { key: 'settings' }));
            // Start again near the end of the track.
            if (shownPosition() > 30) one('.now [aria-label="Previous"]').click();
            told[style] = await drawn(canvas);
        }
        return told;
    },

    async download() {
        one('dialog.now')?.dispatchEvent(new Event('cancel', { cancelable: true }));
        await until('the player is closed', () => !one('dialog.now'));
        (await until('the button', () => one('.download-button:not([hidden])'))).click();
        await until('all of it', () => all('.page.album .track-downloaded').length === 3);
        const real = window.fetch;
        let asked = 0;
        window.fetch = async (url) => {
            if (/files|segments/.test(String(url))) asked++;
            throw new TypeError('Failed to fetch');
        };
        // The last track: only downloaded data is available.
        all('.page.album .track-row').at(-1).querySelector('.track-play').click();
        await until('it plays', () => one('.bar-title').textContent === 'Track 3' && isPlaying());
        const peak = await heard();
        window.fetch = real;
        return { asked, peak };
    },

    async held(key) {
        await enter(key);
        await playAlbum();
        const said = await until(
            'the message about blocked audio',
            () =>
                one('.player-bar .state-text:not([hidden])')?.textContent.includes('audio') &&
                one('.player-bar .state-text').textContent,
        );
        return { said, position: shownPosition() };
    },

    async released() {
        const peak = await heard();
        await until('the position advances', () => shownPosition() >= 1);
        return { peak, said: one('.player-bar .state-text:not([hidden])')?.textContent ?? '' };
    },
};
