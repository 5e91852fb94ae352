// Playback scenarios, one function each. Arguments are its name, the host's API key and further arguments of the scenario.
// The page was opened at one of the player's own files, so that its Content-Security-Policy applies.

const scripts = '/player/scripts/';
const { Player } = await import(`${scripts}playback/control/player.js`);
const { HostClient } = await import(`${scripts}host/host-client.js`);
const { Connection } = await import(`${scripts}host/connection.js`);
const { memoryStorage } = await import(`${scripts}host/host-storage.js`);
const client = new HostClient({ key: args[1] });

class MadeSettings extends EventTarget {
    constructor(values) {
        super();
        this.values = values;
    }

    get(key) {
        return this.values[key];
    }

    set(key, value) {
        this.values[key] = value;
        this.dispatchEvent(Object.assign(new Event('change'), { key }));
    }
}

const { items } = await client.json('/api/tracks', { query: { limit: 100 } });
/** A track by its path without its ending. Tracks of the cue sheet of `Album` are named as files would be. */
const track = (name) =>
    items.find((item) => item.relative_path.replace(/\/Album\.flac\/0(\d)$/, '/$1').replace(/\.(mp3|flac|m4a|opus)$/, '') === name);
const wait = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

async function until(what, seconds = 90) {
    const since = performance.now();
    while (!what()) {
        if (performance.now() - since > seconds * 1000) throw new Error(`timed out waiting for: ${what}`);
        await wait(5);
    }
    return (performance.now() - since) / 1000;
}

/** Sets the network failures from now on; without rules, the network works. */
const fail = (...rules) => fetch('/__proxy/faults', { method: 'POST', body: JSON.stringify(rules) });
/** Returns the requests to the host since the last call. */
const asked = async (what = '/api/files/') =>
    (await (await fetch('/__proxy/log')).json()).filter(({ path }) => path.includes(what));
const nothing = '^/(?!__proxy)';
const firstByte = ({ range }) => Number(/(\d+)-/.exec(range)?.[1]);

const players = [];
function makePlayer({ settings = {}, policy, context, client: host = client } = {}) {
    const player = new Player({
        client: host,
        settings: new MadeSettings({ 'playback.quality': 'original', ...settings }),
        policy,
        context,
    });
    player.seen = [];
    for (const name of ['state', 'error', 'track', 'transition', 'buffer']) {
        player.addEventListener(
            name,
            ({ detail }) =>
                player.seen.push({ name, at: performance.now() / 1000, state: player.state, message: player.message, detail }),
        );
    }
    players.push(player);
    return player;
}

/** Starts a player with a track of five minutes. */
async function playing(options, ...names) {
    const player = makePlayer(options);
    player.queue.playNow((names.length > 0 ? names : ['long']).map(track));
    await until(() => player.state === 'playing');
    return player;
}

/** Renders a queue offline, and returns the samples. */
async function rendered(names, seconds, rate, { settings = {}, policy, client: host, prepare = () => {} } = {}) {
    const context = new OfflineAudioContext(2, Math.round(seconds * rate), rate);
    const player = makePlayer({ context, settings, policy, client: host });
    prepare(player);
    player.queue.playNow(names.map(track));
    await until(() =>
        player.decks.length === names.length && player.decks.every((deck) => deck.isDone) ||
        player.decks.some((deck) => deck.failure)
    );
    const decks = [...player.decks];
    const transition = player.transitions.get(decks[0]);
    // Ticks would drop decks that have been heard; the scenario still needs them.
    clearInterval(player.timer);
    const buffer = await context.startRendering();
    return { decks, transition, buffer, samples: buffer.getChannelData(0) };
}

/** A client whose host plans every transition as the scenario's argument says. */
class PlannedClient extends HostClient {
    json(path, options) {
        return path === '/crossfade' ? Promise.resolve(JSON.parse(args[2])) : super.json(path, options);
    }
}

const mixing = () => ({
    client: new PlannedClient({ key: args[1] }),
    settings: { 'playback.crossfadeSeconds': 6, 'playback.crossfadeStyle': 'mix', 'playback.normalization': 'off' },
});

/**
 * How far the incoming track of a mix is from the place that the outgoing one asks for, in seconds: now, or at the end of the mix on a
 * machine so slow that it is over.
 */
function mixOffset([outgoing, incoming], clock) {
    const plan = JSON.parse(args[2]);
    const when = Math.min(clock.now, outgoing.nextWhen - 1);
    const elapsed = outgoing.sampleAt(when) / outgoing.index.rate - plan.start_seconds;
    const place = incoming.sampleAt(when) / incoming.index.rate;
    return { elapsed, offset: place - plan.cue_in_seconds - plan.mix.ratio * elapsed };
}

/** Returns the bytes of samples in base64. */
function encoded(samples) {
    const bytes = new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength);
    let text = '';
    for (let i = 0; i < bytes.length; i += 0x8000) text += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
    return btoa(text);
}

const rms = (samples, from, to) => {
    let sum = 0;
    for (let i = from; i < to; i++) sum += samples[i] * samples[i];
    return Math.sqrt(sum / (to - from));
};
const decibels = (factor) => 20 * Math.log10(factor);

/** Fits a sine of a given frequency: its phase at sample 0, its amplitude, and the residual. */
function sineFit(samples, frequency, rate, from, to) {
    const w = (2 * Math.PI * frequency) / rate;
    let [cc, ss, cs, xc, xs] = [0, 0, 0, 0, 0];
    for (let i = from; i < to; i++) {
        const c = Math.cos(w * i);
        const s = Math.sin(w * i);
        cc += c * c;
        ss += s * s;
        cs += c * s;
        xc += samples[i] * c;
        xs += samples[i] * s;
    }
    const a = (xc * ss - xs * cs) / (cc * ss - cs * cs);
    const b = (xs * cc - xc * cs) / (cc * ss - cs * cs);
    let left = 0;
    for (let i = from; i < to; i++) left += (samples[i] - a * Math.cos(w * i) - b * Math.sin(w * i)) ** 2;
    return { phase: Math.atan2(a, b), amplitude: Math.hypot(a, b), rest: Math.sqrt(left / (to - from)) };
}

