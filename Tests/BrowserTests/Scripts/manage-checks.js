/** Checks of the management views in a real browser with a real host. Each returns numbers for the tests. */

const { sleep, until } = globalThis.testDoubles;
const scripts = `${location.origin}/player/scripts`;
const [{ ManageView }, { UploadTask }, { changesOf, commonValues }, { HostClient }, { HostEvents }] = await Promise.all([
    'manage/manage-view',
    'manage/uploads/upload-task',
    'manage/tags/tag-fields',
    'host/host-client',
    'host/host-events',
].map((name) => import(`${scripts}/${name}.js`)));

function opened(key, panel) {
    const element = document.body.appendChild(document.createElement('main'));
    const client = new HostClient({ key });
    const events = new HostEvents(client);
    const view = new ManageView(element, { client, events });
    view.open();
    view.show(panel);
    const close = () => {
        view.close();
        events.stop();
        element.remove();
    };
    const press = (text) => [...element.querySelectorAll('button')].find((button) => button.textContent.startsWith(text)).click();
    return { element, client, events, view, close, press };
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

    /** Tags of one and of several tracks, and of a file that was changed elsewhere. */
    async tags({ key, ids }) {
        const { element, client, view, close } = opened(key, 'tags');
        const track = async (id) => ({ id, relative_path: (await client.json('/edit-metadata', { query: { id } })).relative_path });
        const input = (name) => element.querySelector(`[name=${name}]`);
        const write = (name, value) => {
            input(name).value = value;
            input(name).dispatchEvent(new Event('input', { bubbles: true }));
        };
        const form = element.querySelector('form');
        const note = () => form.querySelector('[role=status]').textContent;
        const both = [await track(ids.one), await track(ids.two)];
        await view.editTags(both);
        const results = {
            mixed: input('artist').placeholder.length > 0 && input('artist').value === '',
            hasTitle: input('title') ? 1 : 0,
        };
        write('genre', 'Dub <i>');
        write('year', '19x');
        form.requestSubmit();
        results.refusesYear = note().includes('whole number');
        write('year', '1999');
        form.requestSubmit();
        await until(() => note().includes('2 files changed'), 'several saved');
        const tags = await Promise.all([ids.one, ids.two].map((id) => client.json('/edit-metadata', { query: { id } })));
        results.genres = tags.filter(({ genre, year }) => genre === 'Dub <i>' && year === 1999).length;
        results.artistsKept = tags[0].artist === 'First' && tags[1].artist === 'Second';
        await view.editTags(both.slice(0, 1));
        write('title', 'Renamed');
        write('genre', '');
        form.requestSubmit();
        await until(() => note() === 'Saved.', 'one saved');
        const one = await client.json('/edit-metadata', { query: { id: ids.one } });
        results.renamed = one.title === 'Renamed' && one.genre === undefined && one.year === 1999;
        // Meanwhile, another client changes the file.
        await client.json('/edit-metadata', { method: 'PATCH', body: { id: ids.one, comment: 'theirs', etag: '*' } });
        write('title', 'Mine');
        form.requestSubmit();
        await until(() => note().includes('has changed'), 'a conflict');
        results.theirs = (await client.json('/edit-metadata', { query: { id: ids.one } })).title === 'Renamed';
        close();
        return results;
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
            () => [...element.querySelectorAll('.manage-row')].some((row) => row.textContent.includes('bin.mp3')),
            'the file again',
        );
        press('Delete');
        await sleep(200);
        const asked = (await client.json('/trash')).total;
        press('Delete permanently?');
        await until(async () => (await client.json('/trash')).total === 0, 'an empty trash');
        close();
        return { back: back.is_available, asked };
    },

    /** One recording in two files: the better one is suggested, the listener keeps the other. */
    async duplicates({ key, ids }) {
        const { element, client, press, close } = opened(key, 'duplicates');
        await until(() => element.querySelector('.manage-duplicates'), 'the group');
        const rows = [...element.querySelectorAll('.manage-duplicates .manage-row')];
        const [keep, remove] = ['radio', 'checkbox'].map((type) => rows.map((row) => row.querySelector(`[type=${type}]`)));
        const keepsBest = rows[0].textContent.includes('high.mp3') && keep[0].checked && !remove[0].checked &&
            remove[0].disabled && remove[1].checked;
        keep[1].click();
        const button = [...element.querySelectorAll('button')].find(({ textContent }) => textContent === 'Move to the trash');
        const isEmpty = button.disabled;
        remove[0].click();
        const swapped = isEmpty && !button.disabled && remove[1].disabled && !remove[1].checked;
        press('Move to the trash');
        await sleep(200);
        const asked = (await client.json(`/api/tracks/${ids.high}`)).is_available;
        press('Move the ticked files?');
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
        await until(() => element.querySelectorAll('.is-good, .manage-row.is-bad').length >= 3, 'uploads');
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

    /** Fixes: previewed first, applied after confirmation. */
    async fixes({ key, ids }) {
        const { element, client, press, close } = opened(key, 'fixes');
        // The number of files the host would still fix.
        const open = async () =>
            (await client.json('/bulk-fix', {
                method: 'POST',
                body: { fixes: ['trim_white_space'], track_ids: [ids.spaced], dry_run: true },
            })).changed_count;
        const before = await open();
        press('Preview changes');
        await until(() => element.querySelector('tbody tr'), 'changes');
        await until(() => !element.querySelector('.is-danger').disabled, 'the end of the preview');
        const rows = [...element.querySelectorAll('tbody tr')].filter((row) => row.textContent.includes('spaced.mp3')).length;
        const shown = await open();
        press('Apply changes');
        await sleep(200);
        const asked = await open();
        press('Change the files?');
        await until(async () => (await open()) === 0, 'the change');
        await until(() => element.textContent.includes('changed'), 'the summary');
        const { title } = await client.json('/edit-metadata', { query: { id: ids.spaced } });
        close();
        return { rows, kept: before === 1 && shown === 1 && asked === 1, isTrimmed: title === 'Spaced out' };
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
        const row = [...element.querySelectorAll('.manage-row')].find((each) => each.textContent.includes('broken.mp3'));
        results.reason = row.querySelector('.is-bad').textContent.length > 5;
        results.ids = Object.keys(ids).length;
        close();
        return results;
    },
};
