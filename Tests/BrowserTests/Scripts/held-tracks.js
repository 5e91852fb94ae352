// Holds back the pages of the list of all tracks until `answerTracks` is called. Loaded before the page's own scripts.
(() => {
    const real = fetch;
    const answered = new Promise((resolve) => {
        window.answerTracks = resolve;
    });
    window.fetch = async (url, init) => {
        const { pathname, searchParams } = new URL(url, location.href);
        if (pathname === '/api/tracks' && searchParams.get('sort') === 'title') await answered;
        return real(url, init);
    };
})();
