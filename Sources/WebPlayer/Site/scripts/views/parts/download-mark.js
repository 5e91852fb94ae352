import { h } from './dom.js';
import { icon, setIcon } from './icons.js';
import { confirmed } from './dialog.js';

/** Whether a track is in this browser, or how much of it. */
export function downloadMark(downloads, id) {
    const share = downloads.share(id);
    if (share !== null) {
        const ring = h('i.ring', { role: 'img', 'aria-label': `Downloading, ${Math.round(share * 100)} %` });
        ring.style.setProperty('--part', String(share));
        return ring;
    }
    if (!downloads.has(id)) return null;
    const mark = icon('downloaded', 'track-downloaded');
    mark.removeAttribute('aria-hidden');
    mark.setAttribute('role', 'img');
    mark.setAttribute('aria-label', 'Downloaded');
    return mark;
}

/**
 * The button that downloads tracks, shows how far it is, and takes them out again; `draw` is for when there are others.
 * @param {any} app @param {() => any[]} tracks @param {string} name
 * @param {AbortSignal} signal when the button has gone
 */
export function downloadButton(app, tracks, name, signal) {
    const { downloads } = app;
    const symbol = icon('download');
    const button = h('button.icon-button.download-button', { type: 'button', onclick: async () => {
        const all = tracks();
        if (downloads.isBusyWith(all) || downloads.shareOf(all) === 1) {
            if (await confirmed('Remove downloads?', `What is kept of “${name}” leaves this browser.`, 'Remove')) downloads.remove(all);
        } else downloads.add(all);
    } }, symbol);
    const draw = () => {
        const all = tracks();
        const share = downloads.shareOf(all);
        const isBusy = downloads.isBusyWith(all);
        setIcon(symbol, share === 1 && all.length ? 'downloaded' : 'download');
        button.classList.toggle('is-busy', isBusy);
        button.style.setProperty('--part', String(share));
        button.setAttribute('aria-pressed', String(share === 1 && all.length > 0));
        const label = isBusy ? `Downloading ${name}, ${Math.round(share * 100)} %` : share === 1 ? `Downloaded: ${name}` : `Download ${name}`;
        button.setAttribute('aria-label', label);
        button.title = label;
        button.hidden = !downloads.isPossible || !all.length;
    };
    downloads.addEventListener('progress', draw, { signal });
    draw();
    return { element: button, draw };
}

/** Entries of a track's menu. */
export function downloadItems(app, tracks) {
    const { downloads } = app;
    if (!downloads.isPossible) return [];
    const isThere = tracks.every(track => downloads.has(track.id) || downloads.share(track.id) !== null);
    return [isThere
        ? { label: 'Remove download', icon: 'trash', action: () => downloads.remove(tracks) }
        : { label: 'Download', icon: 'download', action: () => downloads.add(tracks) }];
}
