/** Checks of the seek bar in a real browser. Each returns numbers for the tests. */

const { sleep, until, useStyle } = globalThis.testDoubles;
const scripts = `${location.origin}/player/scripts/visualizer`;
const [{ SeekBar }, { Overview }, { Scrub }, marks, { spokenTime, clockText }] = await Promise.all(
    ['seek-bar', 'overview', 'scrub', 'track-marks', 'time-text'].map((name) => import(`${scripts}/seek-bar/${name}.js`)),
);

await useStyle('seek-bar');

/** Shows a bar of 600 pixels on a black background. */
async function shown({ SilentPlayer, client, ids }, before = () => {}) {
    const element = document.body.appendChild(document.createElement('div'));
    element.style.cssText = 'width: 600px; height: 60px; position: fixed; left: 100px; top: 300px; color: rgb(255, 255, 255);' +
        '--seek-played: rgb(0, 255, 0); --seek-mark: rgb(255, 0, 0)';
    const player = new SilentPlayer();
    before(player);
    const bar = new SeekBar(element, { player, client });
    const track = await client.json(`/api/tracks/${ids.steps}`);
    player.show(track, 'paused');
    const canvas = element.querySelector('canvas');
    await until(() => canvas.width > 0 && sum(pixels(canvas, 0, 600), 3) > 600 * 255 * 3, 'the outline');
    return { element, player, bar, track, canvas };
}

function pixels(canvas, from, to) {
    const scale = canvas.width / 600;
    return canvas.getContext('2d').getImageData(from * scale, 0, (to - from) * scale, canvas.height).data;
}

const sum = (data, channel) => {
    let total = 0;
    for (let index = channel; index < data.length; index += 4) total += data[index];
    return total;
};

/** Waits for two animation frames, so that requested changes have been drawn. */
const drawn = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
const point = (element, type, x, y, more = {}) =>
    element.dispatchEvent(
        new PointerEvent(type, {
            clientX: x,
            clientY: y,
            pointerId: 1,
            button: 0,
            bubbles: true,
            cancelable: true,
            ...more,
        }),
    );
const press = (element, key, more = {}) =>
    element.dispatchEvent(
        new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...more }),
    );

