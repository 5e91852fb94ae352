/** The page of a share: lists the tracks and plays them one after the other with the browser's own player. */

import { h } from '../scripts/views/parts/dom.js';
import { clock, dayText } from '../scripts/views/parts/texts.js';
import { t, useLanguage } from '../scripts/texts/text.js';

const base = location.pathname.replace(/\/$/, '');
/** @param {string} id @returns {HTMLElement} */
const find = (id) => /** @type {HTMLElement} */ (document.getElementById(id));
const audio = /** @type {HTMLAudioElement} */ (find('audio'));
let current = -1;
find('not-loaded').remove();

const dark = matchMedia('(prefers-color-scheme: dark)');
const showTheme = () => {
    document.documentElement.dataset.theme = dark.matches ? 'dark' : 'light';
};
dark.addEventListener('change', showTheme);
showTheme();
// The listener's language, not that of the account that shares.
await useLanguage('auto');
document.title = t('Shared music');
find('title').textContent = t('Shared music');
find('message').textContent = t('Loading…');

function show({ description, tracks, expires_at: expires }) {
    const albums = new Set(tracks.map((track) => track.album));
    const [album] = albums;
    const title = description || (albums.size === 1 && album) || (tracks.length === 1 && tracks[0].title) || t('Shared music');
    document.title = title;
    find('title').textContent = title;
    find('text').textContent = [
        t('{count} songs', { count: tracks.length }),
        expires && t('until {date}', { date: dayText(expires) }),
    ].filter(Boolean).join(' · ');
    find('message').textContent = tracks.length ? '' : t('This share contains no music any more.');
    audio.hidden = tracks.length === 0;
    find('tracks').replaceChildren(...tracks.map((track, index) => {
        const names = h('span', null, h('span.title', null, track.title), h('span.artist', null, track.artist));
        const length = h('span.length', null, clock(track.duration_seconds));
        return h(
            'li',
            null,
            h('button', { type: 'button', onclick: () => play(index) }, h('span.number', null, index + 1), names, length),
        );
    }));
    const load = (index, starts) => {
        current = index;
        audio.src = `${base}/tracks/${index + 1}/audio`;
        cover(index);
        for (const [number, row] of [...find('tracks').children].entries()) {
            if (number === index) row.firstElementChild?.setAttribute('aria-current', 'true');
            else row.firstElementChild?.removeAttribute('aria-current');
        }
        if ('mediaSession' in navigator) {
            navigator.mediaSession.metadata = new MediaMetadata({
                title: tracks[index].title,
                artist: tracks[index].artist,
                album: tracks[index].album,
            });
        }
        if (starts) audio.play().catch(() => {});
    };
    const play = (index) => load(index, true);
    audio.addEventListener('ended', () => {
        if (current + 1 < tracks.length) play(current + 1);
    });
    if (tracks.length) load(0, false);
}

/** Shows the cover of a track, if it has one. */
function cover(index) {
    const image = h('img', { alt: '', class: 'is-new' });
    const isCurrent = () => index === current;
    image.addEventListener('load', () => isCurrent() && showCover(image));
    image.addEventListener('error', () => isCurrent() && showCover(null));
    image.src = `${base}/tracks/${index + 1}/cover?size=512`;
}

/** @param {HTMLImageElement | null} image */
function showCover(image) {
    find('cover').querySelector('img')?.remove();
    if (image) find('cover').append(image);
}

function fail(text) {
    audio.pause();
    audio.hidden = true;
    find('tracks').replaceChildren();
    find('text').textContent = '';
    find('message').textContent = text;
}

const gone = () => t('This share does not exist; it may have expired or been revoked.');
audio.addEventListener('error', async () => {
    // The player does not say why: ask once.
    const { status } = await fetch(`${base}/tracks/${current + 1}/audio`, { method: 'HEAD' }).catch(() => ({ status: 0 }));
    if (status === 404) fail(gone());
    else find('message').textContent = t('This song cannot be played now.');
});

try {
    const response = await fetch(`${base}/contents`, { cache: 'no-store' });
    if (response.ok) show(await response.json());
    else fail(response.status === 404 ? gone() : t('The share cannot be loaded now.'));
} catch {
    fail(t('The server cannot be reached.'));
}