const scenarios = {
    // ---- Streaming scenarios

    async startingStreamPlayback() {
        await asked();
        const player = await playing();
        const ahead = player.supply.secondsAhead;
        const requests = await asked('');
        await until(() => player.position > 0.5);
        return {
            ahead,
            ranges: requests.filter(({ range }) => range).length,
            whole: requests.filter(({ path, range }) => path.includes('/api/files/') && !range).length,
            states: player.seen.filter(({ name }) => name === 'state').map(({ state }) => state).join(' '),
            toBuffered: player.buffered.at(-1)[1],
        };
    },

    async bufferingDuringPlayback() {
        const player = await playing();
        await until(() => player.secondsAhead > 15);
        let [least, most] = [Infinity, 0];
        const since = performance.now();
        // Measured by the audio clock, which may stall on a busy machine.
        const { context } = player.output;
        const [began, audio] = [player.position, context.currentTime];
        while (performance.now() - since < 8000) {
            least = Math.min(least, player.secondsAhead);
            most = Math.max(most, player.secondsAhead);
            await wait(50);
        }
        return {
            least,
            most,
            played: player.position - began,
            elapsed: context.currentTime - audio,
            interruptions: player.seen.filter(({ state }) => state === 'buffering').length,
        };
    },

    async bufferProgressIndication() {
        const player = await playing();
        await until(() => player.secondsAhead > 15);
        const [from, to] = player.buffered[0];
        player.seek(120);
        await until(() => player.buffered.length === 2);
        const told = player.seen.filter(({ name }) => name === 'buffer').length;
        return { from, to, position: 0, second: player.buffered[1][0], told };
    },

    /** The three tracks after the current one are downloaded whole, the fourth is not; then they play without the network. */
    async prefetch() {
        await asked();
        const names = ['long', 'other', 'short', 'next', 'last'];
        const player = await playing({}, ...names);
        const following = player.queue.items.slice(1, 4).map((item) => item.track.id);
        const wholeIds = () =>
            following.filter((id) => {
                const known = player.supply.tracks.get(id);
                return known && known.bytes.firstMissing(0) === known.index.segments.length;
            });
        await until(() => wholeIds().length === 3);
        const fourth = player.queue.items[4].track.id;
        // The loader has nothing left to do.
        await until(() => player.loader.job === null && player.supply.nextJob()?.deck.track.id !== fourth);
        const beyond = (await asked('/')).filter(({ path }) => path.includes(`/${fourth}/`)).length;
        await fail({ match: nothing, refuse: true });
        player.next();
        await until(() => player.state === 'playing' && player.current.id === following[0] && player.position > 0);
        const offline = player.loader.isOffline || player.state === 'playing';
        await fail();
        return { whole: wholeIds().length, beyond, offline };
    },

    /** On a metered connection, nothing is prefetched. */
    async noPrefetch() {
        const player = await playing({ policy: { connection: { saveData: true } } }, 'long', 'other');
        await until(() => player.secondsAhead > 15 && player.bandwidth.bitsPerSecond > 0 && player.supply.nextJob() === null);
        return { known: player.supply.tracks.size };
    },

    async seekingWhileStreaming() {
        const player = await playing();
        await until(() => player.secondsAhead > 20);
        await wait(300);
        await asked('');
        // Nothing can be downloaded now, so the seek uses the buffer.
        await fail({ match: nothing, refuse: true });
        let since = performance.now();
        player.seek(14.5);
        await until(() => player.startAt === null);
        const within = (performance.now() - since) / 1000;
        since = performance.now();
        player.seek(1);
        await until(() => player.startAt === null);
        const back = (performance.now() - since) / 1000;
        await fail();
        await until(() => !player.loader.isOffline);
        since = performance.now();
        player.seek(250);
        const isBuffering = player.state === 'buffering';
        await until(() => player.state === 'playing');
        const outside = (performance.now() - since) / 1000;
        return { within, back, outside, isBuffering, position: player.position };
    },

    async failover() {
        const host = () => {
            const known = new HostClient({ addresses: [location.origin, args[2]] });
            new Connection(known, memoryStorage());
            known.key = args[1];
            return known;
        };
        const seconds = 60;
        const { samples: expected } = await rendered(['long'], seconds, 44100);
        const asked = [];
        const real = window.fetch;
        window.fetch = (url, init) => {
            const { origin, pathname } = new URL(url, location.href);
            if (origin === args[2] && pathname.startsWith('/api/files/')) {
                asked.push(firstByte({ range: new Headers(init.headers).get('Range') }));
            }
            return real(url, init);
        };
        await fail({ match: '^/api/files', cut_after: 300_000, times: 1 }, { match: nothing, refuse: true });
        const client = host();
        const { samples } = await rendered(['long'], seconds, 44100, { client });
        let different = 0;
        for (let i = 0; i < expected.length; i++) if (samples[i] !== expected[i]) different++;
        // The same while it is heard.
        await fail();
        const heard = host();
        const player = await playing({ client: heard });
        const seen = player.seen.length;
        await fail({ match: nothing, refuse: true });
        const reach = () => player.currentDeck.bytes.arrived(0) / 44100;
        const before = reach();
        await until(() => heard.base === args[2] && reach() > before + 6);
        const states = new Set([
            'playing',
            ...player.seen.slice(seen).filter(({ name }) => name === 'state').map(({ state }) => state),
        ]);
        // An address that accepts requests and never responds is left long before they time out.
        await fail();
        const stalled = host();
        await stalled.json('/health');
        await fail({ match: nothing, hang: true });
        const since = performance.now();
        await stalled.json('/api/tracks');
        const stall = (performance.now() - since) / 1000;
        const isElsewhere = stalled.base === args[2] ? 1 : 0;
        window.fetch = real;
        await fail();
        return {
            stall,
            isElsewhere,
            first: asked[0],
            // The address of the host is the only other one.
            foreign: client.base === args[2] ? 0 : 1,
            frames: samples.length,
            expected: expected.length,
            different,
            states: [...states].join(' '),
            gained: reach() - before,
        };
    },

    async networkLossDuringPlayback() {
        const player = await playing();
        await until(() => player.secondsAhead > 20);
        await fail({ match: nothing, refuse: true });
        player.seek(player.buffered[0][1] - 3);
        await until(() => player.state === 'playing');
        const since = player.seen.length;
        const played = await until(() => player.state !== 'playing');
        const errors =
            player.seen.slice(since).filter(({ name, message }) =>
                name === 'error' || (message !== '' && message !== 'No Connection' && message !== 'Buffering…')
            ).length;
        await until(() => player.state === 'offline');
        const { position } = player;
        await wait(1000);
        return { played, errors, message: player.message, drift: player.position - position, end: player.buffered[0][1], position };
    },

    async networkRecoveryAndResume() {
        const player = await playing();
        await until(() => player.secondsAhead > 20);
        await fail({ match: nothing, refuse: true });
        player.seek(player.buffered[0][1] - 1);
        await until(() => player.state === 'offline');
        const { position } = player;
        await wait(1500);
        await fail();
        const resumed = await until(() => player.state === 'playing');
        return { resumed, jump: player.position - position, message: player.message };
    },

    async slowNetworkBuffering() {
        const player = await playing();
        await until(() => player.secondsAhead > 20);
        await fail({ match: '^/api/files', bytes_per_second: 8000 });
        player.seek(player.buffered[0][1] - 2);
        await until(() => player.startAt === null);
        await until(() => player.state === 'buffering' && player.message !== '');
        const { message, position } = player;
        const { stateText } = await import(`${scripts}views/playing/state-text.js`);
        const text = stateText({ player });
        await until(() => /^Buffering [1-9]\d? %$/.test(text.firstChild.textContent));
        const drift = player.position - position;
        await fail();
        const resumed = await until(() => player.state === 'playing');
        return { message, drift, resumed, jump: player.position - position, isOver: text.hidden && player.startProgress === null };
    },

    async networkTypeChange() {
        const player = await playing();
        await until(() => player.secondsAhead > 20);
        const before = player.seen.length;
        // The old connection breaks in the middle of a response; a moment later there is a new one.
        await fail({ match: nothing, refuse: true });
        player.supply.tracks.get(track('long').id).bytes.segments.delete(4);
        player.loader.reconsider();
        await wait(700);
        await fail();
        dispatchEvent(new Event('online'));
        await until(() => player.secondsAhead > 20);
        const states = player.seen.slice(before).filter(({ name }) => name === 'state').map(({ state }) => state);
        return {
            interruptions: states.filter((state) => state !== 'playing').length,
            errors: player.seen.slice(before).filter(({ name }) => name === 'error').length,
        };
    },

    async initialBufferBeforePlayback() {
        const fast = makePlayer();
        let since = performance.now();
        fast.queue.playNow([track('long')]);
        await until(() => fast.state === 'playing');
        const fastStart = (performance.now() - since) / 1000;
        const fastAhead = fast.secondsAhead;
        fast.close();
        await fail({ match: '^/api/files', bytes_per_second: 45000 });
        const slow = makePlayer();
        since = performance.now();
        slow.queue.playNow([track('long')]);
        let beforeEnough = 0;
        while (slow.state !== 'playing') {
            if (slow.secondsAhead < 5 && slow.position > 0) beforeEnough += 1;
            await wait(20);
        }
        return {
            fastStart,
            fastAhead,
            slowStart: (performance.now() - since) / 1000,
            slowAhead: slow.secondsAhead,
            beforeEnough,
            message: slow.seen.find(({ state }) => state === 'loading').message,
        };
    },

    async preloadingNextTrack() {
        const player = await playing({}, 'long', 'other');
        await until(() => player.secondsAhead > 20);
        const early = player.decks.length;
        await asked('');
        player.seek(player.duration - 119);
        await until(() => player.decks[1]?.bytes?.reach(0) > 10 * 44100);
        const here = player.decks[1].bytes.reach(0) / 44100;
        const gap = player.decks[0].bytes.reach(player.decks[0].index.length - 44100 * 50) < player.decks[0].index.length;
        player.seek(player.duration - 2);
        await until(() => player.startAt === null);
        const before = player.seen.length;
        await until(() => player.current === track('other'));
        const [one, two] = player.decks.length === 2 ? player.decks : [null, player.decks[0]];
        return {
            early,
            here,
            gap,
            state: player.state,
            seam: one ? two.beginsAt - one.nextWhen : 0,
            interruptions: player.seen.slice(before).filter(({ name, state }) => name === 'state' && state !== 'playing').length,
        };
    },

    async bandwidthEstimation() {
        const { Bandwidth } = await import(`${scripts}playback/loading/bandwidth.js`);
        const told = {};
        // A simulated clock: a number of bytes every tenth of a second.
        for (const [name, bytes] of [['fast', 30000], ['medium', 12500], ['slow', 5000]]) {
            let now = 0;
            const bandwidth = new Bandwidth(() => now);
            bandwidth.begin();
            const changes = [];
            for (let i = 0; i < 200; i++) {
                now += 0.1;
                const before = bandwidth.bitsPerSecond;
                bandwidth.add(bytes);
                if (bandwidth.updatedAt === now && i > 20) changes.push(now);
            }
            told[`${name}Ahead`] = bandwidth.secondsAhead;
            told[`${name}Bits`] = bandwidth.bitsPerSecond;
            told[`${name}Interval`] = changes[1] - changes[0];
        }
        await fail({ match: '^/api/files', bytes_per_second: 40000 });
        const player = await playing();
        told.liveAhead = player.bandwidth.secondsAhead;
        told.liveBits = player.bandwidth.bitsPerSecond;
        await until(() => player.loader.job === null);
        told.mostAhead = player.secondsAhead;
        return told;
    },

    // ---- Quality

    async streamingQualityOnCellular() {
        await asked('');
        const player = await playing({ settings: { 'playback.quality': 'auto' }, policy: { connection: { type: 'cellular' } } });
        await until(() => player.loader.job === null);
        const { index, bytes } = player.decks[0];
        const here = index.segments.filter(({ number }) => bytes.has(number));
        const originalBytes = here.reduce((sum, { firstByte, endByte }) => sum + endByte - firstByte, 0);
        return {
            original: (await asked()).length,
            low: here.length,
            quality: player.quality,
            share: bytes.byteCount / originalBytes,
        };
    },

    async streamingQualityOnWiFi() {
        await asked('');
        const player = await playing({ settings: { 'playback.quality': 'auto' }, policy: { connection: { type: 'wifi' } } });
        await until(() => player.loader.job === null);
        const requests = await asked('');
        return {
            original: requests.filter(({ path }) => path.includes('/api/files/')).length,
            low: requests.filter(({ path }) => path.includes('quality=low')).length,
            quality: player.quality,
        };
    },

    async wifiToCellular() {
        const connection = { type: 'wifi' };
        const player = await playing({ settings: { 'playback.quality': 'auto' }, policy: { connection } });
        await until(() => player.loader.job === null);
        const lowBefore = (await asked('quality=low')).length;
        connection.type = 'cellular';
        const before = player.seen.length;
        await until(() => player.decks[0].bytes.low.size > 0);
        // Seek to just before the change.
        const first = [...player.decks[0].bytes.low.keys()][0];
        player.seek(player.decks[0].index.segments[first].start / player.decks[0].index.rate - 1);
        await until(() => player.quality === 'low');
        const states = player.seen.slice(before).filter(({ name, state }) =>
            name === 'state' && !['playing', 'loading'].includes(state)
        );
        return { lowBefore, lowAfter: player.decks[0].bytes.low.size, interruptions: states.length };
    },

    async adaptiveBitrateStreaming() {
        // Faster than the low quality, slower than the original.
        await fail({ match: '^/(api/files|tracks/[0-9]+/segments/)', bytes_per_second: 13000 });
        const player = await playing({ settings: { 'playback.quality': 'auto' } });
        const { bytes, index } = player.decks[0];
        await until(() => bytes.low.size > 0 && player.state === 'playing');
        const low = Math.max(...bytes.low.keys());
        await fail();
        const isAgain = () => index.segments.some(({ number }) => number > low && bytes.has(number) && !bytes.isLow(number));
        await until(isAgain);
        const border = index.segments.find(({ number }) => number > low && bytes.has(number) && !bytes.isLow(number));
        player.seek(border.start / index.rate - 1);
        await until(() => player.position > border.start / index.rate + 0.2);
        // Each piece is scheduled exactly where the previous one ends.
        const seams = player.decks[0].nodes.map(({ from, to }) => [from, to]).sort((a, b) => a[0] - b[0]);
        return {
            low: bytes.low.size,
            originalAgain: Number(isAgain()),
            seam: seams.slice(1).reduce((most, [from], i) => Math.max(most, Math.abs(from - seams[i][1])), 0),
        };
    },

    async chosenQuality() {
        const told = {};
        for (const quality of ['original', 'low']) {
            const heard = [];
            for (const type of ['wifi', 'cellular']) {
                const player = await playing(
                    { settings: { 'playback.quality': quality }, policy: { connection: { type } } },
                    'other',
                );
                heard.push(player.quality);
                player.close();
            }
            told[quality] = heard.join(' ');
        }
        return told;
    },

    async noLowQuality() {
        await asked('');
        await fail({ match: 'quality=low', status: 422 });
        const player = await playing({ settings: { 'playback.quality': 'low' } }, 'short');
        return { quality: player.quality, refused: (await asked('quality=low')).length };
    },

    /** The first segment in original quality, the others in low quality: returns the largest phase error of the sine. */
    async qualitiesInTurn() {
        const connection = {
            get type() {
                return players.at(-1).decks[0].bytes.has(0) ? 'cellular' : 'wifi';
            },
        };
        const name = args[2];
        const rate = Number(args[3]);
        const one = await rendered([name], 10, rate);
        // Slow, so that the original arrives in chunks.
        await fail({ match: '^/api/files', bytes_per_second: 150000 });
        const { decks, samples } = await rendered([name], 10, rate, {
            settings: { 'playback.quality': 'auto' },
            policy: { connection },
        });
        const from = rate;
        const to = 9 * rate;
        const frequency = Number(args[4]);
        let most = 0;
        for (let at = from; at + rate / 20 < to; at += rate / 20) {
            const a = sineFit(one.samples, frequency, rate, at, at + rate / 20);
            const b = sineFit(samples, frequency, rate, at, at + rate / 20);
            most = Math.max(most, Math.abs(Math.atan2(Math.sin(a.phase - b.phase), Math.cos(a.phase - b.phase))));
        }
        return {
            low: decks[0].bytes.low.size,
            all: decks[0].index.segments.length,
            phase: most,
            length: decks[0].nextWhen - one.decks[0].nextWhen,
        };
    },

    async seekingWithRangeRequests() {
        const player = await playing();
        await until(() => player.loader.job === null);
        await asked('');
        player.seek(200);
        await until(() => player.state === 'playing');
        const requests = await asked();
        const segment = player.decks[0].index.at(200 * 44100);
        return {
            first: firstByte(requests[0]),
            wanted: segment.prerollByte,
            skipped: requests.filter((each) => firstByte(each) < segment.prerollByte).length,
            hole: player.buffered.length,
            wasted: requests[0].bytes / (requests[0].range.split('-')[1] - firstByte(requests[0]) + 1),
        };
    },

    async resumeFromPositionBefore() {
        const { ResumeStore } = await import(`${scripts}playback/control/resume-store.js`);
        const player = await playing({}, 'other', 'long');
        new ResumeStore(player);
        player.next();
        await until(() => player.current === track('long') && player.state === 'playing');
        player.seek(155.25);
        await until(() => player.state === 'playing' && player.position > 155.4);
        player.pause();
        await wait(200);
        // Keep the player until the page is closed.
        players.length = 0;
        return { position: player.position };
    },

    async resumeFromPosition() {
        const { ResumeStore } = await import(`${scripts}playback/control/resume-store.js`);
        const player = makePlayer();
        await asked('');
        const isThere = await new ResumeStore(player).restore(async (ids) => ids.map((id) => items.find((item) => item.id === id)));
        const shown = player.position;
        const requestsBefore = (await asked()).length;
        await player.play();
        await until(() => player.state === 'playing');
        const requests = await asked();
        const segment = player.decks[0].index.at(Math.floor(shown * 44100));
        return {
            isThere,
            shown,
            requestsBefore,
            title: player.current.title,
            position: player.position,
            count: player.queue.items.length,
            first: firstByte(requests[0]),
            wanted: segment.prerollByte,
        };
    },

    async serverError() {
        const player = await playing();
        await until(() => player.loader.job === null);
        await asked('');
        await fail({ match: '^/api/files', status: 500, times: 1 });
        player.seek(100);
        await until(() => player.state === 'failed');
        const { message, retryIn, position } = player;
        await until(() => player.state === 'playing');
        const requests = await asked();
        const after = requests[1].at - requests[0].at;
        // And permanently.
        await fail({ match: '^/api/files', status: 502 });
        const other = makePlayer({ policy: { retryDelays: { server: [0.1, 0.1, 0.1] } } });
        other.queue.playNow([track('other')]);
        await until(() => other.decks[0]?.failure);
        const tries = (await asked(`/api/files/${track('other').id}/`)).length;
        await fail();
        const isGivenUp = other.state === 'failed' && other.retryIn === null;
        other.retry();
        await until(() => other.state === 'playing');
        return { message, retryIn, position, after, tries, isGivenUp };
    },

    async notFound() {
        await fail({ match: '^/api/files', status: 404 });
        const player = makePlayer({ policy: { retryDelays: { server: [0.1], reset: [0.1], timeout: [0.1], busy: [0.1] } } });
        await asked('');
        player.queue.playNow([track('long')]);
        await until(() => player.state === 'failed');
        await wait(600);
        return { message: player.message, tries: (await asked()).length, retryIn: player.retryIn ?? -1 };
    },

    /** Tracks that cannot be played: the first of the queue, the next one, and all. */
    async unplayable() {
        const bad = track('other');
        await fail({ match: `^/tracks/${bad.id}/segments`, status: 422 });
        const player = makePlayer();
        const skipped = [];
        player.addEventListener('skip', ({ detail }) => skipped.push(detail.track.id === bad.id));
        player.queue.playNow([bad, track('long'), bad, track('long')]);
        await until(() => player.state === 'playing');
        const first = player.queue.index;
        player.seek(player.duration - 3);
        await until(() => player.queue.index === 3 && player.state === 'playing' && player.position > 0.2);
        const isPausedNever = !player.seen.some(({ state }) => state === 'failed');
        await asked('');
        const other = makePlayer();
        other.queue.playNow(Array(9).fill(bad));
        await until(() => other.state === 'failed');
        const tries = (await asked('/segments')).length;
        const { index } = other.queue;
        await fail();
        other.retry();
        await until(() => other.state === 'playing');
        return { first, skipped, isPausedNever, tries, index };
    },

    /** The host was updated while the page was open, and names the worker otherwise. */
    async missingWorker() {
        await fail({ match: 'sound-worker', status: 404 });
        const player = makePlayer();
        player.speed = 1.5;
        player.queue.playNow([track('long')]);
        await until(() => player.state === 'failed');
        const { message } = player;
        await fail();
        player.retry();
        await until(() => player.state === 'playing');
        return { message };
    },

    /** An edit of the tags moves the audio in the file while it plays. */
    async retaggedDuringPlayback() {
        const player = await playing();
        await until(() => player.loader.job === null);
        const deck = player.currentDeck;
        const before = deck.bytes.index.segments[0].firstByte;
        await client.json('/edit-metadata', {
            method: 'PATCH',
            body: { relative_path: deck.track.relative_path, comment: 'x'.repeat(9000) },
        });
        await asked('');
        player.seek(200);
        await until(() => player.state === 'playing' && player.position > 200.5);
        const requests = await asked('/tracks/');
        // The bytes at the new place, compared with the file's.
        const { number } = deck.bytes.index.at(200 * deck.bytes.index.rate);
        const segment = deck.bytes.index.segments[number];
        const file = new Uint8Array(
            await (await client.fetch(`/api/files/${deck.track.id}/stream`, { cache: 'no-store' })).arrayBuffer(),
        );
        const expected = file.subarray(segment.prerollByte, segment.endByte);
        const own = deck.bytes.get(number);
        return {
            shift: deck.bytes.index.segments[0].firstByte - before,
            indexes: requests.filter(({ path }) => path.includes('segments.json')).length,
            isSame: own.length === expected.length && own.every((byte, at) => byte === expected[at]),
            errors: player.seen.filter(({ name }) => name === 'error').length,
        };
    },

    async timeoutDuringStreaming() {
        const { Player: Class } = await import(`${scripts}playback/control/player.js`);
        const usual = new Class({ client, settings: new MadeSettings({}) });
        const seconds = usual.policy.silenceSeconds;
        usual.close();
        // The first response stalls in the middle, the second never arrives.
        await fail({ match: '^/api/files', stall_after: 20000, times: 1 });
        const player = makePlayer({ policy: { silenceSeconds: 1, retryDelays: { timeout: [0.5, 0.5, 0.5] } } });
        const since = performance.now();
        player.queue.playNow([track('long')]);
        await until(() => player.message.includes('timed out'));
        const { message, state } = player;
        const after = (performance.now() - since) / 1000;
        await until(() => player.state === 'playing');
        await fail({ match: '^/api/files', hang: true, times: 1 });
        player.seek(100);
        await until(() => player.message.includes('timed out'));
        await until(() => player.state === 'playing');
        return { seconds, message, state, after, position: player.position };
    },

    async automaticRetry() {
        const player = await playing();
        await until(() => player.loader.job === null);
        await asked('');
        await fail({ match: '^/api/files', cut_after: 1000, times: 1 }, { match: '^/api/files', status: 503, times: 1 });
        player.seek(100);
        await until(() => player.state === 'playing');
        const requests = await asked();
        const { RetryPolicy } = await import(`${scripts}playback/loading/retry-policy.js`);
        const { PlaybackError } = await import(`${scripts}playback/loading/playback-error.js`);
        const policy = new RetryPolicy();
        const error = PlaybackError.of({ kind: 'timeout' });
        return {
            first: requests[1].at - requests[0].at,
            second: requests[2].at - requests[1].at,
            position: player.position,
            delays: [1, 2, 3, 4].map(() => policy.next(error) ?? -1).join(' '),
        };
    },

    // ---- Audio output

    /** A sine split into two files, at the file's rate and at another: the samples around the joint and at both ends. */
    async gapless() {
        const [folder, rate] = [args[2], Number(args[3])];
        const { samples, decks } = await rendered([`${folder}/1`, `${folder}/2`], 13, rate);
        const joint = decks[1].beginsAt;
        const frequency = 441.7;
        // Away from the ends, where the encoder is less accurate.
        const margin = Math.round(rate * 0.1);
        const before = sineFit(samples, frequency, rate, joint - margin * 20, joint - margin);
        const after = sineFit(samples, frequency, rate, joint + margin, joint + margin * 20);
        return {
            joint,
            end: decks[1].nextWhen,
            length: decks.reduce((sum, deck) => sum + deck.index.length / deck.index.rate, 0),
            quality: decks[0].bytes.qualityOf(0),
            seam: decks[1].beginsAt - decks[0].nextWhen,
            phase: before.phase - after.phase,
            amplitude: before.amplitude,
            rest: before.rest,
            head: Array.from(samples.subarray(0, 3000)),
            around: Array.from(samples.subarray(joint - 3000, joint + 3000)),
            tail: Array.from(samples.subarray(decks[1].nextWhen - 3000, decks[1].nextWhen)),
        };
    },

    /** Six channels: the mix around the border of two segments. */
    async surroundMix() {
        const player = makePlayer({ context: new OfflineAudioContext(2, 48000, 48000) });
        player.queue.playNow([track('surround')]);
        await until(() => player.decks[0]?.isDone || player.decks[0]?.failure);
        const [deck] = player.decks;
        const [first, second] = [await deck.sound(0), await deck.sound(1)];
        const around = (channel) => [...first[channel].subarray(-1500), ...second[channel].subarray(0, 1500)];
        return {
            length: deck.index.length,
            from: deck.index.segments[1].start - 1500,
            left: around(0),
            right: around(1),
        };
    },

    /** All sound of a track: its length, and the power of each 2048 frames of both channels. */
    async wholeSound() {
        const player = makePlayer({ context: new OfflineAudioContext(2, 44100, 44100) });
        player.queue.playNow([track(args[2])]);
        await until(() => player.decks[0]?.isDone || player.decks[0]?.failure);
        const [deck] = player.decks;
        const powers = [];
        let [sum, frames] = [0, 0];
        for (const place of deck.index.segments.keys()) {
            const [left, right] = await deck.sound(place);
            for (let frame = 0; frame < left.length; frame++) {
                sum += (left[frame] ** 2 + right[frame] ** 2) / 4096;
                if (++frames % 2048 > 0) continue;
                powers.push(sum);
                sum = 0;
            }
        }
        return { quality: deck.bytes.qualityOf(0), length: deck.index.length, frames, powers };
    },

    /** A browser without a decoder for FLAC. */
    async withoutFLAC() {
        await asked('');
        const { decks, samples } = await rendered(['toneC'], 10, 44100, {
            prepare: (player) => {
                player.engine.decoder.canDecode = async ({ coding }) => coding !== 'flac';
            },
        });
        const requests = await asked('');
        const { soundText } = await import(`${scripts}views/playing/sound-text.js`);
        const texts = ['high', 'low', 'original'].map((quality) => soundText(track('toneC'), quality));
        const { phase } = sineFit(samples, 600, 44100, 4410, 9 * 44100);
        return {
            quality: decks[0].bytes.qualityOf(0),
            texts: texts.join(', '),
            mp3: soundText(track('toneA'), 'original'),
            original: requests.filter(({ path }) => path.includes('/api/files/')).length,
            high: requests.filter(({ path }) => path.includes('quality=high')).length,
            length: decks[0].nextWhen - decks[0].beginsAt,
            phase,
        };
    },

    /** A decoder that trims samples at both ends yields the same segments. */
    async trimmingDecoders() {
        const { SegmentDecoder } = await import(`${scripts}playback/decks/segment-decoder.js`);
        const { SegmentIndex } = await import(`${scripts}playback/loading/segment-index.js`);
        const whole = (bytes, rate, channels) => new OfflineAudioContext(channels, 1, rate).decodeAudioData(bytes);
        const trimming = (head, tail) => async (bytes, rate, channels) => {
            const buffer = await whole(bytes, rate, channels);
            const trimmed = new AudioBuffer({ numberOfChannels: channels, length: buffer.length - head - tail, sampleRate: rate });
            for (let channel = 0; channel < channels; channel++) {
                trimmed.copyToChannel(buffer.getChannelData(channel).subarray(head, buffer.length - tail), channel);
            }
            return trimmed;
        };
        const told = {};
        for (const folder of ['cut44', 'cut22']) {
            const { id } = track(`${folder}/1`);
            const index = new SegmentIndex(await client.json(`/tracks/${id}/segments.json`));
            const { buffer } = await client.bytes(`/api/files/${id}/stream`);
            const plain = new SegmentDecoder(whole);
            const { head, tail } = await plain.trimming(index.samplesPerFrame);
            Object.assign(told, { head: head + (told.head ?? 0), tail: tail + (told.tail ?? 0) });
            for (const [cutHead, cutTail] of [[529, 0], [1105, 0], [0, 529], [1105, 1152]]) {
                const other = new SegmentDecoder(trimming(cutHead, cutTail));
                for (const segment of index.segments) {
                    const bytes = new Uint8Array(buffer, segment.prerollByte, segment.endByte - segment.prerollByte);
                    const [one, two] = await Promise.all([
                        plain.decode(bytes, index, segment),
                        other.decode(bytes, index, segment),
                    ]);
                    told.missing = (told.missing ?? 0) + Math.abs(one[0].length - two[0].length);
                    told.apart = one[0].reduce((most, value, i) => Math.max(most, Math.abs(value - two[0][i])), told.apart ?? 0);
                    told.segments = (told.segments ?? 0) + 1;
                }
            }
        }
        return told;
    },

    /** Junk between frames is dropped. */
    async junkBetweenFrames() {
        const { framesOf } = await import(`${scripts}playback/loading/mp3-frames.js`);
        const { SegmentIndex } = await import(`${scripts}playback/loading/segment-index.js`);
        const { id } = track('cut44/1');
        const [segment] = new SegmentIndex(await client.json(`/tracks/${id}/segments.json`)).segments;
        const { buffer } = await client.bytes(`/api/files/${id}/stream`);
        const bytes = new Uint8Array(buffer, segment.firstByte, segment.endByte - segment.firstByte);
        const frames = framesOf(bytes, segment.frames);
        const at = frames[100].byteOffset - bytes.byteOffset;
        const junk = Uint8Array.from({ length: 777 }, (_, i) => (i % 50 === 0 ? 0xff : i % 50 === 1 ? 0xfb : (i * 7) & 0xff));
        const holed = new Uint8Array(bytes.length + junk.length);
        holed.set(bytes.subarray(0, at));
        holed.set(junk, at);
        holed.set(bytes.subarray(at), at + junk.length);
        const found = framesOf(holed, segment.frames);
        return {
            frames: frames.length,
            expected: segment.frames,
            found: found.length,
            same: found.filter((frame, i) => frame.length === frames[i].length && frame.every((byte, k) => byte === frames[i][k]))
                .length,
        };
    },

    /** Resamples a sine in chunks of odd sizes, and compares it with the sine at the other rate. */
    async resampling() {
        const { Resampler } = await import(`${scripts}playback/output/resampler.js`);
        const told = {};
        for (const [from, to] of [[44100, 48000], [48000, 44100], [22050, 44100], [32000, 48000], [8000, 44100]]) {
            for (const share of [0.05, 0.4]) {
                const frequency = Math.min(from, to) * share;
                const input = Float32Array.from({ length: from }, (_, i) => Math.sin((2 * Math.PI * frequency * i) / from));
                const resampler = new Resampler({ channels: 1, from, to });
                const pieces = [];
                for (let at = 0, size = 1; at < input.length; at += size, size = (size * 7) % 4999 + 1) {
                    pieces.push(resampler.push([input.subarray(at, at + size)])[0]);
                }
                pieces.push(resampler.finish()[0]);
                const output = pieces.flatMap((piece) => Array.from(piece));
                let error = 0;
                for (let i = 2000; i < to - 2000; i++) {
                    error = Math.max(error, Math.abs(output[i] - Math.sin((2 * Math.PI * frequency * i) / to)));
                }
                told.worst = Math.max(told.worst ?? 0, error);
                told.lengths = (told.lengths ?? 0) + Math.abs(output.length - to);
            }
        }
        // Above half of the lower rate, nothing may pass.
        const high = Float32Array.from({ length: 48000 }, (_, i) => Math.sin((2 * Math.PI * 23500 * i) / 48000));
        const resampler = new Resampler({ channels: 1, from: 48000, to: 44100 });
        const output = resampler.push([high])[0];
        told.folded = decibels(rms(output, 2000, output.length - 2000) * Math.SQRT2);
        return told;
    },

    /** Slower and faster playback with the same pitch. */
    async speed() {
        const told = {};
        for (const speed of [0.75, 1.5]) {
            const { samples, decks } = await rendered(['cut44/1'], 6 / speed + 1, 44100, {
                prepare: (player) => {
                    player.speed = speed;
                },
            });
            const length = decks[0].nextWhen / 44100;
            let crossings = 0;
            for (let i = 44100; i < 2 * 44100; i++) if (samples[i - 1] < 0 && samples[i] >= 0) crossings += 1;
            told[`length${speed}`] = (length * speed) / decks[0].duration;
            told[`pitch${speed}`] = crossings;
            told[`level${speed}`] = rms(samples, 44100, 2 * 44100);
            told[`position${speed}`] = decks[0].sampleAt(2 * 44100) / 44100 / (2 * speed);
        }
        return told;
    },

    /** A stream that is closed before it is sent more. */
    async closedStream() {
        const { SoundProcessor } = await import(`${scripts}playback/output/sound-processor.js`);
        const processor = new SoundProcessor();
        const stream = processor.open({ channels: 2, from: 44100, to: 48000, speed: 1.5 });
        const piece = () => [new Float32Array(44100), new Float32Array(44100)];
        const sent = stream.process(piece(), false);
        stream.close();
        const [before, after] = [await sent, await stream.process(piece(), true, piece())];
        processor.close();
        return { before: before.output[0].length, after: after.output[1].length, beyond: after.beyond === null ? 1 : 0 };
    },

    /** The heard sample for various output timestamps: 10 s have been rendered, with a latency of 50 ms. */
    async outputStamps() {
        const { PlayClock } = await import(`${scripts}playback/output/play-clock.js`);
        const heard = (stamp, state = 'running') =>
            new PlayClock({
                sampleRate: 1000,
                currentTime: 10,
                outputLatency: 0.05,
                baseLatency: 0.01,
                state,
                getOutputTimestamp: () => stamp,
            }).heard;
        performance.now = () => 60_000;
        const told = {
            usable: heard({ contextTime: 9.75, performanceTime: 59_900 }),
            beyond: heard({ contextTime: 9.9, performanceTime: 59_500 }),
            ahead: heard({ contextTime: 9.9, performanceTime: 69_900 }),
            stale: heard({ contextTime: 5, performanceTime: 55_000 }),
            held: heard({ contextTime: 9.5, performanceTime: 59_900 }, 'suspended'),
            none: heard(undefined),
            unset: heard({ contextTime: 0, performanceTime: 0 }),
        };
        delete performance.now;
        return told;
    },

    /** The number of open streams after frequent seeks and speed changes, and after playback. */
    async openStreams() {
        const player = makePlayer();
        const { processor } = player.engine;
        const open = new Set();
        const real = processor.open.bind(processor);
        let made = 0;
        processor.open = (options) => {
            const stream = real(options);
            const id = made++;
            open.add(id);
            return {
                process: (...input) => stream.process(...input),
                close: () => {
                    open.delete(id);
                    stream.close();
                },
            };
        };
        player.speed = 1.5;
        player.queue.playNow(['loud'].map(track));
        await until(() => player.state === 'playing');
        for (let i = 0; made < 20; i++) {
            if (i % 2 === 0) player.seek(1 + (i % 7));
            else player.speed = i % 4 === 1 ? 1.25 : 1.5;
            await wait(i % 9);
        }
        await until(() => player.state === 'playing');
        player.stop();
        // Streams that are being prepared are closed once they are ready.
        await until(() => open.size === 0, 30).catch(() => {});
        return { left: open.size };
    },

    /** Two files in sequence at a speed, compared with both as one stream stretched at once. */
    async speedOfTwo() {
        const { SoundChain } = await import(`${scripts}playback/output/sound-chain.js`);
        const [folder, fileRate, rate, speed] = [args[2], ...args.slice(3).map(Number)];
        const names = [`${folder}/1`, `${folder}/2`];
        const plain = await rendered(names, 13, fileRate);
        const whole = plain.samples.slice(0, plain.decks[1].nextWhen);
        const expected = new SoundChain({ channels: 1, from: fileRate, to: rate, speed }).finish([whole])[0];
        const { samples, decks } = await rendered(names, 12.5 / speed + 1, rate, {
            prepare: (player) => {
                player.speed = speed;
            },
        });
        const apart = (from, to) =>
            expected.subarray(from, to).reduce((most, value, i) => Math.max(most, Math.abs(value - samples[from + i])), 0);
        const joint = decks[1].beginsAt;
        return {
            joint,
            seam: joint - decks[0].nextWhen,
            length: decks[1].nextWhen - expected.length,
            before: apart(0, joint),
            around: apart(joint - 5000, joint + 5000),
            after: apart(joint, expected.length),
            // The difference, in samples, between the second track's displayed and actual position.
            place: decks[1].sampleAt(joint + rate) - ((joint + rate) * speed * fileRate) / rate + plain.decks[1].beginsAt,
        };
    },

    /** The levels of a loud and a quiet track, unchanged and normalized. */
    async normalization() {
        const told = {};
        for (const mode of ['off', 'track']) {
            const { samples, decks } = await rendered(['loud', 'quiet'], 21, 44100, {
                settings: { 'playback.normalization': mode, 'playback.targetLUFS': -18 },
            });
            const joint = decks[1].beginsAt;
            told[`${mode}Loud`] = decibels(rms(samples, 44100, joint - 44100));
            told[`${mode}Quiet`] = decibels(rms(samples, joint + 44100, decks[1].nextWhen - 44100));
            told[`${mode}Peak`] = samples.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
        }
        const { gainOf } = await import(`${scripts}playback/queue/loudness.js`);
        const dynamic = { integrated_lufs: -30, true_peak_dbtp: -3, album_integrated_lufs: -20, album_true_peak_dbtp: -6 };
        Object.assign(told, {
            limited: gainOf(dynamic, 'track', -18),
            album: gainOf(dynamic, 'album', -18),
            ofNone: gainOf({}, 'track', -18),
            loudLUFS: track('loud').integrated_lufs,
            quietLUFS: track('quiet').integrated_lufs,
        });
        return told;
    },

    /**
     * The gain of each track in dB, just before and just after the joint, relative to a render without normalization: for two
     * consecutive movements, and for one of them before another track.
     */
    async albumLoudness() {
        const { SETTINGS } = await import(`${scripts}host/settings-table.js`);
        const loudness = Object.fromEntries(
            ['playback.normalization', 'playback.targetLUFS'].map((key) => [key, SETTINGS[key].initial]),
        );
        const gains = async (names, settings) => {
            const levels = [];
            for (const each of [{ ...settings, 'playback.normalization': 'off' }, settings]) {
                const { samples, decks } = await rendered(names, 20, 44100, { settings: each });
                const joint = decks[1].beginsAt;
                levels.push([rms(samples, joint - 6615, joint - 2205), rms(samples, joint + 2205, joint + 6615)]);
            }
            return levels[1].map((level, i) => decibels(level / levels[0][i]));
        };
        const inOrder = ['movements/1', 'movements/2'];
        const apart = ['movements/2', 'toneA'];
        const trackGain = (name) => loudness['playback.targetLUFS'] - track(name).integrated_lufs;
        return {
            mode: loudness['playback.normalization'],
            album: await gains(inOrder, loudness),
            track: await gains(inOrder, { ...loudness, 'playback.normalization': 'track' }),
            wholeAlbum: await gains(inOrder, { ...loudness, 'playback.normalization': 'album' }),
            apart: await gains(apart, loudness),
            apartExpected: apart.map(trackGain),
        };
    },

    /** The level of a track whose album neighbour is queued while it plays, and removed again. */
    async albumIntoQueue() {
        const player = await playing({ settings: { 'playback.normalization': 'auto', 'playback.targetLUFS': -16 } }, 'movements/1');
        const [deck] = player.decks;
        const told = { alone: decibels(deck.level) };
        player.queue.playNext([track('movements/2')]);
        told.joined = decibels(deck.level);
        await until(() => player.decks[1]);
        told.next = decibels(player.decks[1].level);
        player.queue.remove(1);
        told.left = decibels(deck.level);
        const { integrated_lufs: ofTrack, album_integrated_lufs: ofAlbum } = track('movements/1');
        return { ...told, trackGain: -16 - ofTrack, albumGain: -16 - ofAlbum };
    },

    /** The envelopes of an overlap of the chosen length, of two tones that can be separated by frequency. */
    async crossfadeCurve() {
        const settings = { 'playback.crossfadeSeconds': 4, 'playback.crossfadeStyle': 'always', 'playback.normalization': 'off' };
        const { samples, decks, transition } = await rendered(['toneA', 'toneB'], 20, 44100, { settings });
        const start = decks[1].beginsAt;
        const end = decks[0].nextWhen;
        const shares = [0.1, 0.25, 0.5, 0.75, 0.9];
        const at = (frequency, share) => {
            const middle = Math.round(start + share * (end - start));
            // A whole number of periods of both tones.
            return sineFit(samples, frequency, 44100, middle - 2205, middle + 2205).amplitude;
        };
        const full = [
            sineFit(samples, 600, 44100, 44100, 88200).amplitude,
            sineFit(samples, 1000, 44100, end + 44100, end + 88200).amplitude,
        ];
        return {
            seconds: (end - start) / 44100,
            out: shares.map((share) => at(600, share) / full[0]),
            in: shares.map((share) => at(1000, share) / full[1]),
            startsAt: start / 44100,
            duration: decks[0].duration,
            kind: transition.kind,
        };
    },

    /** The host's plan: where the incoming track starts, and where the outgoing one ends. */
    async crossfadePlan() {
        const plan = await client.json('/crossfade', {
            query: { from: track('fading').id, to: track('answer').id, max_seconds: 5, target_lufs: -18 },
        });
        const { decks } = await rendered(['fading', 'answer'], 50, 44100, {
            settings: { 'playback.crossfadeSeconds': 5, 'playback.targetLUFS': -18 },
        });
        return {
            kind: plan.transition,
            start: plan.start_seconds,
            end: plan.end_seconds,
            overlap: plan.overlap_seconds,
            heardStart: decks[1].beginsAt / 44100,
            heardEnd: decks[0].nextWhen / 44100,
            entry: plan.cue_in_seconds,
            heardEntry: decks[1].timeline[0].sample / 44100,
        };
    },

    /** Album tracks in order are gapless despite crossfade; silence around tracks is skipped on request. */
    async silenceAndAlbums() {
        const album = await rendered(['cut44/1', 'cut44/2'], 13, 44100, {
            settings: { 'playback.crossfadeSeconds': 5, 'playback.skipSilence': true },
        });
        const plain = await rendered(['silent', 'toneB'], 25, 44100, {});
        const skipping = await rendered(['silent', 'toneB'], 25, 44100, { settings: { 'playback.skipSilence': true } });
        const first = skipping.samples.findIndex((value) => Math.abs(value) > 0.01) / 44100;
        const joint = skipping.decks[1].beginsAt;
        return {
            album: album.decks[1].beginsAt - album.decks[0].index.length,
            plain: plain.decks[1].beginsAt / 44100,
            first,
            skipping: joint / 44100,
            before: rms(skipping.samples, joint - 22050, joint - 4410),
            after: rms(skipping.samples, joint + 4410, joint + 22050),
        };
    },

    /** Start of the second album track after two seconds of silence, for each combination of settings. */
    async silenceInAlbums() {
        const told = {};
        for (const gapless of [true, false]) {
            for (const skipSilence of [true, false]) {
                const { decks } = await rendered(['suite/1', 'suite/2'], 11, 44100, {
                    settings: { 'playback.gapless': gapless, 'playback.skipSilence': skipSilence },
                });
                told[`${gapless ? 'gapless' : 'apart'}${skipSilence ? 'Skipping' : ''}`] = decks[1].beginsAt / 44100;
            }
        }
        return told;
    },

    /** During a crossfade, the incoming track is the current one from its start. */
    async currentDuringCrossfade() {
        const player = await playing(
            { settings: { 'playback.crossfadeSeconds': 4, 'playback.crossfadeStyle': 'always' } },
            'toneA',
            'toneB',
        );
        await until(() => player.plannedTransition);
        const planned = player.plannedTransition;
        player.seek(planned.start - 1.5);
        await until(() => player.current === track('toneB'));
        const { position, transition } = player;
        await wait(500);
        const later = player.position;
        // A seek applies to the incoming track, and the outgoing one stops.
        player.seek(5);
        await until(() => player.state === 'playing');
        return {
            planned: planned.seconds,
            position,
            moved: later - position,
            from: transition?.from.title ?? '',
            to: transition?.to.title ?? '',
            seconds: transition?.seconds ?? 0,
            decks: player.decks.length,
            sought: player.position,
            title: player.current.title,
        };
    },

    /** A mix rendered offline: all samples of both channels. */
    async mixRendering() {
        const { buffer, transition } = await rendered(['mixOut', 'mixIn'], 54, 44100, mixing());
        return {
            left: encoded(buffer.getChannelData(0)),
            right: encoded(buffer.getChannelData(1)),
            reason: transition.reason,
        };
    },

    /** How far the incoming track of a mix ends from where its position says, in samples. */
    async mixEnd() {
        const { decks } = await rendered(['mixOut', 'mixIn'], 54, Number(args[3]), mixing());
        const [, incoming] = decks;
        return { off: incoming.nextWhen - incoming.whenOf(incoming.index.length), wasMixed: incoming.mixing !== null };
    },

    /** A seek into a mix, a change of the queue and a pause in it, and its end. */
    async mixLive() {
        const plan = JSON.parse(args[2]);
        const player = await playing(mixing(), 'mixOut', 'mixIn', 'mixIn');
        await until(() => player.plannedTransition);
        player.seek(plan.start_seconds + 1);
        await until(() => player.current === track('mixIn') && player.state === 'playing');
        const mixed = player.decks.slice(0, 2);
        const { output } = player.engine;
        await wait(300);
        const { elapsed, offset: sought } = mixOffset(mixed, output.clock);
        player.queue.remove(2);
        player.queue.playNext([track('after')]);
        await wait(600);
        const { offset: queued } = mixOffset(mixed, output.clock);
        player.pause();
        await wait(300);
        await player.play();
        await wait(300);
        const { offset: resumed } = mixOffset(mixed, output.clock);
        await until(() => player.position > plan.mix.return_end_seconds + 1);
        const [from, start] = [player.position, output.clock.heard];
        await wait(1000);
        const speed = (player.position - from) / ((output.clock.heard - start) / output.clock.rate);
        const { decks } = player;
        await until(() => player.decks.length === 1 || player.plannedTransition);
        player.pause();
        return {
            sought,
            elapsed,
            queued,
            resumed,
            speed,
            decks: decks.filter((deck) => deck.isBegun).length,
            next: player.queue.after(player.queue.current).track.title,
        };
    },

    /** In the middle of a mix, the incoming song is decoded again, which takes longer than planned. */
    async mixLate() {
        const plan = JSON.parse(args[2]);
        const player = await playing(mixing(), 'mixOut', 'mixIn');
        await until(() => player.plannedTransition);
        player.seek(plan.start_seconds + 1);
        await until(() => player.current === track('mixIn') && player.state === 'playing');
        const mixed = player.decks.slice(0, 2);
        const { output, scheduler } = player.engine;
        const prepare = mixed[1].prepare;
        let count = 0;
        mixed[1].prepare = async (...given) => {
            const start = await prepare.apply(mixed[1], given);
            count++;
            await wait(600);
            return start;
        };
        await scheduler.remake();
        await wait(800);
        const { offset } = mixOffset(mixed, output.clock);
        player.pause();
        return { offset, count };
    },

    /** The next track is removed when the mix with it has been scheduled. */
    async mixRemoved() {
        const plan = JSON.parse(args[2]);
        const player = await playing(mixing(), 'mixOut', 'mixIn');
        await until(() => player.plannedTransition);
        player.seek(plan.start_seconds - 4);
        await until(() => player.decks[1]?.isBegun && player.decks[0].isLeaving);
        player.queue.remove(1);
        await until(() => player.position > plan.start_seconds + 3.5);
        const { fade, bass } = player.decks[0].gains;
        return { title: player.current.title, position: player.position, fade, bass };
    },

    /** The transition before and after a change of the speed. */
    async mixAtSpeed() {
        const plan = JSON.parse(args[2]);
        const player = await playing(mixing(), 'mixOut', 'mixIn');
        await until(() => player.plannedTransition);
        const mixedBefore = player.plannedTransition.isMix;
        player.seek(plan.start_seconds - 8);
        player.speed = 1.5;
        await until(() => player.plannedTransition);
        const { isMix: mixedAfter, kind } = player.plannedTransition;
        return { mixedBefore, mixedAfter, kind };
    },

    /**
     * The picture of a mix of 8 s of two tracks at full level: per place in seconds after the start of the mix, the numbers of pixels
     * with the colour of the outgoing track in the upper and in the lower half, and with that of the incoming one.
     */
    async mixPicture() {
        const { drawMix } = await import(`${scripts}views/playing/mix-picture.js`);
        const { Overview } = await import(`${scripts}visualizer/seek-bar/overview.js`);
        const canvas = Object.assign(document.createElement('canvas'), { width: 320, height: 88 });
        const context = canvas.getContext('2d');
        const full = new Overview(Int8Array.from({ length: 2_000 }, (_, i) => (i % 2 ? 127 : -128)), 0.1);
        const quarter = (of) => Float32Array.from({ length: 129 }, (_, i) => of((i / 128) * (Math.PI / 2)));
        const timeline = { overview: full, marks: { beats: Float64Array.of(20, 24), cueIn: null, cueOut: null } };
        drawMix(context, {
            width: 320,
            height: 88,
            mix: {
                start: 20,
                seconds: 8,
                cueIn: 12,
                fadeOut: quarter(Math.cos),
                fadeIn: quarter(Math.sin),
                curve: { entry: 12, ratio: 1, overlap: 8, back: 0 },
            },
            outgoing: timeline,
            incoming: timeline,
            heard: 6,
            colours: { outgoing: '#ff0000', incoming: '#00ff00', line: '#0000ff' },
        });
        const { data } = context.getImageData(0, 0, 320, 88);
        const count = (x, channel, from, to) => {
            let found = 0;
            for (let y = from; y < to; y++) found += data[4 * (320 * y + x) + channel] > 128 ? 1 : 0;
            return found;
        };
        // 20 pixels per second, from 4 s before the mix; bars are 2 of every 3 pixels.
        const at = (seconds) => 3 * Math.round(((seconds + 4) * 20) / 3);
        const halves = (seconds) =>
            [0, 1].flatMap((channel) => [count(at(seconds), channel, 4, 44), count(at(seconds), channel, 44, 84)]);
        return {
            before: halves(-2),
            middle: halves(4),
            after: halves(10),
            beats: [count(160, 0, 0, 3), count(170, 0, 0, 3)],
            heard: count(200, 2, 0, 88),
        };
    },

    /** User actions: pause, speed, sleep, repeat, next, stop. */
    async listening() {
        const player = await playing({}, 'long', 'other');
        await until(() => player.position > 0.3);
        player.pause();
        await wait(200);
        const held = player.position;
        await wait(400);
        const told = { drift: player.position - held, paused: player.state };
        await player.play();
        await until(() => player.position > held + 0.2);
        told.resumedBy = player.position - held;
        player.speed = 2;
        await wait(700);
        const { context } = player.output;
        const [from, at] = [player.position, context.currentTime];
        await wait(1000);
        told.speed = (player.position - from) / (context.currentTime - at);
        player.speed = 1;
        await wait(600);
        player.sleepAt(Date.now() + 400);
        await until(() => player.state === 'paused');
        told.isAsleep = player.sleepsIn === null;
        player.queue.repeat = 'one';
        await player.play();
        await until(() => player.state === 'playing');
        const tracks = player.seen.filter(({ name }) => name === 'track').length;
        player.seek(player.duration - 1);
        await until(() => player.position < 5);
        told.repeated = player.current.title;
        await until(() => player.seen.filter(({ name }) => name === 'track').length > tracks);
        player.next();
        await until(() => player.state === 'playing' && player.current === track('other'));
        told.next = player.current.title;
        player.stop();
        told.stopped = player.state;
        return told;
    },

    /** Plays the last track to its end twice, the second time with the sleep timer. */
    async endOfQueue() {
        const errors = [];
        const onError = ({ message }) => errors.push(message);
        addEventListener('error', onError);
        const player = await playing({}, 'short');
        let ends = 0;
        player.addEventListener('end', () => {
            ends += 1;
        });
        player.seek(player.duration - 1);
        await until(() => player.state === 'stopped');
        await wait(300);
        const told = { position: player.position, ends };
        await player.play();
        await until(() => player.position > 0.2);
        told.again = player.state;
        player.sleepAt('end-of-track');
        player.seek(player.duration - 1);
        await until(() => player.state === 'stopped');
        await wait(300);
        removeEventListener('error', onError);
        return { ...told, all: ends, isAsleep: player.sleep === null, errors: errors.join(' ') };
    },

    async queue() {
        const { PlayQueue } = await import(`${scripts}playback/queue/play-queue.js`);
        const queue = new PlayQueue();
        const names = () => queue.items.map(({ track }) => track).join('');
        const told = {};
        queue.playNow([...'abcdef'], 2);
        queue.playNext(['x']);
        queue.add(['y']);
        told.added = names();
        queue.move(7, 0);
        queue.remove(1);
        told.moved = names() + queue.current.track;
        queue.shuffle = true;
        told.first = queue.items[0].track;
        told.shuffled = [...names()].sort().join('');
        queue.shuffle = false;
        told.unshuffled = names() + queue.current.track;
        const orders = new Set();
        for (let i = 0; i < 40; i++) {
            queue.shuffle = true;
            orders.add(names());
            queue.shuffle = false;
        }
        told.orders = orders.size;
        queue.jump(queue.items.length - 1);
        told.end = queue.after(queue.current) === null;
        queue.repeat = 'all';
        told.again = queue.after(queue.current).track;
        queue.repeat = 'one';
        told.one = queue.after(queue.current).track;
        const undo = queue.clear();
        told.cleared = names();
        queue.add(['z']);
        undo();
        told.restored = names() + queue.current.track;
        queue.shuffle = true;
        const mixed = names();
        const undoMixed = queue.clear();
        undoMixed();
        told.isSameOrder = names() === mixed;
        queue.shuffle = false;
        told.restoredOrder = names();
        const undoLate = queue.clear();
        queue.playNow([...'no']);
        undoLate();
        told.restoredLate = names() + queue.current.track;
        return told;
    },

    /** Removes the last song of the queue while it plays, without and with repeat. */
    async removeLast() {
        const player = await playing({}, 'other', 'long');
        player.queue.jump(1);
        await until(() => player.state === 'playing' && player.current === track('long'));
        let ends = 0;
        player.addEventListener('end', () => {
            ends += 1;
        });
        player.queue.remove(1);
        await wait(1000);
        const told = { state: player.state, title: player.current.title, decks: player.decks.length, ends };
        await player.play();
        await until(() => player.state === 'playing');
        told.again = player.current.title;
        player.queue.add(['long', 'short'].map(track));
        player.queue.jump(2);
        player.queue.repeat = 'all';
        player.queue.remove(2);
        await until(() => player.state === 'playing' && player.current !== track('short'));
        told.repeated = player.current.title;
        player.queue.clear();
        player.queue.repeat = 'off';
        player.queue.remove(0);
        await wait(500);
        return { ...told, empty: player.current === null ? player.state : player.current.title };
    },

    /** Old decoded audio is dropped, and the bytes of all tracks stay within the limit. */
    async memory() {
        const player = await playing();
        for (let place = 10; place < 290; place += 20) {
            player.seek(place);
            await until(() => player.state === 'playing');
        }
        const deck = player.decks[0];
        const decoded = deck.decoded.size;
        const scheduled = deck.nodes.length;
        const { TrackBytes } = await import(`${scripts}playback/loading/track-bytes.js`);
        const bytes = new TrackBytes(deck.index);
        for (const { number, prerollByte, endByte } of deck.index.segments) {
            bytes.put(number, new Uint8Array(endByte - prerollByte));
        }
        const all = bytes.byteCount;
        bytes.shrink(all / 4, 150 * 44100);
        return {
            decoded,
            scheduled,
            all,
            left: bytes.byteCount,
            keepsPlace: bytes.has(deck.index.at(150 * 44100).number),
            timeline: deck.timeline.length,
        };
    },

    /** Plays are reported to the host. */
    async reporting() {
        const { PlayReporter } = await import(`${scripts}playback/control/play-reporter.js`);
        const { RemoteState } = await import(`${scripts}playback/control/remote-state.js`);
        const { WaitingActions } = await import(`${scripts}offline/waiting-actions.js`);
        localStorage.removeItem('listening.waiting');
        const actions = new WaitingActions(client);
        const player = makePlayer();
        new PlayReporter(player, { actions });
        const remote = new RemoteState(player, { client, appVersion: 'test' });
        remote.start();
        await until(() => remote.socket?.readyState === WebSocket.OPEN);
        // A play that cannot be sent is sent later.
        await fail({ match: '^/listening/actions', refuse: true });
        player.queue.playNow([track('short')]);
        await until(() => actions.pending.length === 1);
        const clients = await client.json('/clients');
        await fail();
        // The queue survives a reload.
        const again = new WaitingActions(client);
        await again.flush();
        await until(() => again.pending.length === 0);
        const history = await client.json('/listening/history');
        await until(() => player.state === 'stopped' || player.state === 'paused');
        remote.stop();
        const played = (history.items ?? history.plays ?? []).filter((each) =>
            (each.track_id ?? each.track?.id) === track('short').id
        );
        return { plays: played.length, clients: JSON.stringify(clients), id: track('short').id, end: player.state };
    },

    async mediaSession() {
        const { MediaSessionControls } = await import(`${scripts}playback/control/media-session.js`);
        const handlers = {};
        const original = navigator.mediaSession.setActionHandler;
        navigator.mediaSession.setActionHandler = (name, handler) => {
            handlers[name] = handler;
        };
        const player = makePlayer();
        new MediaSessionControls(player);
        navigator.mediaSession.setActionHandler = original;
        player.queue.playNow(['long', 'other'].map(track));
        await until(() => player.state === 'playing');
        const told = { title: navigator.mediaSession.metadata.title, state: navigator.mediaSession.playbackState };
        handlers.pause();
        told.paused = navigator.mediaSession.playbackState;
        handlers.play();
        handlers.seekto({ seekTime: 12 });
        await until(() => player.state === 'playing');
        told.position = player.position;
        handlers.nexttrack();
        await until(() => navigator.mediaSession.metadata.title === track('other').title);
        told.next = navigator.mediaSession.metadata.title;
        return told;
    },
};

await fail();
try {
    return await scenarios[args[0]]();
} finally {
    await fail();
    for (const player of players) player.close();
}
