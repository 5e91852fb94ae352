/*
 * Loads the page again if one of its scripts did not arrive, since it would stay empty otherwise. Networks lose requests, and on busy
 * machines Chromium aborts some that pass through a service worker. After three attempts within ten seconds, the page says so instead.
 * No module, so that it runs before the modules are requested.
 */
addEventListener(
    'error',
    ({ target }) => {
        if (!(target instanceof HTMLScriptElement)) return;
        const now = Date.now();
        /** @type {number[]} */
        const stored = JSON.parse(sessionStorage.getItem('reloads') ?? '[]');
        const recent = stored.filter((at) => Math.abs(now - at) < 10_000);
        if (recent.length < 3) {
            sessionStorage.setItem('reloads', JSON.stringify([...recent, now]));
            location.reload();
            return;
        }
        const message = document.getElementById('not-loaded');
        if (!message) return;
        document.documentElement.dataset.theme = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
        message.hidden = false;
        message.querySelector('button')?.addEventListener('click', () => location.reload());
    },
    // Errors of elements do not bubble.
    true,
);
