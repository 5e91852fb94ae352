// Export and import of settings with the page's own controls.

const group = (title) => one(`.settings-group[aria-label="${title}"]`);
const labelled = (title, label) => group(title).querySelector(`[aria-label="${label}"]`);
const choose = (title, label, name) => labelled(title, label).querySelector(`[data-name="${name}"]`).click();
const flip = (title, label) => labelled(title, label).click();
const slide = (title, label, value) => {
    const slider = labelled(title, label);
    slider.value = value;
    slider.dispatchEvent(new Event('input', { bubbles: true }));
};
const button = (text) => [...group('Backup').querySelectorAll('button')].find((each) => each.textContent === text);
/** The stored settings, and some of the values shown. */
const state = () => ({
    kept: JSON.stringify(Object.entries(JSON.parse(localStorage.getItem('settings') ?? '{}')).sort()),
    shown: JSON.stringify({
        theme: labelled('Appearance', 'Theme').querySelector('[aria-checked=true]').dataset.name,
        crossfade: labelled('Playback', 'Crossfade').checked,
        target: labelled('Playback', 'Target loudness').value,
        style: labelled('Visualizer, full player', 'Style').querySelector('[aria-checked=true]').dataset.name,
        points: labelled('Visualizer, full player', 'Points').value,
        colour: labelled('Visualizer, mini player', 'Custom colour').value,
        scheme: document.documentElement.dataset.theme ?? '',
        speed: one('.player-bar, .bar')?.textContent ?? '',
    }),
});
const take = (text) => {
    const data = new DataTransfer();
    data.items.add(new File([text], 'some.json', { type: 'application/json' }));
    const input = group('Backup').querySelector('input[type=file]');
    for (const note of all('.toast')) note.remove();
    input.files = data.files;
    input.dispatchEvent(new Event('change'));
    return until('the notification', () => one('.toast')?.textContent);
};

