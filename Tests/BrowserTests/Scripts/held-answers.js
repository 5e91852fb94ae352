// Holds back the host's answers until `answer` is called, and measures how far content moves. Loaded before the page's own scripts.
// Answers about similar songs, which the host computes, are held back until `answerLate` is called.
(() => {
    const real = fetch;
    const held = [];
    const late = [];
    let isHeld = !sessionStorage.getItem('isAnswering');
    let isLateHeld = isHeld;
    window.openRequests = 0;
    window.answer = () => {
        isHeld = false;
        for (const go of held.splice(0)) go();
    };
    window.answerLate = () => {
        isLateHeld = false;
        for (const go of late.splice(0)) go();
    };
    /** Number of requests whose answers arrive without another call. */
    window.expectedRequests = () => window.openRequests - held.length - late.length;
    window.fetch = async (url, init) => {
        const { pathname } = new URL(url, location.href);
        window.openRequests++;
        try {
            const isLate = pathname.endsWith('/similar');
            // The page has to know its account before it shows anything.
            if (isLate ? isLateHeld : isHeld && !/^\/(auth|player)/.test(pathname)) {
                const waiting = isLate ? late : held;
                await new Promise((resolve, reject) => {
                    waiting.push(resolve);
                    init?.signal?.addEventListener('abort', () => {
                        // The page gives up requests that wait for half a minute.
                        if (waiting.includes(resolve)) waiting.splice(waiting.indexOf(resolve), 1);
                        reject(init.signal.reason);
                    });
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
})();