export const checks = {
    /** The waveform against the host's JSON, for a track whose first half is quiet. */
    async outline({ client, ids }) {
        const { buffer } = await client.bytes(`/tracks/${ids.steps}/waveform?format=dat`);
        const overview = Overview.parse(buffer);
        const told = await client.json(`/tracks/${ids.steps}/waveform`);
        const differing = told.data.filter((value, index) => value !== overview.extremes[index]).length;
        const { duration_seconds: duration } = await client.json(`/api/tracks/${ids.steps}`);
        const bars = overview.bars(100, duration);
        const mean = (from, to) => bars.slice(from, to).reduce((total, value) => total + value, 0) / (to - from);
        return {
            differing,
            pixels: overview.pixelCount - told.length,
            soft: mean(5, 45),
            loud: mean(55, 95),
            refused: [new ArrayBuffer(3), buffer.slice(0, 100), new ArrayBuffer(64)].filter((bad) => Overview.parse(bad) === null)
                .length,
        };
    },

    /** Brightness of the played, buffered and remaining parts. */
    async parts(parts) {
        const { element, player, canvas, track, bar } = await shown(parts);
        player.position = track.duration_seconds / 2;
        player.buffered = [[0, track.duration_seconds * 0.75]];
        player.dispatchEvent(new Event('buffer'));
        await drawn();
        // In the loud half, inside and after the buffered part; equal widths.
        const [loaded, rest] = [pixels(canvas, 340, 420), pixels(canvas, 500, 580)];
        const played = pixels(canvas, 20, 280);
        player.position = track.duration_seconds;
        player.dispatchEvent(new Event('position'));
        await drawn();
        const all = pixels(canvas, 340, 580);
        bar.close();
        element.remove();
        return {
            greenPlayed: sum(played, 1),
            redPlayed: sum(played, 0),
            loaded: sum(loaded, 3),
            rest: sum(rest, 3),
            redLoaded: sum(loaded, 0),
            greenAtEnd: sum(all, 1),
            redAtEnd: sum(all, 0),
        };
    },

    /** Position of the crossfade mark. */
    async crossfade(parts) {
        const { element, player, canvas, track, bar } = await shown(parts);
        const red = (from, to) => {
            const data = pixels(canvas, from, to);
            return sum(data, 0) - sum(data, 1);
        };
        const [before, elsewhere] = [red(450, 600), red(300, 440)];
        const other = { id: 99 };
        player.plan(track, other, { kind: 'overlap', start: track.duration_seconds * 0.75, exit: track.duration_seconds });
        player.dispatchEvent(new Event('plan'));
        await drawn();
        const result = { before, marked: red(450, 600), elsewhere: red(300, 440) - elsewhere };
        player.plan(track, other, { kind: 'cut', start: 9, exit: 9 });
        player.dispatchEvent(new Event('plan'));
        await drawn();
        result.cut = red(450, 600);
        // On the incoming track, it is at the start.
        player.position = track.duration_seconds / 8;
        player.transition = player.transitionBetween(other, track, {
            kind: 'overlap',
            start: 1234,
            exit: 1234 + track.duration_seconds / 4,
        });
        player.dispatchEvent(new Event('transition'));
        await drawn();
        Object.assign(result, { incoming: red(0, 150), incomingEnd: red(450, 600) });
        bar.close();
        element.remove();
        return result;
    },

    /** Stand-ins must not have members that the real classes lack: the code under test would use something that does not exist. */
    async testDoubles({ strayMembers }) {
        const stray = await strayMembers();
        if (stray.length > 0) throw new Error(`members that the real classes lack: ${stray.join(', ')}`);
        return { stray: stray.length };
    },

    /** Beats shown at several zoom levels. */
    async beats() {
        const beats = Float64Array.from({ length: 240 }, (_, index) => index / 2);
        return {
            wide: marks.beatStride(beats, 12),
            half: marks.beatStride(beats, 6),
            narrow: marks.beatStride(beats, 1.5),
            none: marks.beatStride(new Float64Array(1), 5),
            cueIn: marks.marksOf({ duration_seconds: 60, cue_in_seconds: 2, cue_out_seconds: 59.9 }).cueIn,
            cueOut: marks.marksOf({ duration_seconds: 60, cue_in_seconds: 2, cue_out_seconds: 59.9 }).cueOut === null,
        };
    },

    /** Keys of the slider. */
    async keys(parts) {
        const { element, player, track, bar } = await shown(parts);
        const after = (key, more) => {
            const isTaken = !press(element, key, more);
            return isTaken ? player.position : -1;
        };
        player.position = 3;
        const results = {
            right: after('ArrowRight'),
            left: after('ArrowLeft'),
            fine: after('ArrowRight', { shiftKey: true }),
            pageUp: after('PageUp') - track.duration_seconds,
            home: after('Home'),
            end: after('End') - track.duration_seconds,
            other: after('x'),
            withControl: after('ArrowRight', { ctrlKey: true }),
        };
        player.seek(1);
        results.now = Number(element.getAttribute('aria-valuenow'));
        results.most = Number(element.getAttribute('aria-valuemax')) - Math.floor(track.duration_seconds);
        results.isSlider = element.getAttribute('role') === 'slider' && element.tabIndex === 0 &&
            !!element.getAttribute('aria-label');
        results.said = spokenTime(3725) === '1 hour 2 minutes 5 seconds' && clockText(3725) === '1:02:05' &&
            clockText(59.99) === '0:59';
        bar.close();
        element.remove();
        return results;
    },

    /** Pointers: a press seeks, dragging away from the bar is slower, Escape cancels. */
    async pointers(parts) {
        const { element, player, track, bar } = await shown(parts);
        // Synthetic pointers cannot be captured.
        element.setPointerCapture = element.releasePointerCapture = () => {};
        element.hasPointerCapture = () => false;
        const perPixel = track.duration_seconds / 600;
        const told = [];
        bar.addEventListener('scrub', (event) => told.push(event.detail.seconds));
        point(element, 'pointerdown', 250, 330);
        point(element, 'pointerup', 250, 330);
        const pressed = player.position / perPixel;
        point(element, 'pointerdown', 200, 330);
        point(element, 'pointermove', 300, 330);
        point(element, 'pointermove', 300, 470);
        point(element, 'pointermove', 340, 470);
        const unchanged = player.position / perPixel;
        const during = bar.position / perPixel;
        const text = element.querySelector('.seek-bar-bubble').textContent;
        point(element, 'pointerup', 340, 470);
        const dragged = player.position / perPixel;
        point(element, 'pointerdown', 500, 330);
        press(element, 'Escape');
        point(element, 'pointerup', 500, 330);
        const escaped = player.position / perPixel;
        const seeks = player.soughtTo.length;
        const scrub = new Scrub(0, 100, 100);
        scrub.move(1e6, 0);
        const most = scrub.position;
        scrub.move(-1e9, 500);
        bar.close();
        element.remove();
        return {
            pressed,
            unchanged,
            during,
            dragged,
            escaped,
            seeks,
            most,
            least: scrub.position,
            speed: scrub.speed,
            saysSpeed: text.includes('Quarter speed'),
            endTold: told.filter((seconds) => seconds === null).length,
        };
    },

    /** Nothing is drawn while nothing changes. */
    async rests(parts) {
        const { element, player, bar, canvas } = await shown(parts);
        const context = canvas.getContext('2d');
        let count = 0;
        const clear = context.clearRect.bind(context);
        context.clearRect = (...box) => {
            count++;
            clear(...box);
        };
        // The stage reports its size and visibility once more after the first drawing; a bar that draws without a change never
        // becomes quiet.
        let quiet = 0;
        for (let wait = 0; wait < 100 && quiet < 4; wait++) {
            count = 0;
            await sleep(100);
            quiet = count === 0 ? quiet + 1 : 0;
        }
        const paused = count;
        count = 0;
        player.become('playing');
        await sleep(100);
        const still = count;
        count = 0;
        for (let step = 1; step <= 5; step++) {
            player.position = step;
            await drawn();
        }
        const moving = count;
        bar.close();
        element.remove();
        return { paused, still, moving };
    },
};
