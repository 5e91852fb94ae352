// Pages that lead to other music: an artist, decades, and what was interrupted. Run one after the other in one page.

const show = async (path, selector) => {
    location.hash = path;
    return until(`${path} shows ${selector}`, () => location.hash === `#${path}` && one(`.content ${selector}`));
};
const post = (path, key, body) =>
    fetch(path, {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    });
const cardTitles = (element) => [...(element?.querySelectorAll('.card-title') ?? [])].map((each) => each.textContent);
const shelf = (title) => all('.content .shelf').find((each) => each.querySelector('h2').textContent === title);
const list = (label) => one(`.content [aria-label="${label}"]`);
const rowTitles = (label) =>
    [...(list(label)?.querySelectorAll('.track-row') ?? [])].sort((a, b) => a.dataset.index - b.dataset.index)
        .map((each) => each.querySelector('.track-title').textContent);

const checks = {
    async enter(key) {
        await signIn(key);
        await until('the library', () => one('.card'));
        return {};
    },

    async artist(key) {
        await show('/artists', '.cards .card');
        location.hash = all('.cards .card').find((each) => each.querySelector('.card-title').textContent === 'Ada')
            .querySelector('a').getAttribute('href');
        await until('the artist', () => one('.page.artist h1')?.textContent === 'Ada');
        const hadTop = Boolean(list('Top songs by Ada'));
        await until('similar artists', () => shelf('Similar artists'));
        const at = Date.now() / 1000;
        const plays = (path, count) =>
            Array.from({ length: count }, (_, index) => ({ action: 'play', relative_path: path, at: at - 90_000 - 500 * index }));
        await post('/listening/actions', key, {
            actions: [
                ...plays('long/2.mp3', 2),
                ...plays('long/5.mp3', 4),
                { action: 'rate', relative_path: 'four/1.mp3', rating: 5 },
                { action: 'rate', relative_path: 'long/7.mp3', rating: 3 },
                { action: 'rate', relative_path: 'bo/1.mp3', rating: 5 },
            ],
        });
        await until('top songs', () => rowTitles('Top songs by Ada').length === 4);
        return {
            hadTop,
            top: rowTitles('Top songs by Ada'),
            albums: cardTitles(list('Albums by Ada')),
            singles: cardTitles(shelf('Singles and EPs')),
            appearsOn: cardTitles(shelf('Appears on')),
            similar: cardTitles(shelf('Similar artists')),
            radio: all('.hero-actions button').filter((each) => each.textContent === 'Start radio').length,
            heads: all('.content .track-head').filter((each) => each.checkVisibility()).length,
        };
    },

    async decades() {
        await show('/albums', '.cards .card');
        all('.page-actions button').find((each) => each.textContent === 'Decades').click();
        await until('the decades', () => one('.content .tile'));
        const tiles = all('.content .tile').map((each) =>
            `${each.querySelector('.tile-title').textContent}: ${each.querySelector('.tile-text').textContent}`
        );
        all('.content .tile').find((each) => each.textContent.startsWith('1990s')).click();
        await until('the decade', () => one('.content h1')?.textContent === '1990s' && one('.cards .card'));
        const albums = cardTitles(one('.content .cards'));
        const texts = all('.content .cards .card-text').map((each) => each.textContent);
        const choose = (year) => {
            const field = one('.page-actions select');
            field.value = year;
            field.dispatchEvent(new Event('change', { bubbles: true }));
        };
        choose('1998');
        await until('the year', () => all('.content .cards .card').length === 1);
        const year = cardTitles(one('.content .cards'));
        const lead = one('.content .page-text').textContent;
        choose('1991');
        const none = await until('no albums', () => one('.content .empty')?.textContent);
        return { tiles, albums, texts, year, lead, none };
    },

    async interrupted(key) {
        const at = Date.now() / 1000;
        await post('/listening/actions', key, {
            actions: [
                // Two songs of the album one after the other, and then no more.
                { action: 'play', relative_path: 'long/3.mp3', at: at - 600 },
                { action: 'play', relative_path: 'long/4.mp3', at: at - 592 },
                // This one was played to its end.
                { action: 'play', relative_path: 'four/3.mp3', at: at - 400 },
                { action: 'play', relative_path: 'four/4.mp3', at: at - 392 },
                // A single song is no album.
                { action: 'play', relative_path: 'later/1.mp3', at: at - 300 },
            ],
        });
        await show('/', '.page.home');
        const found = await until('the shelf', () => shelf('Continue listening'));
        const albums = cardTitles(found);
        const texts = [...found.querySelectorAll('.card-text')].map((each) => each.textContent);
        found.querySelector('.card-play').click();
        await until('it plays', () => one('.play-button').getAttribute('aria-label') === 'Pause');
        return { albums, texts, title: one('.bar-title').textContent };
    },
};
