// Radio stations in the real page.

const bar = () => one('.radio-bar');
const labelled = (label, within = document) =>
    [...within.querySelectorAll('button')].find((each) =>
        each.offsetParent && (each.getAttribute('aria-label') ?? each.textContent).startsWith(label)
    );
const click = async (label, within) => (await until(`a button ${label}`, () => labelled(label, within))).click();
const names = () => all('.station-list .station .setting-name > span').map((each) => each.textContent);
const fill = (id, text) => {
    const input = one(id);
    input.value = text;
    return input;
};
const sliderSeconds = () => Number(one('.radio-bar .slider').value);
const isLive = () => labelled('Live', bar()).getAttribute('aria-pressed') === 'true';
/** Goes to the present. A busy machine interrupts the sound, and what is interrupted continues where it was: later than the present. */
const present = async () => {
    let pressed = -Infinity;
    await until('the present', () => {
        if (!isLive() && performance.now() - pressed > 5000) {
            pressed = performance.now();
            labelled('Live', bar())?.click();
        }
        return isLive();
    });
};
/** Position in a track in seconds, from the bar. */
const trackSeconds = () => {
    const [minutes, seconds] = one('.player-bar:not(.radio-bar) .time').textContent.split(':').map(Number);
    return minutes * 60 + seconds;
};

const checks = {
    async add(key, address) {
        tap();
        await signIn(key);
        location.hash = '/radio';
        await until('the empty list', () => one('.station-list .empty'));
        await click('Add station');
        await until('the form', () => one('#station-stream_url'));
        fill('#station-stream_url', address);
        await click('Check');
        const note = await until('the check', () => {
            const text = one('.station-form [role=status]').textContent;
            return text.startsWith('Found') ? text : '';
        });
        const name = one('#station-name').value;
        one('.station-form').requestSubmit();
        // Else the next form found would be this one, which is about to close.
        await until('the station', () => names().length === 1 && !one('.station-form'));
        await click('Add station');
        await until('the form', () => one('#station-stream_url'));
        fill('#station-stream_url', 'http://radio.example/x');
        fill('#station-name', 'Second');
        one('.station-form').requestSubmit();
        await until('both stations', () => names().length === 2 && !one('.station-form'));
        const stations = names();
        const search = one('.station-search');
        search.value = 'tést rad';
        search.dispatchEvent(new Event('input'));
        const found = names();
        search.value = '';
        search.dispatchEvent(new Event('input'));
        return { note, name, stations, found };
    },

    async play() {
        await click('Play Test Radio');
        // Playback may start a few seconds before the second title.
        const title = await until('the second title', () => {
            const text = one('.radio-bar .bar-title').textContent;
            return text.includes('Zwei') ? text : '';
        });
        const peak = await heard();
        await present();
        return { title, peak, isLive: isLive() };
    },

    async back() {
        const before = sliderSeconds();
        await click('Back 5', bar());
        await until('the earlier position', () => sliderSeconds() !== before);
        const step = sliderSeconds() - before;
        // The first title of the last hour.
        const first = await until('the titles', () => all('.station-title').find((each) => each.textContent.includes('Low')));
        first.click();
        const earlier = await until('the earlier title', () => {
            const text = one('.radio-bar .bar-title').textContent;
            return text.startsWith('Low') ? text : '';
        });
        const wasLive = isLive();
        const peak = await heard();
        await present();
        return { step, earlier, isLive: wasLive, peak, liveAgain: isLive() };
    },

    size() {
        const shown = [...bar().querySelectorAll('*')].filter((each) => each.offsetParent);
        const boxes = shown.map((each) => each.getBoundingClientRect());
        const beyond = Math.max(0, ...boxes.map((each) => Math.max(-each.left, each.right - innerWidth)));
        const buttons = [...bar().querySelectorAll('button')].filter((each) => each.offsetParent);
        const sizes = buttons.map((each) => Math.min(each.offsetWidth, each.offsetHeight));
        // Pixels that the bar cuts off.
        const edge = bar().getBoundingClientRect();
        const cut = Math.max(0, ...buttons.map((each) => each.getBoundingClientRect().right - edge.right));
        return { beyond: Math.round(Math.max(beyond, cut)), smallest: Math.min(...sizes) };
    },

    async record() {
        await click('Record into', bar());
        await until('a recording of some seconds', () => labelled('End the recording', bar())?.textContent >= '0:10');
        await click('End the recording', bar());
        const row = await until('the recording', () => labelled('Play the recording'));
        await until('its track', () => !labelled('Play the recording').disabled);
        return { title: row.querySelector('.setting-name > span').textContent };
    },

    async playRecording() {
        await click('Play the recording');
        await until('the radio to stop', () => bar().hidden);
        const peak = await heard();
        await until('the buttons', () => labelled('Forward 5'));
        await until('a position', () => trackSeconds() >= 1);
        const before = trackSeconds();
        await click('Forward 5');
        await until('the later position', () => trackSeconds() > before + 2);
        const step = trackSeconds() - before;
        return { isRadioGone: bar().hidden, peak, step };
    },

    async edit() {
        await click('Actions for Second');
        (await until('a menu', () => all('.menu-item').find((each) => each.textContent === 'Remove…'))).click();
        await click('Remove', await until('the question', () => one('dialog.sheet')));
        await until('one station', () => names().length === 1 && !one('dialog.sheet'));
        await click('Actions for Test Radio');
        (await until('a menu', () => all('.menu-item').find((each) => each.textContent === 'Edit…'))).click();
        await until('the form', () => one('#station-name'));
        fill('#station-name', 'Renamed');
        one('.station-form').requestSubmit();
        await until('the new name', () => names()[0] === 'Renamed');
        return { stations: names() };
    },
};
