/* Keeps the page's own files, so that it opens without the host. Music and answers of the host are not its business. */
const CACHE = 'player-1';
/** Milliseconds that the host may take before what is kept is shown. */
const PATIENCE = 4000;

const isOurs = url => url.origin === location.origin && (url.pathname === '/' || url.pathname.startsWith('/player/'));

addEventListener('install', () => skipWaiting());

addEventListener('activate', event => event.waitUntil((async () => {
    for (const name of await caches.keys()) if (name !== CACHE) await caches.delete(name);
    await clients.claim();
})()));

// What the page loaded before there was a worker.
addEventListener('message', event => {
    if (!Array.isArray(event.data?.keep)) return;
    event.waitUntil((async () => {
        const cache = await caches.open(CACHE);
        await Promise.all(event.data.keep.filter(url => isOurs(new URL(url))).map(async url => {
            if (!await cache.match(url)) await cache.add(url).catch(() => {});
        }));
    })());
});

addEventListener('fetch', event => {
    const { request } = event;
    if (request.method === 'GET' && isOurs(new URL(request.url))) event.respondWith(answer(event));
});

/**
 * The page itself as the host has it, if that comes soon. Its parts as they are kept, which is at once; they are asked for again
 * meanwhile, for the next time, and where one is another the page is told.
 */
async function answer(event) {
    const { request } = event;
    const cache = await caches.open(CACHE);
    const kept = await cache.match(request);
    const fresh = fetch(request).then(async response => {
        if (response.ok) await cache.put(request, response.clone());
        return response;
    });
    if (!kept) return fresh;
    if (request.mode !== 'navigate') {
        event.waitUntil(fresh.then(async response => {
            const client = response.ok && response.headers.get('ETag') !== kept.headers.get('ETag') && await clients.get(event.clientId);
            if (client) client.postMessage({ isNew: true });
        }).catch(() => {}));
        return kept;
    }
    const late = new Promise(resolve => setTimeout(resolve, PATIENCE, kept));
    return Promise.race([fresh.then(response => (response.ok ? response : kept)), late]).catch(() => kept);
}
