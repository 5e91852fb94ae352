// The track table: plays, the order of columns, dragging rows, damaged files. Run one after the other in one page.

const press = (element, name, options = {}) =>
    element.dispatchEvent(new KeyboardEvent('keydown', { key: name, bubbles: true, cancelable: true, ...options }));
const show = async (path, selector) => {
    location.hash = path;
    return until(`${path} shows ${selector}`, () => location.hash === `#${path}` && one(`.content ${selector}`));
};
/** A row of the page of all songs: other pages have tables, too. */
const SONGS = '[aria-label="Songs"].page .is-table .track-row';
const heads = () => all('.track-head-cell').map((each) => each.dataset.column);
const head = (name) => one(`.track-head-cell[data-column="${name}"]`);
const rows = () => all('.content .track-row').sort((a, b) => a.dataset.index - b.dataset.index);
const titles = () => rows().map((each) => each.querySelector('.track-title').textContent);
const cells = (name) => rows().map((each) => each.children[heads().indexOf(name) + 1].textContent);
const choose = async (label) => {
    const item = await until(`a menu with ${label}`, () => all('.menu-item').find((each) => each.textContent === label));
    item.click();
};
const button = (label, within = '.content') => all(`${within} button`).find((each) => each.textContent === label);
const post = (path, key, body) =>
    fetch(path, {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    });
const play = (key, path, count, at = Date.now() / 1000 - 3600) =>
    post('/listening/actions', key, {
        actions: Array.from({ length: count }, (_, index) => ({ action: 'play', relative_path: path, at: at - 1000 * index })),
    });
const queue = () =>
    all('.queue-row').sort((a, b) => a.dataset.index - b.dataset.index).map((each) =>
        each.querySelector('.track-title').textContent
    );
const get = async (path, key) => (await fetch(path, { headers: { Authorization: `Bearer ${key}` } })).json();
const countRequests = () =>
    performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('/listening/play-counts')).length;
const pointer = (target, type, x, y) =>
    target.dispatchEvent(
        new PointerEvent(type, { bubbles: true, cancelable: true, pointerId: 1, clientX: x, clientY: y, button: 0 }),
    );
const middle = (element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    return [left + width / 2, top + height / 2];
};
/** Drags rows to an element, as the browser does. @returns what was seen meanwhile */
const drag = async (row, target) => {
    const dataTransfer = new DataTransfer();
    const tell = (element, type, options = {}) =>
        element.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer, ...options }));
    tell(row, 'dragstart');
    const image = one('.drag-image')?.textContent;
    await until('the targets', () => document.body.classList.contains('is-dragging-tracks'));
    const outline = getComputedStyle(target).outlineStyle;
    const isTaken = !tell(target, 'dragover');
    const isMarked = target.classList.contains('is-drop');
    tell(target, 'drop');
    tell(row, 'dragend');
    return { image, outline, isTaken, isMarked, isEnded: !document.body.classList.contains('is-dragging-tracks') };
};
const select = (...indexes) => {
    for (const index of indexes) {
        one(`.content .track-row[data-index="${index}"]`).dispatchEvent(new MouseEvent('click', { bubbles: true, ctrlKey: true }));
    }
};