const api = async (key, path, method = 'GET', body = undefined) => {
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
    const answer = await fetch(path, { method, headers, body: body && JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return answer.status === 204 ? null : await answer.json();
};
const tracksOf = async (key) => Object.fromEntries((await api(key, '/api/tracks')).items.map(({ id, title }) => [title, id]));
const starredTracks = async (key) =>
    (await api(key, '/listening/tracks?list=starred')).items.map(({ title, listening }) => `${title} ${listening.rating ?? 0}`)
        .sort();
/** The playlists of the host with their songs, in the order of their names. */
const playlistTexts = async (key) => {
    const texts = [];
    for (const { id, name } of (await api(key, '/api/playlists')).items) {
        const list = await api(key, `/api/playlists/${id}`);
        texts.push(`${name}: ${list.rules ? 'rules' : list.entries.items.map(({ track }) => track.title).join(', ')}`);
    }
    return texts.sort().join(' | ');
};
/** Makes two stars of songs, one of an artist, a rating, a playlist and a smart one. */
const prepare = async (key) => {
    const ids = await tracksOf(key);
    const [{ id: artist }] = (await api(key, '/api/artists')).items;
    await api(key, `/listening/tracks/${ids['Song 2']}`, 'PATCH', { is_starred: true, rating: 4 });
    await api(key, `/listening/tracks/${ids['Song 1']}`, 'PATCH', { is_starred: true });
    await api(key, `/listening/artists/${artist}`, 'PATCH', { is_starred: true });
    await api(key, '/api/playlists', 'POST', { name: 'Good ones', track_ids: [ids['Song 3'], ids['Song 1'], ids['Song 3']] });
    await api(key, '/api/playlists', 'POST', { name: 'Rated', rules: { all: [{ gt: { rating: 3 } }] } });
};

const checks = {
    async chosen(key) {
        await prepare(key);
        await signIn(key);
        location.hash = '/settings';
        await until('the settings', () => group('Backup'));
        // The lists are read when the page connects.
        await until('the playlists', () => all('.nav-list').length === 2);
        choose('Appearance', 'Theme', 'dark');
        flip('Playback', 'Crossfade');
        slide('Playback', 'Target loudness', '-20');
        slide('Playback', 'Speed', '1.25');
        choose('Visualizer, full player', 'Style', 'siri');
        slide('Visualizer, full player', 'Points', '48');
        choose('Visualizer, mini player', 'Colour', 'custom');
        labelled('Visualizer, mini player', 'Custom colour').value = '#00ff80';
        labelled('Visualizer, mini player', 'Custom colour').dispatchEvent(new Event('input', { bubbles: true }));
        button('Export').click();
        return { ...state(), version: one('#about-version').textContent };
    },
    async changed() {
        choose('Appearance', 'Theme', 'light');
        flip('Playback', 'Crossfade');
        flip('Playback', 'Gapless');
        slide('Playback', 'Target loudness', '-14');
        choose('Visualizer, full player', 'Style', 'bar');
        slide('Visualizer, full player', 'Points', '9');
        return state();
    },
    async imported(key, text) {
        // Such a file is too large for a command line.
        const said = await take(text === 'large' ? ' '.repeat(2 ** 26 + 1) : text);
        return { said, ...state() };
    },
    /** An export and an import that begin before the library has been read. */
    async early() {
        const { makeBackup, restoreBackup } = await import('/player/scripts/offline/backup.js');
        const app = () => {
            const sent = [];
            const [trackById, albumById, artistById] = [new Map(), new Map(), new Map()];
            const catalogue = {
                ...{ tracks: [], albums: [], artists: [], trackById, albumById, artistById },
                tracksAmong: async () => catalogue.tracks,
                async sync() {
                    await new Promise((resolve) => setTimeout(resolve));
                    const track = { id: 1, audio_hash: 'a', relative_path: 'a.mp3', title: 'A', artist: 'B' };
                    catalogue.tracks = [track];
                    catalogue.trackById = new Map([[1, track]]);
                },
            };
            const favourites = {
                async refresh() {},
                isStarred: () => false,
                states: (kind) => kind === 'tracks' ? [{ id: 1, isStarred: true, rating: 0 }] : [],
            };
            return {
                catalogue,
                favourites,
                sent,
                connection: {},
                settings: { all: () => ({}) },
                playlists: { async refresh() {}, all: [] },
                client: { json: async (path, { body }) => sent.push(...body.actions) },
            };
        };
        const backup = await makeBackup(app());
        const other = app();
        const done = await restoreBackup(other, {
            settings: {},
            favourites: { tracks: [{ audio_hash: 'a', relative_path: 'a.mp3', starred: true }], albums: [], artists: [] },
            playlists: [],
        });
        return {
            exported: backup.favourites.tracks.map(({ title }) => title).join(),
            restored: `${done.favourites} ${done.missing} ${other.sent.map(({ action }) => action)}`,
        };
    },
    /** Two readings of playlists and of favourites, of which the first is answered last. */
    async overtaken() {
        const { Playlists } = await import('/player/scripts/library/playlists.js');
        const answers = [];
        const playlists = new Playlists({ json: () => new Promise((resolve) => answers.push(resolve)) });
        const readings = [playlists.refresh(), playlists.refresh()];
        answers[1]({ items: [{ name: 'newer' }] });
        await readings[1];
        answers[0]({ items: [{ name: 'older' }] });
        await readings[0];
        const { Favourites } = await import('/player/scripts/library/favourites.js');
        const kept = new Map();
        const storage = {
            getItem: (key) => kept.get(key) ?? null,
            setItem: (key, text) => kept.set(key, text),
            removeItem: (key) => kept.delete(key),
        };
        const waiting = [];
        const client = { answer: (path, { query }) => new Promise((resolve) => waiting.push({ path, query, resolve })) };
        const favourites = new Favourites(client, { send() {}, pending: [] }, storage);
        const both = [favourites.refresh(), favourites.refresh()];
        const six = waiting.splice(0);
        const answer = (asked, starred, tag) => {
            for (const { path, query, resolve } of asked) {
                const isIt = starred && path.endsWith('tracks') && query.list === 'starred';
                const items = isIt ? [{ id: 1, listening: { is_starred: true } }] : [];
                resolve({ value: { items, total: items.length }, tag, isCurrent: false });
            }
        };
        answer(six.slice(6), false, '"2"');
        await both[1];
        answer(six.slice(0, 6), true, '"1"');
        await both[0];
        const stored = JSON.parse(kept.get('listening.states'));
        return {
            shown: playlists.all[0].name,
            starred: String(favourites.isStarred('tracks', 1)),
            stored: `${stored.tag} ${stored.states.tracks.length}`,
        };
    },
    /** Restores the lists into an emptied account, twice, and with changes. */
    async lists(key, text) {
        const ids = await tracksOf(key);
        const [{ id: artist }] = (await api(key, '/api/artists')).items;
        for (const id of Object.values(ids)) {
            await api(key, `/listening/tracks/${id}`, 'PATCH', { is_starred: false, rating: null });
        }
        await api(key, `/listening/artists/${artist}`, 'PATCH', { is_starred: false });
        for (const { id } of (await api(key, '/api/playlists')).items) await api(key, `/api/playlists/${id}`, 'DELETE');
        await until('the page to know', () => all('.nav-list').length === 0);
        const seen = { restored: await take(text) };
        await until(
            `the stars after “${seen.restored}”`,
            async () => (await starredTracks(key)).join(', ') === 'Song 1 0, Song 2 4',
        );
        seen.stars = (await starredTracks(key)).join(', ');
        seen.artist = String(
            await until('the artist', async () => (await api(key, '/listening/artists?list=starred')).items.length === 1),
        );
        seen.names = await playlistTexts(key);
        seen.again = await take(text);
        const lists = (await api(key, '/api/playlists')).items;
        const good = lists.find(({ name }) => name === 'Good ones');
        await api(key, `/api/playlists/${good.id}`, 'PATCH', { name: 'Old' });
        await api(key, `/api/playlists/${good.id}`, 'DELETE');
        await api(key, '/api/playlists', 'POST', { name: 'Good ones', track_ids: [ids['Song 1']] });
        await until('the page to know', async () => all('.nav-list').length === 2);
        const changed = JSON.parse(text);
        changed.favourites.tracks.push({ audio_hash: '0'.repeat(32), relative_path: 'gone.mp3', starred: true });
        // Found by its audio, wherever the file is.
        changed.favourites.tracks[0].relative_path = 'moved.mp3';
        changed.favourites.albums.push({ title: 'Album', artist: 'Artist', rating: 5 });
        seen.changed = await take(JSON.stringify(changed));
        seen.changedNames = await playlistTexts(key);
        changed.favourites.tracks[0].rating = 9;
        seen.badRating = await take(JSON.stringify(changed));
        const other = JSON.parse(text);
        other.playlists.find(({ name }) => name === 'Good ones').name = 'Never made';
        other.playlists.splice(1, 0, { name: 'Bad', tracks: [1] });
        seen.badPlaylist = await take(JSON.stringify(other));
        seen.afterBad = await playlistTexts(key);
        return seen;
    },
    /** Settings whose rule forbids their initial value. */
    async rules() {
        const { SETTINGS } = await import('/player/scripts/host/settings-table.js');
        const settings = Object.entries(SETTINGS);
        return {
            count: String(settings.length),
            forbidden: settings.filter(([, { initial, allows }]) => !allows(initial)).map(([key]) => key).join(),
            polluted: String({}.polluted),
        };
    },
};
