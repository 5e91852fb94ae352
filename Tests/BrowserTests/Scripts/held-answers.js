// Holds back the host's answers until `answer` is called, and measures how far content moves. Loaded before the page's own scripts.
(() => {
    const real = fetch;
    const held = [];
    let isHeld = !sessionStorage.getItem('isAnswering');
    window.openRequests = 0;
    window.answer = () => {
        isHeld = false;
        for (const go of held.splice(0)) go();
    };
    window.fetch = async (url, init) => {
        const { pathname } = new URL(url, location.href);
        window.openRequests++;
        try {
            // The page has to know its account before it shows anything.
            if (isHeld && !/^\/(auth|player)/.test(pathname)) {
                await new Promise((resolve, reject) => {
                    held.push(resolve);
                    init?.signal?.addEventListener('abort', () => reject(init.signal.reason));
                });
            }
            return await real(url, init);
        } finally {
            window.openRequests--;
        }
    };
    window.shifts = [];
    new PerformanceObserver((list) => {
        for (const { value, sources, hadRecentInput } of list.getEntries()) {
            const names = sources.map(({ node, previousRect, currentRect }) =>
                `${node?.className || node?.nodeName} ${previousRect.y} → ${currentRect.y}`
            );
            if (!hadRecentInput) window.shifts.push({ value, names });
        }
    }).observe({ type: 'layout-shift', buffered: true });
    if (!sessionStorage.getItem('isFirst')) return;
    indexedDB.deleteDatabase('library');
    for (const name of Object.keys(localStorage)) if (name.startsWith('listening.')) localStorage.removeItem(name);
})();