const checks = {
    async plays(key) {
        await play(key, 'long/2.mp3', 3);
        await play(key, 'long/5.mp3', 1);
        await signIn(key);
        await until('the library', () => one('.card'));
        const before = countRequests();
        await show('/songs', SONGS);
        await until('all songs', () => rows().length === 18);
        const isHidden = !heads().includes('plays');
        one('[aria-label="Choose columns"]').click();
        await choose('Plays');
        const place = heads().indexOf('plays') - heads().indexOf('album');
        await until('the counts', () => cells('plays').includes('3'));
        const asked = countRequests() - before;
        head('plays').querySelector('button').click();
        head('plays').querySelector('button').click();
        const most = titles().slice(0, 2);
        const shown = cells('plays').filter(Boolean);
        // Another client plays.
        await play(key, 'long/5.mp3', 4, Date.now() / 1000);
        await until('the new order', () => titles()[0] === 'Long 5');
        return { isHidden, place, asked, most, shown, after: cells('plays').filter(Boolean), askedAgain: countRequests() - before };
    },

    async order() {
        await show('/songs', SONGS);
        head('plays').querySelector('button').click();
        one('[aria-label="Choose columns"]').click();
        await choose('Reset columns');
        const initial = heads();
        // The year is dragged before the artist: first over the head, then to the left half of the artist's.
        const [x, y] = middle(head('year'));
        const { left } = head('artist').getBoundingClientRect();
        const year = head('year');
        year.setPointerCapture = () => {};
        pointer(year, 'pointerdown', x, y);
        pointer(year, 'pointermove', x - 3, y);
        const early = all('.track-drop').length;
        pointer(year, 'pointermove', left + 5, y);
        const line = all('.track-drop').length;
        pointer(year, 'pointerup', left + 5, y);
        const dragged = heads();
        // A drag that ends where it began does not sort.
        const tempo = head('bpm');
        const [tempoX] = middle(tempo);
        tempo.setPointerCapture = () => {};
        pointer(tempo, 'pointerdown', tempoX, y);
        pointer(tempo, 'pointermove', tempoX - 10, y);
        pointer(tempo, 'pointermove', tempoX, y);
        pointer(tempo, 'pointerup', tempoX, y);
        head('bpm').querySelector('button').click();
        const isUnsorted = !one('.sort-mark');
        // From the next task on, clicks count again.
        await new Promise((resolve) => setTimeout(resolve));
        const aligned = Math.abs(
            head('year').getBoundingClientRect().left -
                rows()[0].children[heads().indexOf('year') + 1].getBoundingClientRect().left,
        );
        // By keyboard, with the focus on the same column.
        head('key').querySelector('button').focus();
        press(document.activeElement, 'ArrowLeft', { altKey: true, shiftKey: true });
        const byKey = heads();
        const hasFocus = document.activeElement === head('key').querySelector('button');
        const said = one('.track-head [role=status]').textContent;
        // From the menu of the columns, and from that of a column.
        one('[aria-label="Choose columns"]').click();
        await choose('Move a column');
        await choose('Title');
        await choose('Move right');
        const byMenu = heads();
        head('duration').dispatchEvent(
            new MouseEvent('contextmenu', { bubbles: true, cancelable: true, clientX: 50, clientY: 50 }),
        );
        await choose('Move left');
        const byOwnMenu = heads();
        await show('/albums', '.cards .card');
        await show('/songs', SONGS);
        const kept = heads();
        await show('/favourites', 'h1');
        return { initial, early, line, dragged, isUnsorted, aligned, byKey, hasFocus, said, byMenu, byOwnMenu, kept };
    },

    /** After a reload. */
    async keptOrder() {
        await until('the library', () => one('.shell'));
        await show('/songs', SONGS);
        const kept = heads();
        // A column before the title grows to the right.
        const before = kept[0];
        const width = () => head(before).getBoundingClientRect().width;
        const narrow = width();
        const resizer = head(before).querySelector('.track-resizer');
        resizer.setPointerCapture = () => {};
        const [x, y] = middle(resizer);
        pointer(resizer, 'pointerdown', x, y);
        pointer(resizer, 'pointermove', x + 20, y);
        pointer(resizer, 'pointerup', x + 20, y);
        const wider = width() - narrow;
        one('[aria-label="Choose columns"]').click();
        await choose('Reset columns');
        return { kept, before, wider };
    },

    async rowsToQueue() {
        await show('/songs', SONGS);
        const isDraggable = rows()[0].draggable;
        select(1, 3);
        const wanted = [titles()[1], titles()[3]];
        // Dragging one of the selected rows drags all of them; another one is dragged by itself.
        const both = await drag(rows()[3], one('.side .nav-link[href="#/queue"]'));
        wanted.push(titles()[5]);
        const single = await drag(rows()[5], one('.player-bar'));
        await show('/queue', '.queue-row');
        await until('the queue', () => queue().length === 3);
        return { isDraggable, wanted, queue: queue(), both, single };
    },

    async rowsToPlaylist(key) {
        await post('/api/playlists', key, { name: 'Mine' });
        await post('/api/playlists', key, { name: 'Clever', rules: { all: [{ is: { genre: 'Folk' } }] } });
        await until('the playlists', () => all('.nav-list').length === 2);
        const entry = (name) => all('.nav-list').find((each) => each.textContent === name);
        // From an album, all selected songs.
        await show('/albums', '.cards .card');
        location.hash = all('.cards .card').find((each) => each.querySelector('.card-title').textContent === 'Four')
            .querySelector('a').getAttribute('href');
        await until('the album', () => titles().length === 4 && titles()[0] === 'Four 1');
        select(0, 2);
        const mine = await drag(rows()[2], entry('Mine'));
        const idOf = async (name) => (await get('/api/playlists', key)).items.find((each) => each.name === name).id;
        const songs = async (name) =>
            (await get(`/api/playlists/${await idOf(name)}`, key)).entries.items.map((each) => each.track.title);
        await until('the playlist', async () => (await songs('Mine')).length === 2);
        // From an artist.
        await show('/artists', '.cards .card');
        location.hash = all('.cards .card').find((each) => each.querySelector('.card-title').textContent === 'Bo')
            .querySelector('a').getAttribute('href');
        await until('the artist', () => one('.page.artist h1')?.textContent === 'Bo' && titles().includes('Bo 1'));
        await drag(rows().find((each) => each.getAttribute('aria-label').startsWith('Bo 1')), entry('Mine'));
        await until('the third one', async () => (await songs('Mine')).length === 3);
        // The songs of a smart playlist follow from its rules.
        const clever = await drag(rows()[0], entry('Clever'));
        // A new playlist.
        await drag(rows()[0], one('.side .nav-link[href="#/playlists"]'));
        const input = await until('the name', () => one('dialog .field'));
        input.value = 'New one';
        input.form.requestSubmit();
        await until('it is gone', () => !one('dialog'));
        await until('the new playlist', () => entry('New one'));
        // The menu offers the same playlists.
        rows()[0].dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, cancelable: true, clientX: 50, clientY: 50 }));
        await choose('Add to playlist');
        const offered = all('.menu-item').map((each) => each.textContent);
        press(one('.menu'), 'Escape');
        return { mine, songs: await songs('Mine'), fresh: await songs('New one'), clever, offered };
    },

    async damaged() {
        await show('/songs', SONGS);
        button('Filter').click();
        const box = all('.filter-bar .check').find((each) => each.textContent === 'Damaged files only').querySelector('input');
        box.click();
        const shown = await until('the filter', () => (rows().length === 1 ? titles() : null));
        const text = one('.page-text').textContent;
        button('Save as smart playlist').click();
        await until('the count', () => one('.rule-count')?.textContent.startsWith('1 song'));
        const rule = [one('.rule-field').value, one('.rule-operator').value, one('.rule-value .field').value];
        return { shown, text, rule };
    },
};
