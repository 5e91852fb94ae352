// Checks of managing the library in the real page.

const button = (text) => all('button').find((each) => each.checkVisibility() && each.textContent === text);
const panel = () => one('[role=tabpanel]')?.id;
const go = async (path, selector) => {
    location.hash = path;
    return await until(`${path} shows ${selector}`, () => location.hash.startsWith(`#${path}`) && one(selector));
};
const rowOf = (title) => all('.track-row').find((row) => row.textContent.includes(title));

const checks = {
    async begin(key) {
        await signIn(key);
        return {};
    },

    /** The address names the tab, in both directions. */
    async tabs() {
        await go('/manage', '#manage-status');
        const first = location.hash;
        all('[role=tab]').find((tab) => tab.textContent === 'Fixes').click();
        const second = [location.hash, panel()];
        history.back();
        await until('the first tab again', () => panel() === 'manage-status');
        const third = location.hash;
        await go('/manage/trash', '#manage-trash');
        location.hash = '/manage/unknown';
        await until('the shown tab in the address', () => location.hash === '#/manage/trash');
        return { tabs: [first, ...second, third, location.hash] };
    },

    /** Tags are edited in a sheet over the album, and several at once over the list of songs. */
    async sheet() {
        await go('/albums', '.cards .card a');
        await go(one('.cards .card a').getAttribute('href').slice(1), '.page.album .track-row');
        const path = location.hash;
        const row = await until('the row', () => rowOf('First song'));
        row.dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, cancelable: true, clientX: 50, clientY: 50 }));
        (await until('the item', () => all('.menu-item').find((each) => each.textContent === 'Edit tags…'))).click();
        const title = await until('the form', () => one('dialog.is-tags [name=title]'));
        title.value = 'Renamed song';
        title.dispatchEvent(new Event('input', { bubbles: true }));
        title.form.requestSubmit();
        await until('the new title', () => !one('dialog.is-tags') && rowOf('Renamed song'));
        const isThere = location.hash === path;
        (await until('the offer', () => all('.toast button').find((each) => each.textContent === 'Undo'))).click();
        await until('the old title', () => rowOf('First song') && !rowOf('Renamed song'));

        await go('/manage/tags', '.manage-tags .track-row');
        const isOff = button('Edit tags…').disabled;
        for (const name of ['First song', 'Second song']) {
            rowOf(name).dispatchEvent(new MouseEvent('click', { bubbles: true, ctrlKey: true }));
        }
        button('Edit tags…').click();
        await until('the form of two', () => one('dialog.is-tags [name=artist]'));
        const heading = one('dialog.is-tags h2').textContent;
        one('dialog.is-tags').close();
        return { isThere, isOff, heading };
    },

    /** An empty library offers to upload. */
    async empty() {
        const upload = await until('the offer', () => button('Upload music'));
        upload.click();
        await until('the tab', () => one('#manage-upload .manage-drop'));
        return { path: location.hash };
    },
};
