// Playback on another device. The browser under test has none: its Remote Playback API is replaced by a device that plays in the page.

const isPlaying = () =>
    one('.play-button').getAttribute('aria-label') === 'Pause' && one('.play-button').getAttribute('aria-busy') === 'false';
const labelled = (label, within) =>
    [...within.querySelectorAll('button')].find((each) =>
        each.textContent.trim() === label || each.getAttribute('aria-label') === label
    );

const checks = {
    async cast(key) {
        let tell = () => {};
        let device = null;
        const asked = [];
        RemotePlayback.prototype.watchAvailability = function (listener) {
            device = this;
            tell = listener;
            listener(false);
            return Promise.resolve(1);
        };
        let isConnected = false;
        RemotePlayback.prototype.prompt = function () {
            isConnected = !isConnected;
            this.dispatchEvent(new Event(isConnected ? 'connect' : 'disconnect'));
            return Promise.resolve();
        };
        const element = {};
        const source = Object.getOwnPropertyDescriptor(HTMLMediaElement.prototype, 'src');
        Object.defineProperty(HTMLMediaElement.prototype, 'src', {
            ...source,
            set(address) {
                if (String(address).includes('/api/files/')) {
                    element.audio = this;
                    asked.push(new URL(address));
                }
                source.set.call(this, address);
            },
        });
        await signIn(key);
        location.hash = '/songs';
        await until('all songs', () => all('.content .track-row').length === 3);
        all('.content .track-row')[0].querySelector('.track-play').click();
        await until('it plays', isPlaying);
        await until('the position', () => !/^0:0[01]$/.test(one('.bar-line .time').textContent));
        await until('the watch', () => device !== null);
        const button = labelled('Cast', one('.player-bar'));
        const hiddenWithout = button.hidden;
        tell(true);
        const hiddenWith = button.hidden;
        button.click();
        await until('the device plays', () => element.audio && !element.audio.paused && element.audio.currentTime > 2);
        const isLocal = isPlaying();
        button.click();
        const sheet = await until('the controls', () => one('dialog[aria-label="Casting"]'));
        labelled('Pause', sheet).click();
        await until('the device pauses', () => element.audio.paused);
        labelled('Forward 5 seconds', sheet).click();
        const sought = element.audio.currentTime;
        labelled('Next', sheet).click();
        await until(
            'the next song',
            () => asked.at(-1).pathname !== asked[0].pathname && !element.audio.paused && element.audio.currentTime > 0,
        );
        const title = one('.bar-title').textContent;
        labelled('Stop casting', sheet).click();
        await until('the end', () => element.audio.paused && !one('dialog[aria-label="Casting"]'));
        const status = [];
        for (const address of [asked[0], asked.at(-1)]) status.push((await fetch(address, { method: 'HEAD' })).status);
        const foreign = new URL(asked[0]);
        foreign.pathname = asked.at(-1).pathname;
        return {
            hiddenWithout,
            hiddenWith,
            isLocal,
            sought,
            title,
            status,
            foreign: (await fetch(foreign, { method: 'HEAD' })).status,
            leaked: asked.filter((address) => address.href.includes(key)).length,
        };
    },
};
