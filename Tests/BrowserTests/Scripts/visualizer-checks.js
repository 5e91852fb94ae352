/**
 * Checks of the visualizer in a real browser. Each returns numbers for the tests.
 *
 * A check receives the host's client and the ids of its tracks.
 */

const { sleep, until } = globalThis.testDoubles;
const scripts = `${location.origin}/player/scripts`;
const [frames, live, binning, gain, viscosity, curve, oklch, sampler, sources, styles, scenes, palettes, visualizers, stores] =
    await Promise.all([
        'spectra/track-spectra',
        'spectra/live-spectra',
        'levels/point-binning',
        'levels/dynamic-gain',
        'levels/viscosity',
        'styles/curve',
        'colours/oklch',
        'colours/cover-sampler',
        'colours/colour-source',
        'styles/styles',
        'styles/scene',
        'colours/palette',
        'visualizer',
        'spectra/spectrum-store',
    ].map((name) => import(`${scripts}/visualizer/${name}.js`)));
const { CoverColours } = await import(`${scripts}/visualizer/colours/cover-colours.js`);

function canvas(width, height) {
    const element = document.createElement('canvas');
    element.width = width;
    element.height = height;
    return element.getContext('2d', { willReadFrequently: true });
}

/** Returns the alpha values of all pixels, row by row. */
function alphas(context) {
    const { data, width, height } = context.getImageData(0, 0, context.canvas.width, context.canvas.height);
    const alpha = new Uint8Array(width * height);
    for (let pixel = 0; pixel < alpha.length; pixel++) alpha[pixel] = data[4 * pixel + 3];
    return { alpha, width, height };
}

/** Returns the first row of a column above an alpha threshold; the height if all are below. */
function top({ alpha, width, height }, x, threshold = 128) {
    for (let y = 0; y < height; y++) if (alpha[y * width + x] >= threshold) return y;
    return height;
}

function scene(width, height, levels, trail = levels) {
    const made = new scenes.Scene();
    made.width = width;
    made.height = height;
    made.levels = Float32Array.from(levels);
    made.trail = Float32Array.from(trail);
    const colour = { lightness: 0.7, chroma: 0.15, hue: 260 };
    made.palette = new palettes.Palette(colour, { ...colour, hue: 320 }, 'dark');
    return made;
}

/** Creates a visualizer that draws only on request. */
function stage(parts, scope = 'full') {
    const element = document.body.appendChild(document.createElement('canvas'));
    element.style.cssText = 'display: block; width: 640px; height: 240px';
    const player = new parts.SilentPlayer();
    const settings = new parts.PlainSettings();
    settings.set(`visualizer.${scope}.points`, 64);
    const store = parts.store ?? new stores.SpectrumStore(parts.client);
    const visualizer = new visualizers.Visualizer(element, {
        player,
        settings,
        scope,
        frames: store,
        colours: new CoverColours(parts.client),
    });
    return { element, player, settings, visualizer };
}

/** Draws up to a position, on a simulated clock. */
let clock = 1e6;
function runTo({ player, visualizer }, position, seconds) {
    const count = Math.round(seconds * 60);
    for (let frame = 0; frame <= count; frame++) {
        player.position = Math.max(0, position - seconds + frame / 60);
        clock += 1000 / 60;
        visualizer.draw(clock);
    }
}

const highest = (levels) => levels.reduce((best, level, index) => (level > levels[best] ? index : best), 0);

/** Disables the page's animation loop, so that only the simulated clock runs. */
async function withMadeClock(body) {
    const request = globalThis.requestAnimationFrame;
    globalThis.requestAnimationFrame = () => 1;
    try {
        return await body();
    } finally {
        globalThis.requestAnimationFrame = request;
    }
}

