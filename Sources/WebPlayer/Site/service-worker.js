/*
 * Stores the files of the page, so that it opens and plays without the host: all files of one version, or none. It does not store
 * music or API responses.
 *
 * The host prepends `const VERSION = '…'`, a hash of all files, to this script, and lists the files in `files.json`.
 */
const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));
const PREFIX = 'player-';
const CACHE = `${PREFIX}v${VERSION}`;
/** The cache of earlier releases, which updated each file separately. */
const EARLIER = 'player-1';
const LIST = '/player/files.json';
/** The folder of files whose name contains a hash of their content: the browser may have them from loading the page. */
const HASHED = '/player/hashed/';

/**
 * Loads the page again once the new worker is in charge. Reloading at once would ask this worker again and again: each request
 * keeps it busy, and the new worker takes over when this one has nothing to do. The timer is for a worker that took over before
 * the script ran. (A `Refresh` header does nothing if the URL has a fragment.)
 */
const RELOADING = `<!doctype html><title>Music</title><script>
    const reload = () => location.reload();
    navigator.serviceWorker.addEventListener('controllerchange', reload, { once: true });
    setTimeout(reload, 3000);
</script>`;

const isOurs = (url) => url.origin === location.origin && (url.pathname === '/' || url.pathname.startsWith('/player/'));

worker.addEventListener('install', (event) =>
    event.waitUntil((async () => {
        try {
            await store();
        } catch (error) {
            await caches.delete(CACHE);
            throw error;
        }
        // Otherwise it waits until no page of the previous version is open, or until the page is reloaded.
        if (await caches.has(EARLIER)) worker.skipWaiting();
    })()));

/** Stores all files of this version. Fails if the host has another version by now; the browser tries again later. */
async function store() {
    const { version, files } = await list();
    if (version !== VERSION) throw new Error('The page changed on the host while it was being stored.');
    const cache = await caches.open(CACHE);
    await Promise.all(files.map(async (path) => {
        const response = await fetch(path, { cache: path.startsWith(HASHED) ? 'default' : 'no-cache' });
        if (!response.ok) throw new Error(`${path}: ${response.status}`);
        await cache.put(path, response);
    }));
    if ((await list()).version !== VERSION) throw new Error('The page changed on the host while it was being stored.');
}

async function list() {
    const response = await fetch(LIST, { cache: 'no-store' });
    if (!response.ok) throw new Error(`${LIST}: ${response.status}`);
    return response.json();
}

worker.addEventListener('activate', (event) =>
    event.waitUntil((async () => {
        const names = await caches.keys();
        await Promise.all(names.filter((name) => name.startsWith(PREFIX) && name !== CACHE).map((name) => caches.delete(name)));
        // The page that registered the first worker needs files that it has not loaded yet.
        await worker.clients.claim();
    })()));

// Sent by the previous worker when the page is reloaded in its only tab.
worker.addEventListener('message', (event) => {
    if (event.data?.activate) worker.skipWaiting();
});

worker.addEventListener('fetch', (event) => {
    const { request } = event;
    const url = new URL(request.url);
    if (request.method === 'GET' && isOurs(url)) event.respondWith(answer(request, url));
});

/** Returns the stored file; all other files are requested from the host. */
async function answer(request, url) {
    if (request.mode === 'navigate' && await isReplaced()) {
        return new Response(RELOADING, { headers: { 'Content-Type': 'text/html' } });
    }
    const cache = await caches.open(CACHE);
    return await cache.match(url.pathname) ?? fetch(request);
}

/** Activates a waiting version if no other tab is open. Returns whether it has done so. */
async function isReplaced() {
    const { waiting } = worker.registration;
    if (!waiting || (await worker.clients.matchAll({ type: 'window' })).length > 1) return false;
    waiting.postMessage({ activate: true });
    return true;
}
