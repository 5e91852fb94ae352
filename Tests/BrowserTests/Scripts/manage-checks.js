/** Checks of the management views in a real browser with a real host. Each returns numbers for the tests. */

const { sleep, until } = globalThis.testDoubles;
const scripts = `${location.origin}/player/scripts`;
const [
    { ManageView },
    { UploadTask },
    { changesOf, commonValues },
    { changeText, visibleEnds },
    { EditHistory },
    { editText },
    { showTagSheet },
    { HostClient },
    { HostEvents },
] = await Promise.all([
    'manage/manage-view',
    'manage/uploads/upload-task',
    'manage/tags/tag-fields',
    'manage/fixes/fix-text',
    'manage/tags/edit-history',
    'manage/edit-text',
    'manage/tags/tag-sheet',
    'host/host-client',
    'host/host-events',
].map((name) => import(`${scripts}/${name}.js`)));

function opened(key, panel) {
    const element = document.body.appendChild(document.createElement('main'));
    const client = new HostClient({ key });
    const events = new HostEvents(client);
    const edits = new EditHistory(client);
    // The tab of tags is checked in the real page.
    const view = new ManageView(element, { client, events, history: edits, songs: null });
    view.open();
    view.show(panel);
    const close = () => {
        view.close();
        events.stop();
        element.remove();
    };
    const press = (text) => [...element.querySelectorAll('button')].find((button) => button.textContent.startsWith(text)).click();
    return { element, client, events, edits, view, close, press };
}

/** The button of the open dialog with a text. */
const inDialog = (text) => [...document.querySelectorAll('dialog[open] button')].find((button) => button.textContent === text);

/** Confirms the question of the open dialog. */
async function confirm(text) {
    await until(() => inDialog(text), `the question with ${text}`);
    inDialog(text).click();
}

const bytesOf = async (client, id) => (await client.bytes(`/api/files/${id}/stream`)).buffer;

