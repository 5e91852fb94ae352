/** Checks of the lyrics view in a real browser. Each returns numbers for the tests. */

const { sleep, until, useStyle } = globalThis.testDoubles;
const scripts = `${location.origin}/player/scripts/lyrics`;
const [{ LyricsView }, { TimedLyrics, sungPart }] = await Promise.all(
    ['lyrics-view', 'timed-lyrics'].map((name) => import(`${scripts}/${name}.js`)),
);

await useStyle('lyrics');

async function shown({ SilentPlayer, client, ids }, name = 'sung') {
    const element = document.body.appendChild(document.createElement('div'));
    element.style.cssText = 'width: 500px; height: 300px';
    const player = new SilentPlayer();
    const view = new LyricsView(element, { player, client });
    player.show({ id: ids[name], duration_seconds: 20 });
    await until(
        () => element.querySelector('.lyrics-line') || element.querySelector('.lyrics-note').textContent.includes('no lyrics'),
        'lyrics',
    );
    const close = () => {
        view.close();
        element.remove();
    };
    const at = async (seconds) => {
        player.position = seconds;
        player.dispatchEvent(new Event('position'));
        await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    };
    const sung = () => element.querySelector('.is-sung');
    return { element, player, view, close, at, sung };
}

const part = (word) => Number(getComputedStyle(word).getPropertyValue('--sung') || 0);

export const checks = {
    /** The line at a time, searched from every position. */
    async lineOfATime() {
        const given = Array.from({ length: 50 }, (_, index) => ({ start_seconds: 1 + 2 * index, text: `${index}` }));
        const lyrics = new TimedLyrics({ is_synced: true, lines: given });
        let wrong = 0;
        for (let tenth = 0; tenth < 1100; tenth++) {
            const expected = Math.min(49, Math.floor((tenth / 10 - 1) / 2 + 1e-9));
            for (const hint of [-1, 0, 7, 49, 1000]) if (lyrics.lineAt(tenth / 10, hint) !== (tenth < 10 ? -1 : expected)) wrong++;
        }
        const word = { start: 2, end: 4, text: 'x' };
        return { wrong, before: sungPart(word, 1), half: sungPart(word, 3), after: sungPart(word, 9) };
    },

    /** Highlighted lines and words. */
    async lights(parts) {
        const { element, at, sung, close } = await shown(parts);
        await at(0.5);
        const early = sung() ? 1 : 0;
        await at(2.5);
        const words = [...sung().querySelectorAll('.lyrics-word')];
        const results = {
            early,
            first: sung().textContent === 'One two three',
            done: part(words[0]),
            half: part(words[1]),
            open: part(words[2]),
            current: element.querySelectorAll('[aria-current]').length,
        };
        await at(8.2);
        results.third = sung().textContent === 'Second verse';
        await at(2.1);
        results.back = sung().textContent === 'One two three';
        // Text must not be parsed as HTML.
        results.markup = element.querySelectorAll('script, b').length;
        results.asText = element.textContent.includes('<b>not bold</b>');
        close();
        return results;
    },

    /** Following stops when the user scrolls, and starts again on request. */
    async scrolls(parts) {
        const { element, at, sung, close } = await shown(parts);
        const scroller = element.querySelector('.lyrics-scroller');
        const away = () => {
            const [box, line] = [scroller.getBoundingClientRect(), sung().getBoundingClientRect()];
            return Math.abs((line.top + line.bottom) / 2 - (box.top + box.height * 0.4));
        };
        await at(2);
        await at(16.5);
        await until(() => away() < 5, 'the line in the middle');
        const followed = away();
        scroller.dispatchEvent(new WheelEvent('wheel', { deltaY: -50, bubbles: true }));
        scroller.scrollTop = 0;
        await at(4.5);
        await at(16.5);
        await sleep(600);
        const held = scroller.scrollTop;
        const button = element.querySelector('.lyrics-follow');
        const isOffered = !button.hidden;
        button.click();
        await until(() => away() < 5, 'the line in the middle again');
        close();
        return { followed, held, isOffered, isGone: button.hidden };
    },

    /** Tapping a line seeks to it. */
    async taps(parts) {
        const { element, player, close } = await shown(parts);
        element.querySelectorAll('.lyrics-line')[2].click();
        const sought = player.position;
        close();
        return { sought };
    },

    /** The buttons change the offset, and the host saves it. */
    async offset(parts) {
        const { element, player, view, at, sung, close } = await shown(parts);
        const [earlier, later] = element.querySelectorAll('.lyrics-step');
        later.click();
        later.click();
        later.click();
        earlier.click();
        const unsaved = view.unsavedSeconds;
        // The first line starts at 1 s, and now 0.2 s later.
        await at(1.1);
        const before = sung() ? 1 : 0;
        await at(1.25);
        const after = sung() ? 1 : 0;
        await until(() => view.unsavedSeconds === 0, 'the offset to be saved');
        const kept = await parts.client.json(`/tracks/${parts.ids.sung}/lyrics`);
        // Tap to sync: the second line is sung at 6.7 s.
        element.querySelector('.lyrics-sync').click();
        player.position = 6.7;
        element.querySelectorAll('.lyrics-line')[1].click();
        await until(() => view.unsavedSeconds !== 0, 'a tap');
        await until(() => view.unsavedSeconds === 0, 'the offset to be saved');
        const again = await parts.client.json(`/tracks/${parts.ids.sung}/lyrics`);
        const text = element.querySelector('.lyrics-offset').textContent;
        close();
        return {
            unsaved,
            before,
            after,
            offset: kept.offset_seconds,
            start: kept.lines[0].start_seconds,
            secondStart: again.lines[1].start_seconds,
            finalOffset: again.offset_seconds,
            saysSaved: text.includes('saved'),
        };
    },

    /** Unsynced lyrics are shown as text, and a track without lyrics shows a note. */
    async others(parts) {
        const plain = await shown(parts, 'plain');
        const results = {
            plainLines: plain.element.querySelectorAll('p.lyrics-line').length,
            plainButtons: plain.element.querySelectorAll('button.lyrics-line').length,
            toolsHidden: plain.element.querySelector('.lyrics-tools').hidden,
        };
        plain.close();
        const none = await shown(parts, 'none');
        results.none = !none.element.querySelector('.lyrics-note').hidden;
        none.close();
        return results;
    },
};
