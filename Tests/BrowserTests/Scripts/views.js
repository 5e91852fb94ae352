// The views of the page, for checks that visit all of them; prepended to those scripts.

const VIEWS = [
    '/',
    '/albums',
    '/albums/1',
    '/artists',
    '/artists/1',
    '/songs',
    '/playlists',
    '/smart-playlists/new',
    '/genres',
    '/decades',
    '/decades/1990',
    '/map',
    '/similar/1',
    '/favourites',
    '/downloads',
    '/search',
    '/queue',
    '/radio',
    '/jukebox',
    '/settings',
    '/manage/status',
    '/manage/analysis',
    '/manage/upload',
    '/manage/tags',
    '/manage/fixes',
    '/manage/duplicates',
    '/manage/trash',
    '/accounts',
    '/apps',
    '/scrobbling',
    '/shares',
];

/** Shows a view, and waits until it has loaded. */
async function visit(path) {
    location.hash = path;
    await until(
        path,
        () => location.hash === `#${path}` && one('.content').firstElementChild && !one('.content [aria-busy=true]'),
    );
    for (let each = 0; each < 10; each++) await new Promise((resolve) => requestAnimationFrame(resolve));
    await until(`${path} has loaded`, () => !one('.content [aria-busy=true]'));
}
