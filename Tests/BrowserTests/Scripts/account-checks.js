// Accounts, their rights and what they share, with the page's own controls.

const button = (text, within = document) => [...within.querySelectorAll('button')].find((each) => each.textContent === text);
const rows = () => all('.settings-box [role=listitem]').map((each) => each.querySelector('.setting-name').textContent);
const entry = (text) => all('.menu-item').find((each) => each.textContent === text);

/** Opens the menu of the first song in the list of songs, and returns its entries. */
async function songMenu() {
    location.hash = '/songs';
    const row = await until('a song', () => one('.track-row'));
    row.dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, cancelable: true, clientX: 200, clientY: 200 }));
    await until('the menu', () => one('.menu'));
    const labels = all('.menu-item').map((each) => each.textContent);
    document.querySelector('.menu').dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
    return labels;
}

const checks = {
    /** An owner creates an account and changes its role. */
    async created(key) {
        await signIn(key);
        const menu = await songMenu();
        location.hash = '/settings';
        (await until('the settings', () => button('Manage…'))).click();
        const name = await until('the form', () => one('#new-account-name'));
        await until('the own account', () => rows().length === 1);
        const fill = () => {
            name.value = 'Anna <i>';
            one('#new-account-password').value = 'correct horse';
            name.form.requestSubmit();
        };
        fill();
        await until('the account', () => rows().length === 2);
        // Once more: the name is taken.
        for (const note of all('.toast')) note.remove();
        fill();
        const refusal = await until('the refusal', () => one('.toast:last-child')?.textContent);
        name.form.reset();
        const role = one('[aria-label="Role of Anna <i>"]');
        role.value = 'editor';
        role.dispatchEvent(new Event('change'));
        await until(
            'the new role',
            () =>
                one('[aria-label="Role of Anna <i>"]').value === 'editor' &&
                all('.toast').some((each) => each.textContent.includes('now editor')),
        );
        return { menu, rows: rows(), refusal };
    },

    /** Forgets the host, and signs in as the account. */
    async signedIn() {
        location.hash = '/settings';
        (await until('the settings', () => button('Forget this host'))).click();
        (await until('the question', () => one('dialog[open]') && button('Forget', one('dialog[open]')))).click();
        const input = await until('the connection page', () => one('#connect-key'));
        one('#connect-name').value = 'anna <I>';
        input.value = 'correct horse';
        input.form.requestSubmit();
        await until('the page', () => one('.scroller'));
        const menu = await songMenu();
        location.hash = '/settings';
        const account = await until(
            'the name',
            () => one('#account-name')?.textContent.includes('Anna') && one('#account-name').textContent,
        );
        const isManaging = Boolean(button('Manage…')?.checkVisibility());
        return { menu, account, isManaging, isNavigable: one('a[href="#/manage"]').checkVisibility() };
    },

    /** Changes the own password, first with a wrong one. */
    async password() {
        const change = async (current) => {
            for (const note of all('.toast')) note.remove();
            button('Change password…').click();
            const form = await until('the form', () => one('dialog[open] form'));
            const [now, first, second] = form.querySelectorAll('input');
            [now.value, first.value, second.value] = [current, 'a new password', 'another'];
            second.dispatchEvent(new Event('input'));
            const isDifferent = !form.checkValidity();
            second.value = 'a new password';
            second.dispatchEvent(new Event('input'));
            form.requestSubmit();
            return [isDifferent, await until('the notice', () => one('.toast:last-child')?.textContent)];
        };
        return { wrong: await change('wrong horse'), right: await change('correct horse') };
    },

    /** Creates a playlist, shows it to all accounts, and shares it. */
    async shared() {
        location.hash = '/playlists';
        (await until('the playlists', () => button('New playlist'))).click();
        const form = await until('the form', () => one('dialog[open] form'));
        form.querySelector('input').value = 'Mine';
        form.requestSubmit();
        const more = await until('the playlist', () => one('.page.playlist [aria-label="More"]'));
        const open = async () => {
            more.click();
            return until('the menu', () => one('.menu'));
        };
        await open();
        entry('Shown to all accounts').click();
        await until('the mark', () => one('.hero-kind').textContent.includes('shown to all'));
        await open();
        entry('Share…').click();
        const address = await until('the address', () => one('#copied-address')?.value);
        const month = one('.share').textContent;
        [...all('[aria-label=Lifetime] button')].find((each) => each.textContent === 'Always').click();
        await until('the new lifetime', () => one('.share').textContent.includes('until you stop'));
        button('Done').click();
        location.hash = '/shares';
        await until('the shares', () => rows().length === 1);
        return { address, month, rows: rows(), playlist: location.hash };
    },

    /** Reads the playlist as another account sees it. */
    async foreign() {
        location.hash = '/playlists';
        (await until('the playlist', () => one('.tile'))).click();
        const kind = await until('its page', () => one('.page.playlist .hero-kind')?.textContent);
        one('.page.playlist [aria-label="More"]').click();
        await until('the menu', () => one('.menu'));
        return { kind, menu: all('.menu-item').map((each) => each.textContent) };
    },

    /** Revokes the share. */
    async revoked() {
        location.hash = '/shares';
        (await until('the share', () => button('Revoke'))).click();
        (await until('the question', () => one('dialog[open]') && button('Revoke', one('dialog[open]')))).click();
        await until('the empty list', () => one('[aria-label=Shares] .settings-empty'));
        return { done: 1 };
    },
};
