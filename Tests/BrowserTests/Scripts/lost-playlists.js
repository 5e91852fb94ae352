// Lets the request for the list of playlists fail. Loaded before the page's own scripts.
(() => {
    const real = fetch;
    window.fetch = (url, init) =>
        new URL(url, location.href).pathname === '/api/playlists'
            ? Promise.resolve(new Response('{}', { status: 500, headers: { 'Content-Type': 'application/json' } }))
            : real(url, init);
})();
