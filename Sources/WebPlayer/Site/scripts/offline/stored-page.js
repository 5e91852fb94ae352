import { t } from '../texts/text.js';

/**
 * Checks that the page can be loaded again: it is stored in the browser, or its host answers.
 * @throws {Error} with a message for the user
 */
export async function checkPage() {
    if (navigator.serviceWorker?.controller) return;
    try {
        await fetch('/', { method: 'HEAD', cache: 'no-store', credentials: 'omit' });
    } catch {
        throw new Error(t('The page must be loaded again for this, but {host} does not respond.', { host: location.host }));
    }
}

/**
 * Registers the service worker, which stores the page so that it opens offline. Only HTTPS pages and localhost can have one.
 *
 * @param {() => void} onNew called when a new version has been stored, which takes effect after a reload
 * @param {EventTarget & {state: string}} connection
 */
export async function storePage(onNew, connection) {
    if (!('serviceWorker' in navigator)) return;
    try {
        const { serviceWorker } = navigator;
        const registration = await serviceWorker.register('/player/service-worker.js', { scope: '/' });
        const follow = (worker) =>
            worker?.addEventListener('statechange', () => {
                // The first worker does not replace another version.
                if (worker.state === 'installed' && registration.active) onNew();
            });
        if (registration.waiting) onNew();
        follow(registration.installing);
        registration.addEventListener('updatefound', () => follow(registration.installing));
        // The host may have been updated while it was offline.
        let wasDown = false;
        connection.addEventListener('change', () => {
            if (connection.state === 'open' && wasDown) registration.update().catch(() => {});
            wasDown = connection.state === 'down';
        });
    } catch {
        // The page works without a service worker.
    }
}