export const checks = {
    /** The status panel against the host's API. */
    async status({ key }) {
        const { element, client, close } = opened(key, 'status');
        await until(() => element.textContent.includes('stream-host') || element.textContent.includes('Tracks'), 'facts');
        const health = await client.json('/health');
        const facts = new Map([...element.querySelectorAll('dt')].map((term) => [term.textContent, term.nextSibling.textContent]));
        const isHidden = !element.textContent.includes(key);
        [...element.querySelectorAll('button')].find((button) => button.textContent === 'Show').click();
        const isShown = element.textContent.includes(key);
        const nobody = element.textContent.includes('No clients connected');
        const tabs = [...element.querySelectorAll('[role=tab]')];
        tabs[0].focus();
        tabs[0].dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true }));
        const moved = document.activeElement === tabs[1] && tabs[1].getAttribute('aria-selected') === 'true';
        close();
        return { tracks: Number(facts.get('Tracks')) - health.track_count, isHidden, isShown, moved, nobody };
    },

    /** Tags of one and of several tracks, of a file that was changed elsewhere, and undoing edits. */
    async tags({ key, ids }) {
        const client = new HostClient({ key });
        const edits = new EditHistory(client);
        const tagsOf = (id) => client.json('/edit-metadata', { query: { id } });
        const sheet = () => document.querySelector('dialog.is-tags');
        const input = (name) => sheet().querySelector(`[name=${name}]`);
        const write = (name, value) => {
            input(name).value = value;
            input(name).dispatchEvent(new Event('input', { bubbles: true }));
        };
        const save = () => sheet().querySelector('form').requestSubmit();
        const note = () => sheet().querySelector('.tag-note').textContent;
        const edit = (...chosen) => showTagSheet({ client, history: edits }, chosen.map((id) => ({ id })));
        const closed = () =>
            until(() => !sheet(), 'the sheet to close').catch((error) => {
                throw new Error(`${error.message}; it says: ${sheet()?.textContent}`);
            });
        await edit(ids.one, ids.two);
        const results = {
            mixed: input('artist').placeholder === '2 values: First, Second' && input('artist').value === '',
            offered: sheet().querySelectorAll('datalist[id=tag-values-artist] option').length,
            hasTitle: input('title') ? 1 : 0,
        };
        write('genre', 'Dub <i>');
        write('year', '19x');
        save();
        results.refusesYear = note().includes('whole number');
        write('year', '1999');
        save();
        await closed();
        const tags = await Promise.all([ids.one, ids.two].map(tagsOf));
        results.genres = tags.filter(({ genre, year }) => genre === 'Dub <i>' && year === 1999).length;
        results.artistsKept = tags[0].artist === 'First' && tags[1].artist === 'Second';
        await edit(ids.one);
        write('title', 'Renamed');
        write('genre', '');
        save();
        await closed();
        const one = await tagsOf(ids.one);
        results.renamed = one.title === 'Renamed' && one.genre === undefined && one.year === 1999;
        // Both edits are undone, the later one first: only then is the file in the state of the earlier one.
        const latest = (await edits.list(2)).items;
        results.named = latest.map(editText).join(' | ') === 'Title, Genre | Year, Genre';
        const { total } = await edits.list(1);
        for (const each of [0, 1]) {
            const undone = await edits.undo(latest[each].edit_id);
            results[`restored${each}`] = undone.restored;
        }
        const back = await Promise.all([ids.one, ids.two].map(tagsOf));
        results.isBack = back[0].title === 'One' && back.every(({ genre, year }) => genre === undefined && year === undefined);
        results.edits = total - (await edits.list(1)).total;
        // Meanwhile, another client changes the file.
        await edit(ids.one);
        await client.json('/edit-metadata', { method: 'PATCH', body: { id: ids.one, comment: 'theirs', etag: '*' } });
        write('title', 'Mine');
        save();
        await until(() => sheet().textContent.includes('has changed in the meantime'), 'a conflict');
        results.theirs = (await tagsOf(ids.one)).title === 'One';
        sheet().close();
        await closed();
        // An edit is not undone over later changes.
        await edit(ids.one);
        write('title', 'Later');
        save();
        await closed();
        await client.json('/edit-metadata', { method: 'PATCH', body: { id: ids.one, title: 'Theirs', etag: '*' } });
        const [, { edit_id: last }] = (await edits.list(2)).items;
        results.failed = (await edits.undo(last)).failed;
        results.untouched = (await tagsOf(ids.one)).title === 'Theirs';
        const [, kept] = (await edits.list(2)).items;
        results.reason = kept.files[0].failure_code === 'state_differs';
        await edits.forget(last);
        results.isForgotten = (await edits.list(100)).items.every(({ edit_id }) => edit_id !== last);
        await client.json('/edit-metadata', { method: 'PATCH', body: { id: ids.one, title: 'One', etag: '*' } });
        return results;
    },

    /** How fixes are described. */
    async fixTexts() {
        const album = changeText({ fix: 'split_compilations', field: 'is_compilation', before: 'false', after: 'true' });
        return {
            visible: visibleEnds(' \ta b\u00a0') === '␣⇥a b␣',
            compilation: album.before === 'not part of a compilation' && album.after === 'part of a compilation',
            artist: changeText({ fix: 'missing_album_artist', field: 'album_artist', after: 'A' }).label === 'Album artist',
        };
    },

    /** The changes made in a form. */
    async changes() {
        const before = commonValues([{ title: 'A', year: 2000, genre: 'x' }, { title: 'A', year: 2001, genre: 'x' }]);
        const same = changesOf(before, { title: 'A ', genre: 'x' }).changes;
        const some = changesOf(before, { title: 'B', year: '', genre: '' }).changes;
        return {
            nothing: Object.keys(same).length,
            title: some.title === 'B',
            yearRemoved: some.year === null,
            genreRemoved: some.genre === null,
            wrong: changesOf(before, { year: '-1' }).wrong === 'year',
        };
    },

    /** Deleting and restoring a file. */
    async trash({ key, ids }) {
        const { element, client, press, view, close } = opened(key, 'trash');
        await client.json(`/tracks/${ids.bin}`, { method: 'DELETE' });
        view.show('status');
        view.show('trash');
        await until(() => element.textContent.includes('bin.mp3'), 'the file in the trash');
        press('Restore');
        await until(() => element.textContent.includes('restored'), 'the restored file');
        const back = await client.json(`/api/tracks/${ids.bin}`);
        await client.json(`/tracks/${ids.bin}`, { method: 'DELETE' });
        view.show('status');
        view.show('trash');
        await until(
            () => [...element.querySelectorAll('.setting')].some((row) => row.textContent.includes('bin.mp3')),
            'the file again',
        );
        press('Delete');
        await until(() => inDialog('Delete'), 'the question');
        const asked = (await client.json('/trash')).total;
        await confirm('Delete');
        await until(async () => (await client.json('/trash')).total === 0, 'an empty trash');
        close();
        return { back: back.is_available, asked };
    },

    /** One recording in two files: the better one is suggested, the listener keeps the other. */
    async duplicates({ key, ids }) {
        const { element, client, press, close } = opened(key, 'duplicates');
        await until(() => element.querySelector('.manage-duplicates'), 'the group');
        const rows = [...element.querySelectorAll('.manage-duplicates .setting')];
        const [keep, remove] = ['radio', 'checkbox'].map((type) => rows.map((row) => row.querySelector(`[type=${type}]`)));
        const keepsBest = rows[0].textContent.includes('high.mp3') && keep[0].checked && !remove[0].checked &&
            remove[0].disabled && remove[1].checked;
        keep[1].click();
        const button = [...element.querySelectorAll('button')].find(({ textContent }) => textContent === 'Move to trash…');
        const isEmpty = button.disabled;
        remove[0].click();
        const swapped = isEmpty && !button.disabled && remove[1].disabled && !remove[1].checked;
        press('Move to trash…');
        await until(() => inDialog('Move to trash'), 'the question');
        const asked = (await client.json(`/api/tracks/${ids.high}`)).is_available;
        await confirm('Move to trash');
        await until(() => element.textContent.includes('1 file moved'), 'the removal');
        const isMoved = (await client.json('/trash')).items.some(({ relative_path }) => relative_path === 'high.mp3');
        const groups = element.querySelectorAll('.manage-duplicates').length + 1;
        await client.json('/trash', { method: 'DELETE' });
        close();
        return { groups, keepsBest, swapped, asked, isMoved };
    },

    /** Uploads: duplicates, files that are not music, other files, and a lost connection. */
    async uploads({ key, ids }) {
        const { element, client, close } = opened(key, 'upload');
        const [known, fresh] = [await bytesOf(client, ids.one), await bytesOf(client, ids.large)];
        await client.json(`/tracks/${ids.large}`, { method: 'DELETE' });
        await client.json('/trash', { method: 'DELETE' });
        const dataTransfer = new DataTransfer();
        for (
            const [content, name] of [
                [known, 'known.mp3'],
                ['no music', 'text.mp3'],
                ['no music', 'text.flac'],
                ['x', 'cover.jpg'],
            ]
        ) {
            dataTransfer.items.add(new File([content], name));
        }
        const place = element.querySelector('.manage-drop');
        place.dispatchEvent(new DragEvent('dragover', { dataTransfer, bubbles: true, cancelable: true }));
        const isOver = place.classList.contains('is-over');
        place.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
        await until(() => element.querySelectorAll('.is-good, .setting small.is-bad').length >= 3, 'uploads');
        const text = element.textContent;
        const results = {
            duplicate: text.includes('duplicate'),
            refused: text.includes('failed'),
            flac: text.includes('text.flac'),
            leftOut: text.includes('1 file skipped (not music or zip)'),
            isOver,
        };
        // The connection is lost during the second part.
        let puts = 0;
        const shaky = {
            json: (...all) => client.json(...all),
            fetch: (path, init) => {
                puts++;
                if (puts === 2) return Promise.reject(Object.assign(new Error('Cannot reach the host.'), { kind: 'offline' }));
                return client.fetch(path, init);
            },
        };
        const task = new UploadTask(shaky, new File([fresh], 'large.mp3'));
        const seen = [];
        task.addEventListener('change', () => seen.push([task.state, task.sent]));
        await task.run();
        results.state = task.state;
        results.isDone = task.state === 'done' && task.report.stored_count === 1;
        results.puts = puts;
        results.paused = seen.filter(([state]) => state === 'paused').length;
        results.steps = new Set(seen.map(([, sent]) => sent)).size;
        results.size = fresh.byteLength;
        const back = await bytesOf(client, task.report.files[0].track_id);
        const [a, b] = [new Uint8Array(fresh), new Uint8Array(back)];
        results.differing = a.length === b.length ? a.findIndex((value, index) => value !== b[index]) + 1 : -1;
        // A cancelled upload is discarded by the host.
        const left = new UploadTask({
            json: (...all) => client.json(...all),
            fetch: () => new Promise(() => {}),
        }, new File([known], 'never.mp3'));
        left.run();
        await until(() => left.state === 'checking', 'a running upload');
        left.cancel();
        results.cancelled = left.state === 'cancelled';
        close();
        return results;
    },

    /** Fixes: previewed first, chosen by row, applied after confirmation, and undone. */
    async fixes({ key, ids }) {
        const { element, client, edits, press, view, close } = opened(key, 'fixes');
        const titleOf = async (id) => (await client.json('/edit-metadata', { query: { id } })).title;
        // The number of files the host would still fix.
        const open = async (...chosen) =>
            (await client.json('/bulk-fix', {
                method: 'POST',
                body: { fixes: ['trim_white_space'], track_ids: chosen, dry_run: true },
            })).changed_count;
        const rows = (name) => [...element.querySelectorAll('.fix-row')].filter((row) => row.textContent.includes(name));
        const apply = () => [...element.querySelectorAll('button')].find((button) => button.textContent.startsWith('Apply'));
        const before = await open(ids.spaced, ids.padded);
        press('Preview changes');
        await until(() => rows('spaced.mp3').length && rows('padded.mp3').length && !apply().disabled, 'changes');
        const results = {
            rows: rows('spaced.mp3').length,
            isVisible: rows('spaced.mp3')[0].textContent.includes('Title: ␣Spaced out␣␣ → Spaced out'),
        };
        // The other file is left out.
        for (const each of element.querySelectorAll('[aria-label^="Select none"]')) each.click();
        results.isNothing = apply().disabled;
        rows('spaced.mp3')[0].querySelector('input').click();
        results.isOne = apply().textContent === 'Apply to 1 file';
        rows('mix/1.mp3')[0].querySelector('input').click();
        const shown = await open(ids.spaced, ids.padded);
        apply().click();
        await until(() => inDialog('Apply'), 'the question');
        const asked = await open(ids.spaced, ids.padded);
        await confirm('Apply');
        await until(() => element.textContent.includes('2 files changed.'), 'the summary');
        results.kept = before === 2 && shown === 2 && asked === 2;
        results.isTrimmed = (await titleOf(ids.spaced)) === 'Spaced out';
        results.isLeft = await open(ids.padded);
        const albumOf = async () => await client.json('/edit-metadata', { query: { id: ids['mix/1'] } });
        results.isUnited = (await albumOf()).album_artist === 'Various Artists';
        const { total } = await edits.list(1);
        view.show('trash');
        await until(() => /Fixes: [^,]+mix\/1\.mp3/.test(element.textContent), 'the edit in the trash');
        press('Undo');
        await until(async () => (await edits.list(1)).total === total - 1, 'the end of the undoing');
        results.isUndone = (await albumOf()).album_artist === undefined && (await titleOf(ids.spaced)) === 'Spaced out';
        await until(() => !/Fixes: [^,]+mix\/1\.mp3/.test(element.textContent), 'the shorter list');
        close();
        return results;
    },

    /** Analysis: a job from start to end by the host's events, and failures with their reasons. */
    async analysis({ key, ids }) {
        const { element, client, events, press, close } = opened(key, 'analysis');
        events.start();
        await until(() => events.isOpen, 'the channel');
        press('Analyse all again');
        await until(() => element.textContent.includes('done: '), 'a finished job');
        const results = {
            isDone: /done: \d+ of \d+ file/.test(element.textContent),
            live: element.textContent.includes('since you opened this page'),
        };
        // A file that is not audio: the host reports why.
        await client.json('/visualizer/precompute', { method: 'POST', body: { relative_path: 'broken.mp3', force: true } }).catch(
            () => {},
        );
        await until(() => element.textContent.includes('broken.mp3'), 'a failure');
        const row = [...element.querySelectorAll('.setting')].find((each) => each.textContent.includes('broken.mp3'));
        results.reason = row.querySelector('.is-bad').textContent.length > 5;
        results.ids = Object.keys(ids).length;
        close();
        return results;
    },
};