export const checks = {
    /** The binary format against the JSON format of the same track. */
    async framesAsTheHostHasThem({ client, ids }) {
        const { buffer } = await client.bytes(`/tracks/${ids.tones}/visualizer?format=binary`);
        const read = frames.TrackSpectra.parse(buffer);
        const told = await client.json(`/tracks/${ids.tones}/visualizer`, { query: { format: 'json' } });
        let differing = read.frameCount === told.frames.length && read.bandCount === told.bands ? 0 : 1e9;
        told.frames.forEach((row, frame) =>
            row.forEach((level, band) => {
                if (read.levels[frame * read.bandCount + band] !== level) differing++;
            })
        );
        let refused = 0;
        for (const bad of [new ArrayBuffer(0), new ArrayBuffer(31), new ArrayBuffer(200), buffer.slice(0, buffer.byteLength - 1)]) {
            try {
                frames.TrackSpectra.parse(bad);
            } catch (error) {
                if (error.name === 'FrameFormatError') refused++;
            }
        }
        return {
            differing,
            refused,
            frames: read.frameCount,
            rate: read.framesPerSecond,
            sharesBuffer: read.levels.buffer === buffer,
        };
    },

    /** Row k contains k, so the interpolated level equals the time. */
    async framesAtATime() {
        const levels = new Uint8Array(100 * 4);
        for (let frame = 0; frame < 100; frame++) levels.fill(frame, 4 * frame, 4 * frame + 4);
        const read = new frames.TrackSpectra(levels, 4, 30);
        const target = new Float32Array(4);
        let error = 0;
        for (let step = 0; step < 330; step++) {
            const seconds = step / 100;
            read.copyInto(seconds, target);
            error = Math.max(error, Math.abs(target[3] * 255 - Math.min(99, seconds * 30)));
        }
        read.copyInto(-5, target);
        error = Math.max(error, target[0] * 255);
        read.copyInto(1e9, target);
        return { error: Math.max(error, Math.abs(target[0] * 255 - 99)) };
    },

    /** A single band raises its own point, for any number of points. */
    async bandsOnPoints() {
        let wrong = 0;
        let weakest = 1;
        for (const count of [8, 11, 16, 24, 32, 48, 64]) {
            const bins = new binning.PointBinning(64, count);
            const points = new Float32Array(count);
            for (let band = 0; band < 64; band++) {
                const bands = new Float32Array(64);
                bands[band] = 1;
                bins.apply(bands, points);
                if (highest(points) !== Math.floor((band + 0.5) * count / 64)) wrong++;
                weakest = Math.min(weakest, Math.max(...points));
            }
            bins.apply(new Float32Array(64).fill(0.5), points);
            if (points.some((level) => Math.abs(level - 0.5) > 1e-6)) wrong++;
        }
        return { wrong, weakest };
    },

    /** Progress after half a second at several frame rates, compared with 1 − e^(−t/τ). */
    async viscosityAtFrameRates() {
        let error = 0;
        for (const thickness of [0, 0.3, 0.7, 1]) {
            for (const rate of [24, 30, 60, 90, 144]) {
                for (const [from, to] of [[0, 1], [1, 0]]) {
                    const levels = Float32Array.of(from);
                    for (let step = 0; step < rate / 2; step++) viscosity.flow(Float32Array.of(to), levels, 1 / rate, thickness);
                    const way = 1 - Math.exp(-0.5 / viscosity.timeConstant(thickness, to > from));
                    error = Math.max(error, Math.abs(levels[0] - (from + (to - from) * way)));
                }
            }
        }
        return { error };
    },

    /** Heights of quiet and loud music once the gain has settled. */
    async gainFollows() {
        const heightOf = (level, sensitivity = 0.5) => {
            const follower = new gain.DynamicGain();
            const levels = new Float32Array(8);
            for (let frame = 0; frame < 60 * 40; frame++) {
                levels.fill(0.1);
                levels[0] = level;
                follower.apply(levels, 1 / 60, sensitivity);
            }
            return levels[0];
        };
        const below = (sensitivity) => {
            const follower = new gain.DynamicGain();
            const levels = new Float32Array(32).fill(0.1);
            levels[0] = 0.9;
            levels[1] = 0.7;
            follower.apply(levels, 60, sensitivity);
            return levels[1];
        };
        const nothing = new gain.DynamicGain();
        const silence = new Float32Array(8);
        for (let frame = 0; frame < 6000; frame++) nothing.apply(silence, 1 / 60, 1);
        return {
            loud: heightOf(0.98),
            soft: heightOf(0.5),
            silent: Math.max(...silence),
            little: below(0.1),
            much: below(0.9),
        };
    },

    /** A curve passes through its points. */
    async curveThroughPoints() {
        const context = canvas(400, 200);
        const xs = Float32Array.from({ length: 9 }, (_, index) => 10 + index * 47.5);
        const ys = Float32Array.from([150, 40, 160, 20, 20, 180, 100, 60, 140]);
        context.lineWidth = 3;
        context.beginPath();
        context.moveTo(xs[0], ys[0]);
        curve.traceCurve(context, xs, ys, 9);
        context.stroke();
        curve.traceCurveBack(context, xs, ys, 9);
        const { alpha, width } = alphas(context);
        let missed = 0;
        for (let index = 1; index < 8; index++) if (alpha[Math.round(ys[index]) * width + Math.round(xs[index])] < 200) missed++;
        // Through equally spaced points of a straight line, the curve is that line.
        const line = canvas(400, 200);
        for (let index = 0; index < 9; index++) ys[index] = 30 + 15 * index;
        line.lineWidth = 3;
        line.beginPath();
        line.moveTo(xs[0], ys[0]);
        curve.traceCurve(line, xs, ys, 9);
        line.stroke();
        const straight = alphas(line);
        for (let x = 12; x < 388; x++) {
            const y = Math.round(30 + 15 * (x + 0.5 - 10) / 47.5 - 0.5);
            if (straight.alpha[y * straight.width + x] < 200) missed++;
        }
        return { missed };
    },

    /** Tops of bars in pixels, for known levels. */
    async barHeights() {
        const context = canvas(640, 400);
        const levels = Array.from({ length: 16 }, (_, index) => 0.2 + 0.05 * index);
        new styles.STYLES.bar(context).draw(scene(640, 400, levels));
        const picture = alphas(context);
        // Peak caps are above the bars: skip the cap and the gap below it.
        const tops = levels.map((_, index) => {
            const x = Math.round((index + 0.5) * 40);
            let y = top(picture, x);
            while (picture.alpha[y * picture.width + x] >= 128) y++;
            while (picture.alpha[y * picture.width + x] < 128) y++;
            return y;
        });
        // Equal steps of the level are equal steps in height.
        const steps = tops.slice(1).map((y, index) => tops[index] - y);
        return { least: Math.min(...steps), most: Math.max(...steps), gaps: picture.alpha[300 * 640 + 40] };
    },

    /** The symmetric wave above and below the middle. */
    async siriSymmetry() {
        const context = canvas(600, 300);
        const picture = scene(600, 300, Array.from({ length: 24 }, (_, index) => Math.abs(Math.sin(index * 0.7))));
        new styles.STYLES.siri(context).draw(picture);
        const { alpha, width, height } = alphas(context);
        let covered = 0;
        let mirrored = 0;
        for (let y = 0; y < height / 2; y++) {
            for (let x = 0; x < width; x++) {
                const [above, below] = [alpha[y * width + x] > 0, alpha[(height - 1 - y) * width + x] > 0];
                if (above || below) covered++;
                if (above && below) mirrored++;
            }
        }
        return { covered, mirrored };
    },

    /** The wave's crest from its levels, and its shadow from the delayed levels. */
    async waveDepth() {
        const draw = (levels, trail) => {
            const context = canvas(640, 300);
            new styles.STYLES.wave(context).draw(scene(640, 300, levels, trail));
            return alphas(context);
        };
        const low = new Array(16).fill(0.2);
        const high = new Array(16).fill(0.8);
        const [both, behind] = [draw(low, low), draw(low, high)];
        // 60 % of a point and 40 % of the next: a step in the trail remains a step, one point early.
        const step = Array.from({ length: 16 }, (_, index) => (index < 8 ? 0.1 : 0.9));
        const stepped = draw(new Array(16).fill(0), step);
        return {
            crest: top(both, 320, 200),
            crestUnderDepth: top(behind, 320, 200),
            depth: top(behind, 320, 40),
            depthAlone: top(both, 320, 40),
            before: top(stepped, 60, 40),
            after: top(stepped, 580, 40),
        };
    },

    /** Thickness of the line: one thin line from side to side. */
    async lineIsThin() {
        const context = canvas(640, 300);
        new styles.STYLES.line(context).draw(
            scene(640, 300, Array.from({ length: 32 }, (_, index) => 0.5 + 0.3 * Math.sin(index / 3))),
        );
        const { alpha, width, height } = alphas(context);
        let thickest = 0;
        let thinnest = height;
        for (let x = 80; x < 560; x++) {
            let thick = 0;
            for (let y = 0; y < height; y++) if (alpha[y * width + x] > 200) thick++;
            thickest = Math.max(thickest, thick);
            thinnest = Math.min(thinnest, thick);
        }
        return { thickest, thinnest };
    },

    /** Two consecutive tones: the highest point over time, on a simulated clock. */
    async framesInTime({ ...parts }) {
        const shown = stage(parts);
        shown.settings.set('visualizer.full.viscosity', 0);
        shown.visualizer.start();
        shown.player.show({ id: parts.ids.tones, duration_seconds: 6, has_cover: false });
        await until(() => shown.visualizer.source === 'frames', 'frames');
        return withMadeClock(async () => {
            await sleep(50);
            const pointAt = (position) => {
                runTo(shown, position, 1);
                return highest(Array.from(shown.visualizer.levels));
            };
            const [low, high] = [pointAt(1.5), pointAt(4.5)];
            // The picture changes with the audio: when the high tone overtakes the low one.
            runTo(shown, 2.5, 1);
            let overtakes = null;
            for (let position = 2.5; position < 3.5 && overtakes === null; position += 1 / 240) {
                shown.player.position = position;
                clock += 1000 / 240;
                shown.visualizer.draw(clock);
                if (shown.visualizer.levels[high] > shown.visualizer.levels[low]) overtakes = position;
            }
            // Whatever the clock, a position has its picture.
            shown.player.position = 1.5;
            for (let frame = 0; frame < 60; frame++) shown.visualizer.draw(clock += 1000 / 60);
            const back = highest(Array.from(shown.visualizer.levels));
            const opaque = alphas(shown.element.getContext('2d')).alpha.filter((value) => value > 200).length;
            shown.visualizer.stop();
            const left = alphas(shown.element.getContext('2d')).alpha.filter((value) => value > 0).length;
            shown.element.remove();
            return { low, high, back, overtakes, opaque, left };
        });
    },

    /** The real player: positions of clicks in its audio, compared with where the spectra of that position rise. */
    async playedInTime({ ids, key }) {
        const [{ Player }, { HostClient }, { Settings }] = await Promise.all([
            'playback/control/player',
            'host/host-client',
            'host/settings',
        ].map((name) => import(`${scripts}/${name}.js`)));
        const client = new HostClient({ key });
        const sampleRate = 48_000;
        const context = new OfflineAudioContext(2, 6 * sampleRate, sampleRate);
        const player = new Player({ client, settings: new Settings(), context });
        const read = await new stores.SpectrumStore(client).load(ids.clicks);
        player.queue.playNow([await client.json(`/api/tracks/${ids.clicks}`)], 0);
        await until(() => player.decks[0]?.isDone, 'all of the sound');
        const [deck] = player.decks;
        clearInterval(player.timer);
        const samples = (await context.startRendering()).getChannelData(0);
        const bands = new Float32Array(read.bandCount);
        const loudness = (seconds) => {
            read.copyInto(seconds, bands);
            return bands.reduce((sum, level) => sum + level, 0) / bands.length;
        };
        const errors = [];
        for (let sample = 32, last = 0; sample < samples.length; sample++) {
            if (Math.abs(samples[sample]) < 0.1 || Math.abs(samples[sample - 32]) > 0.02) continue;
            const heard = deck.sampleAt(sample) / deck.index.rate;
            if (heard - last < 0.3) continue;
            last = heard;
            // Where the spectra rise by half, within a fifth of a second.
            const [soft, loud] = [loudness(heard - 0.15), loudness(heard + 0.05)];
            let seconds = heard - 0.15;
            while (seconds < heard + 0.2 && loudness(seconds) <= (soft + loud) / 2) seconds += 0.001;
            errors.push(Math.abs(seconds - heard));
        }
        return { count: errors.length, most: Math.max(...errors) };
    },

    /** After a track change, the picture is flat until the spectra arrive. */
    async flatAfterSkip({ ...parts }) {
        const real = new stores.SpectrumStore(parts.client);
        let release;
        const held = new Promise((resolve) => {
            release = resolve;
        });
        const store = { load: async (id) => (id === parts.ids.music ? held.then(() => real.load(id)) : real.load(id)) };
        const shown = stage({ ...parts, store });
        shown.settings.set('visualizer.full.viscosity', 0.45);
        shown.visualizer.start();
        shown.player.show({ id: parts.ids.tones, duration_seconds: 6, has_cover: false });
        await until(() => shown.visualizer.source === 'frames', 'frames');
        return withMadeClock(async () => {
            await sleep(50);
            runTo(shown, 2, 1);
            const before = Math.max(...shown.visualizer.levels);
            shown.player.show({ id: parts.ids.music, duration_seconds: 6, has_cover: false });
            runTo(shown, 1, 1);
            const waiting = Math.max(...shown.visualizer.levels);
            release();
            await until(() => shown.visualizer.source === 'frames', 'the next frames');
            runTo(shown, 2, 1);
            const after = Math.max(...shown.visualizer.levels);
            shown.player.become('paused');
            runTo(shown, 2, 2);
            const paused = Math.max(...shown.visualizer.levels);
            shown.visualizer.stop();
            shown.element.remove();
            return { before, waiting, after, paused };
        });
    },

    /** The next track's spectra are requested once the transition is planned, and used immediately at the change. */
    async nextIsPrepared({ ...parts }) {
        const real = new stores.SpectrumStore(parts.client);
        const asked = [];
        const store = {
            load: (id) => {
                asked.push(id);
                return real.load(id);
            },
        };
        const shown = stage({ ...parts, store });
        const next = { id: parts.ids.music, duration_seconds: 6, has_cover: false };
        shown.player.queue = { current: 'this', after: (item) => (item === 'this' ? { track: next } : null) };
        shown.visualizer.start();
        shown.player.show({ id: parts.ids.tones, duration_seconds: 6, has_cover: false });
        await until(() => shown.visualizer.source === 'frames', 'frames');
        shown.player.dispatchEvent(new Event('plan'));
        const isAsked = asked.includes(next.id);
        await real.load(next.id);
        shown.player.show(next);
        // Only microtasks that are already due: the next picture has the spectra.
        await Promise.resolve();
        await Promise.resolve();
        const source = shown.visualizer.source;
        shown.visualizer.stop();
        shown.element.remove();
        return { isAsked, isThere: source === 'frames' };
    },

    /** A track analysed during playback is drawn from its spectra as soon as the host announces them. */
    async framesThatCome({ ...parts }) {
        let isThere = false;
        const client = {
            bytes: async (path) => {
                if (!isThere && path.includes('visualizer')) throw Object.assign(new Error('none yet'), { kind: 'not-found' });
                return parts.client.bytes(path);
            },
        };
        const store = new stores.SpectrumStore(client);
        const events = new EventTarget();
        store.follow(events);
        const shown = stage({ ...parts, store });
        shown.visualizer.start();
        shown.player.show({ id: parts.ids.tones, duration_seconds: 6, has_cover: false });
        await sleep(100);
        const before = shown.visualizer.source;
        isThere = true;
        const notify = (id) =>
            events.dispatchEvent(new CustomEvent('message', { detail: { type: 'frames_ready', tracks: [{ track_id: id }] } }));
        notify(parts.ids.music);
        await sleep(100);
        const others = shown.visualizer.source;
        notify(parts.ids.tones);
        await until(() => shown.visualizer.source === 'frames', 'frames');
        shown.visualizer.stop();
        shown.element.remove();
        return { before: before === 'none', others: others === 'none', after: true };
    },

    /** Level of detail on machines of several speeds. */
    async pace() {
        const { Pace } = await import(`${scripts}/visualizer/pace.js`);
        /** Milliseconds between pictures on a 60 Hz screen, from the drawing time at each level. */
        const machine = (...costs) => (pace) => Math.ceil(costs[Math.min(pace.level, costs.length - 1)] / 16.7) * 16.7;
        /** Returns the number of pictures until the level changes, at most `most`. */
        const until = (pace, interval, most) => {
            for (let count = 1; count <= most; count++) if (pace.note(interval(pace))) return count;
            return most;
        };
        const run = (pace, interval, count) => {
            for (let each = 0; each < count; each++) pace.note(interval(pace, each));
            return pace.level;
        };
        const [fast, slow] = [machine(10), machine(30, 28, 22, 14)];
        const pace = new Pace();
        const lateAfter = until(pace, slow, 1000);
        const least = run(pace, slow, 60);
        const firstWait = until(pace, fast, 100_000);
        const afterWait = pace.level;
        // More detail was too much.
        until(pace, slow, 1000);
        const secondWait = until(pace, fast, 100_000);
        const verySlow = new Pace();
        until(verySlow, machine(60, 40, 14), 100);
        const few = new Pace();
        const fewLate = run(few, (_, each) => (each % 15 === 0 ? 40 : 16.7), 1000);
        const some = new Pace();
        const someLate = run(some, (each, at) => (each.level === 0 && at % 5 === 0 ? 33.4 : 16.7), 1000);
        // A browser that limits the frame rate to 30 per second whatever the drawing time, and later to 60.
        const saving = new Pace();
        const atThirty = run(saving, () => 33.4, 1000);
        const atSixty = run(saving, fast, 1000);
        const busyAgain = run(saving, slow, 500);
        return {
            lateAfter,
            least,
            firstWait,
            afterWait,
            secondWait,
            twoAtOnce: verySlow.level,
            fewLate,
            someLate,
            away: run(few, () => 5000, 100),
            atThirty,
            atSixty,
            busyAgain,
        };
    },

    /** Gradients created for pictures after each palette has been used once. */
    async paintsAreKept({ ...parts }) {
        const made = {};
        for (const style of Object.keys(styles.STYLES)) {
            const shown = stage(parts);
            shown.settings.set('visualizer.full.style', style);
            shown.settings.set('visualizer.full.colour', 'cycle');
            shown.settings.set('visualizer.full.hueSeconds', 4);
            shown.visualizer.start();
            shown.player.show({ id: parts.ids.tones, duration_seconds: 6, has_cover: false });
            await until(() => shown.visualizer.source === 'frames', 'frames');
            await withMadeClock(async () => {
                await sleep(50);
                runTo(shown, 5, 5);
                const context = shown.element.getContext('2d');
                const create = context.createLinearGradient.bind(context);
                let count = 0;
                context.createLinearGradient = (...all) => {
                    count++;
                    return create(...all);
                };
                runTo(shown, 5, 5);
                made[style] = count;
            });
            shown.visualizer.stop();
            shown.element.remove();
        }
        return made;
    },

    /** A tone of −6 dBFS through an AnalyserNode, and in the host's spectra. */
    async liveLikeFrames({ ids, client }) {
        const context = new AudioContext();
        await context.resume();
        const oscillator = new OscillatorNode(context, { frequency: 1000 });
        const half = new GainNode(context, { gain: 10 ** (-6 / 20) });
        const analyser = new AnalyserNode(context);
        const silent = new GainNode(context, { gain: 0 });
        oscillator.connect(half).connect(analyser).connect(silent).connect(context.destination);
        oscillator.start();
        const levels = new Float32Array(64);
        const reader = new live.LiveSpectra(analyser);
        await until(() => {
            reader.copyInto(levels);
            return Math.max(...levels) > 0.5;
        }, 'sound');
        await sleep(300);
        reader.copyInto(levels);
        const told = new Float32Array(64);
        frames.TrackSpectra.parse((await client.bytes(`/tracks/${ids.tone}/visualizer?format=binary`)).buffer).copyInto(2, told);
        await context.close();
        return {
            live: levels[highest(levels)],
            liveBand: highest(levels),
            frames: told[highest(told)],
            framesBand: highest(told),
        };
    },

    /** A track without spectra is drawn from the audio output. */
    async liveWithoutFrames({ ...parts }) {
        const context = new AudioContext();
        await context.resume();
        const oscillator = new OscillatorNode(context, { frequency: 1000 });
        const analyser = new AnalyserNode(context);
        oscillator.connect(analyser);
        oscillator.start();
        const shown = stage({ ...parts, store: { load: async () => null } });
        shown.player.node = analyser;
        shown.visualizer.start();
        shown.player.show({ id: 1, duration_seconds: 6, has_cover: false });
        await until(() => shown.visualizer.source === 'live', 'the sound');
        await until(() => Math.max(...shown.visualizer.levels) > 0.5, 'levels');
        const level = Math.max(...shown.visualizer.levels);
        shown.visualizer.stop();
        shown.element.remove();
        await context.close();
        return { level };
    },

    /** When it draws, and when it does not. */
    async restsUnseen({ ...parts }) {
        const [mini, full] = [stage(parts, 'mini'), stage(parts)];
        const counting = (shown) => {
            const draw = shown.visualizer.draw.bind(shown.visualizer);
            shown.visualizer.draw = (now) => {
                shown.count = (shown.count ?? 0) + 1;
                draw(now);
            };
            shown.player.show({ id: parts.ids.tones, duration_seconds: 6, has_cover: false });
            shown.visualizer.start();
        };
        const framesIn = async (shown) => {
            await sleep(150);
            shown.count = 0;
            await sleep(500);
            return shown.count;
        };
        counting(mini);
        const alone = await framesIn(mini);
        counting(full);
        const [miniBehindFull, fullOpen] = [await framesIn(mini), await framesIn(full)];
        full.visualizer.stop();
        const [miniAgain, fullClosed] = [await framesIn(mini), await framesIn(full)];
        Object.defineProperty(document, 'hidden', { value: true, configurable: true });
        document.dispatchEvent(new Event('visibilitychange'));
        const hidden = await framesIn(mini);
        delete document.hidden;
        document.dispatchEvent(new Event('visibilitychange'));
        const seenAgain = await framesIn(mini);
        mini.element.style.display = 'none';
        const notShown = await framesIn(mini);
        mini.element.style.display = 'block';
        mini.settings.set('visualizer.mini.enabled', false);
        const off = await framesIn(mini);
        mini.visualizer.stop();
        for (const shown of [mini, full]) shown.element.remove();
        return { alone, miniBehindFull, fullOpen, miniAgain, fullClosed, hidden, seenAgain, notShown, off };
    },

    /** With reduced motion, the picture does not move. */
    async stillPicture({ ...parts }) {
        const query = globalThis.matchMedia;
        globalThis.matchMedia = (
            text,
        ) => (text.includes('reduced-motion') ? Object.assign(new EventTarget(), { matches: true }) : query.call(globalThis, text));
        try {
            const shown = stage(parts);
            shown.visualizer.start();
            shown.player.show({ id: parts.ids.music, duration_seconds: 6, has_cover: false });
            await until(() => shown.visualizer.source === 'frames', 'frames');
            await sleep(300);
            const first = alphas(shown.element.getContext('2d')).alpha;
            shown.player.position = 3;
            await sleep(400);
            const second = alphas(shown.element.getContext('2d')).alpha;
            const runs = shown.visualizer.isRunning;
            const height = Math.max(...shown.visualizer.levels);
            shown.visualizer.stop();
            shown.element.remove();
            return { changed: first.filter((value, index) => value !== second[index]).length, runs, height };
        } finally {
            globalThis.matchMedia = query;
        }
    },

    /** Colour conversions, and the dominant colours of a cover. */
    async colours() {
        let error = 0;
        for (const rgb of [[255, 0, 0], [12, 200, 90], [40, 60, 220], [128, 128, 128], [250, 240, 20]]) {
            const back = oklch.rgbOf(oklch.lchOf(...rgb));
            error = Math.max(error, ...back.map((value, index) => Math.abs(value - rgb[index])));
        }
        const hue = (rgb) => oklch.lchOf(...rgb).hue;
        const picture = canvas(100, 100);
        picture.fillStyle = '#777';
        picture.fillRect(0, 0, 100, 100);
        picture.fillStyle = 'rgb(30, 60, 200)';
        picture.fillRect(0, 0, 100, 40);
        picture.fillStyle = 'rgb(220, 90, 20)';
        picture.fillRect(0, 80, 100, 20);
        const blob = await new Promise((resolve) => picture.canvas.toBlob(resolve, 'image/png'));
        const { main, accent } = await sampler.coloursOfPicture(await blob.arrayBuffer());
        const grey = sampler.dominantColours(Uint8ClampedArray.from({ length: 400 }, (_, index) => (index % 4 === 3 ? 255 : 90)));
        return {
            error,
            main: Math.abs(main.hue - hue([30, 60, 200])),
            accent: Math.abs(accent.hue - hue([220, 90, 20])),
            grey: grey.main.chroma,
        };
    },

    /** The hue after half a cycle, and custom colours. */
    async colourModes() {
        const source = new sources.ColourSource();
        source.settings = { colour: 'cycle', hueSeconds: 10, customColour: '#000000' };
        const first = source.next(0).main.hue;
        for (let step = 0; step < 300; step++) source.next(1 / 60);
        const turned = (source.next(0).main.hue - first + 360) % 360;
        // The first cycle creates each palette once, the next cycle none.
        const cycle = () => {
            const seen = new Set();
            for (let step = 0; step < 600; step++) seen.add(source.next(1 / 60));
            return seen;
        };
        const [one, two] = [cycle(), cycle()];
        source.settings = { colour: 'custom', hueSeconds: 10, customColour: '#ff0000' };
        for (let step = 0; step < 120; step++) source.next(1 / 60);
        const custom = Math.abs(source.next(0).main.hue - oklch.lchOf(255, 0, 0).hue);
        return { turned, fresh: [...two].filter((palette) => !one.has(palette)).length, palettes: one.size, custom };
    },

    /** The background is derived from the text colour in any notation, and updated when the theme changes. */
    async groundOfThemes() {
        const { Stage } = await import(`${scripts}/visualizer/stage.js`);
        const element = document.body.appendChild(document.createElement('canvas'));
        const stage = new Stage(element);
        stage.open();
        const told = ['#fff', '#111', 'oklch(0.95 0.02 280)', 'color-mix(in oklab, black 80%, white)', 'rgb(10 10 10 / 90%)'].map(
            (colour) => {
                element.style.color = colour;
                return stage.ground;
            },
        );
        let news = 0;
        stage.addEventListener('visibility', () => {
            news++;
        });
        await sleep(100);
        news = 0;
        document.documentElement.dataset.theme = 'light';
        await sleep(50);
        stage.close();
        document.documentElement.dataset.theme = 'dark';
        await sleep(50);
        delete document.documentElement.dataset.theme;
        element.remove();
        return { isRight: told.join() === 'dark,light,dark,light,light', news };
    },

    /** Invalid settings are replaced by defaults. */
    async badSettings({ ...parts }) {
        const { lookOf } = await import(`${scripts}/visualizer/visualizer-settings.js`);
        const { SETTINGS } = await import(`${scripts}/host/settings-table.js`);
        const settings = new parts.PlainSettings();
        const bad = {
            style: 'toString',
            points: 1e9,
            sensitivity: 'x',
            viscosity: -3,
            colour: null,
            hueSeconds: NaN,
            customColour: 'red; x',
        };
        for (const [name, value] of Object.entries(bad)) settings.set(`visualizer.mini.${name}`, value);
        const look = lookOf(settings, 'mini');
        return {
            points: look.points,
            viscosity: look.viscosity,
            styles: Object.keys(styles.STYLES).filter((name) => SETTINGS['visualizer.mini.style'].allows(name)).length,
            asUsual: ['style', 'sensitivity', 'colour', 'hueSeconds', 'customColour'].every((name) =>
                look[name] === SETTINGS[`visualizer.mini.${name}`].initial
            ),
        };
    },
};
