import { h } from './dom.js';
import { icon, setIcon } from './icons.js';
import { confirmed } from './dialog.js';
import { percentText, sizeText } from './texts.js';
import { t } from '../../texts/text.js';

/** @typedef {Pick<import('../../app.js').App, 'downloads'>} Parts what this module uses of the page */

/** Creates the mark of a track that is downloaded or downloading; null for others. */
export function downloadMark(downloads, track) {
    const share = downloads.share(track);
    if (share !== null) {
        const ring = h('i.ring', { role: 'img', 'aria-label': t('Downloading, {percent}', { percent: percentText(share) }) });
        ring.style.setProperty('--part', String(share));
        return ring;
    }
    if (!downloads.has(track)) return null;
    const mark = icon('downloaded', 'track-downloaded');
    mark.removeAttribute('aria-hidden');
    mark.setAttribute('role', 'img');
    mark.setAttribute('aria-label', t('Downloaded'));
    return mark;
}

/** Formats the number and size of tracks: "12 songs, 95.3 MB". */
function amountText(tracks) {
    return t('{count} songs, {size}', {
        count: tracks.length,
        size: sizeText(tracks.reduce((sum, track) => sum + (track.file_size_bytes ?? 0), 0)),
    });
}

/** Asks for confirmation before a large download, with its number of songs and size. @param {any[]} tracks @param {string} name */
async function isMeant(tracks, name) {
    const { quota = 0, usage = 0 } = await navigator.storage?.estimate?.().catch(() => /** @type {StorageEstimate} */ ({})) ?? {};
    const amount = amountText(tracks);
    const text = quota
        ? t('{amount}. Available in this browser: {size}.', { amount, size: sizeText(Math.max(0, quota - usage)) })
        : t('{sentence}.', { sentence: amount });
    return confirmed(t('Download {name}?', { name }), text, t('Download'), { kind: 'is-main' });
}

/**
 * Creates the button that downloads tracks, shows the progress, and removes the downloads. Call `draw` when the tracks have
 * changed.
 * @param {Parts} app @param {() => any[]} tracks @param {string} name
 * @param {AbortSignal} signal aborted when the button is removed
 * @param {{isAsked?: boolean}} options `isAsked`: whether to ask for confirmation with number and size
 */
export function downloadButton(app, tracks, name, signal, { isAsked = false } = {}) {
    const { downloads } = app;
    const symbol = icon('download');
    const button = h('button.icon-button.download-button', {
        type: 'button',
        onclick: async () => {
            const all = tracks();
            if (downloads.isBusyWith(all) || downloads.shareOf(all) === 1) {
                if (
                    await confirmed(
                        t('Remove downloads?'),
                        t('The downloaded songs of “{name}” are deleted from this browser.', { name }),
                        t('Remove'),
                    )
                ) downloads.remove(all);
            } else if (!isAsked || await isMeant(downloads.missing(all), name)) downloads.add(all);
        },
    }, symbol);
    const draw = () => {
        const all = tracks();
        const share = downloads.shareOf(all);
        const isBusy = downloads.isBusyWith(all);
        setIcon(symbol, share === 1 && all.length ? 'downloaded' : 'download');
        button.classList.toggle('is-busy', isBusy);
        button.style.setProperty('--part', String(share));
        button.setAttribute('aria-pressed', String(share === 1 && all.length > 0));
        const label = isBusy
            ? t('Downloading {name}, {percent}', { name, percent: percentText(share) })
            : share === 1
            ? t('Downloaded: {name}', { name })
            : t('Download {name} ({amount})', { name, amount: amountText(downloads.missing(all)) });
        button.setAttribute('aria-label', label);
        button.title = label;
        button.hidden = !downloads.isPossible || !all.length;
    };
    downloads.addEventListener('progress', draw, { signal });
    draw();
    return { element: button, draw };
}

/**
 * Returns the menu items for downloading tracks or removing their downloads.
 * @param {Parts} app
 */
export function downloadItems(app, tracks) {
    const { downloads } = app;
    if (!downloads.isPossible) return [];
    const isThere = tracks.every((track) => downloads.has(track) || downloads.share(track) !== null);
    return [
        isThere ? { label: t('Remove download'), icon: 'trash', action: () => downloads.remove(tracks) } : {
            label: tracks.length > 1 ? t('Download {amount}', { amount: amountText(downloads.missing(tracks)) }) : t('Download'),
            icon: 'download',
            action: () => downloads.add(tracks),
        },
    ];
}
