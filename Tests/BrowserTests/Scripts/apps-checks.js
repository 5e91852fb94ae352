// Connecting an app and a service with the page's own controls.

const button = (text, within = document) => [...within.querySelectorAll('button')].find((each) => each.textContent === text);
const headers = (key) => ({ Authorization: `Bearer ${key}` });

const checks = {
    /** Creates a password from the settings page. */
    async created(key) {
        await signIn(key);
        location.hash = '/settings';
        (await until('the settings', () => button('Connect…'))).click();
        const name = await until('the form', () => one('#app-name'));
        await until('the empty list', () => one('[aria-label="Connected apps"] .settings-empty'));
        name.value = 'Phone <i>';
        name.form.requestSubmit();
        await until('the code', () => one('.app-code img')?.naturalWidth > 0);
        const value = (id) => one(`#copied-${id}`).value;
        // The code is read from a picture of the page.
        one('.app-code img').scrollIntoView({ block: 'center' });
        return {
            address: value('address'),
            user: value('user'),
            password: value('password'),
            row: one('[role=listitem] .setting-name').textContent,
            title: one('.app-result h2').textContent,
            dark: matchMedia('(prefers-color-scheme: dark)').matches,
        };
    },

    /** Revokes it. */
    async revoked(key) {
        one('[role=listitem] button').click();
        (await until('the question', () => one('dialog[open]') && button('Revoke', one('dialog[open]')))).click();
        await until('the empty list', () => one('[aria-label="Connected apps"] .settings-empty'));
        return { isResultHidden: one('.app-result').hidden, isTextGone: !document.body.textContent.includes('Phone <i>') };
    },

    /** The password is shown only once: it is in no answer of the host, and not in the reloaded page. */
    async forgotten(key, password) {
        location.hash = '/settings';
        await until('the settings', () => button('Connect…'));
        location.hash = '/apps';
        await until('the form', () => one('#app-name'));
        const text = await (await fetch('/account/app-passwords', { headers: headers(key) })).text();
        return { isAbsent: !document.body.innerHTML.includes(password) && !text.includes(password) };
    },

    /** The order of addresses. */
    async addresses() {
        const { hostAddresses } = await import('/player/scripts/host/host-addresses.js');
        const known = [{ url: 'http://192.168.1.20:8420', kind: 'network' }, { url: 'https://a.example.com', kind: 'tunnel' }];
        const order = (own, list = known) => hostAddresses(own, list).map(({ url }) => url).join(' ');
        return {
            local: order('http://127.0.0.1:8420'),
            name: order('http://localhost:8420'),
            network: order('http://192.168.1.20:8420'),
            elsewhere: order('https://music.example.org'),
            alone: order('http://127.0.0.1:8420', []),
        };
    },

    /** Connects ListenBrainz, first with a wrong token, then with the right one. */
    async listenbrainz(key, address, token) {
        location.hash = '/scrobbling';
        const form = await until('the form', () => one('[aria-label="ListenBrainz"] form'));
        const write = (name, text) => {
            one(`#listenbrainz-${name}`).value = text;
        };
        write('address', address);
        write('token', 'wrong');
        form.requestSubmit();
        const refusal = await until('the refusal', () => one('.toast')?.textContent);
        for (const note of all('.toast')) note.remove();
        write('token', token);
        form.requestSubmit();
        const state = await until('the state', () => one('[aria-label="ListenBrainz"] .setting')?.textContent);
        return { refusal, state, isSecret: !document.body.innerHTML.includes(token) };
    },

    /** Connects Last.fm. */
    async lastfm(key, address, appKey, secret) {
        const form = await until('the form', () => one('[aria-label="Last.fm"] form'));
        const write = (name, text) => {
            one(`#lastfm-${name}`).value = text;
        };
        write('address', address);
        write('api_key', appKey);
        write('shared_secret', secret);
        form.requestSubmit();
        const link = await until('the link', () => one('[aria-label="Last.fm"] a.text-button'));
        const href = link.href;
        button('Complete', one('[aria-label="Last.fm"]')).click();
        const state = await until('the state', () => one('[aria-label="Last.fm"] .setting')?.textContent);
        return { href, state };
    },

    /** Disconnects ListenBrainz. */
    async disconnected() {
        button('Disconnect', one('[aria-label="ListenBrainz"]')).click();
        (await until('the question', () => one('dialog[open]') && button('Disconnect', one('dialog[open]')))).click();
        await until('the form', () => one('[aria-label="ListenBrainz"] form'));
        return { done: 1 };
    },
};
