import { h } from '../parts/dom.js';
import { empty } from '../parts/empty.js';
import { cover } from '../parts/cover.js';
import { textButton } from '../parts/buttons.js';
import { drawChildren } from '../parts/redraw.js';
import { albumCard, cardGrid } from '../lists/card-grid.js';
import { play } from '../lists/track-menu.js';
import { UNKNOWN, waiting } from '../parts/placeholder.js';
import { WindowedSongs } from '../lists/windowed-songs.js';
import { page } from './page.js';
import { t } from '../../texts/text.js';

/** @typedef {Pick<import('../../app.js').App, 'catalogue' | 'client' | 'covers' | 'downloads' | 'favourites' | 'go' | 'player' | 'playlists' | 'scroller' | 'trackActions'>} Parts what this module uses of the page */

const decadeOf = (year) => Math.floor(year / 10) * 10;
const nameOf = (decade) => t('{decade}s', { decade: String(decade) });

/**
 * The page of all decades, the latest first.
 * @param {Parts} app
 */
export function decadesPage(app) {
    const { catalogue } = app;
    const listeners = new AbortController();
    const tiles = h('div.tiles');
    const { element, lead } = page(t('Decades'), {}, tiles);
    const wait = waiting(element, tiles, 'tiles');
    const draw = () => {
        const years = catalogue.isLoaded ? catalogue.years() : null;
        wait(!years);
        /** @type {Map<number, {count: number, album: any}>} */
        const decades = new Map();
        for (const [year, count] of years ?? []) {
            const decade = decadeOf(year);
            const found = decades.get(decade) ?? { count: 0, album: undefined };
            found.count += count;
            decades.set(decade, found);
        }
        for (const album of catalogue.albums) {
            const decade = album.year && decades.get(decadeOf(album.year));
            if (decade) decade.album ??= album;
        }
        const all = [...decades].sort(([one], [other]) => other - one);
        lead.textContent = years ? t('{count} decades', { count: all.length }) : UNKNOWN;
        drawChildren(
            tiles,
            all.length
                ? all.map(([decade, { count, album }]) => ({
                    key: decade,
                    state: [count, album],
                    make: () =>
                        h(
                            'a.tile.is-genre',
                            { href: `#/decades/${decade}`, 'data-hue': (decade / 10) % 12 },
                            h('span.tile-title', null, nameOf(decade)),
                            h('span.tile-text', null, t('{count} songs', { count })),
                            h('span.tile-covers', { 'aria-hidden': 'true' }, album && cover(app.covers, album, 128)),
                        ),
                }))
                : [{ key: empty, make: () => empty('albums', t('No years'), t('Songs whose tags name a year appear here.')) }],
        );
    };
    catalogue.addEventListener('change', draw, { signal: listeners.signal });
    draw();
    return { element, title: t('Decades'), close: () => listeners.abort() };
}

/**
 * The page of the albums of a decade by year.
 * @param {Parts} app
 */
export function decadePage(app, { decade: text }) {
    const { catalogue } = app;
    const decade = decadeOf(Number(text));
    const listeners = new AbortController();
    /** The chosen year; empty for all of the decade. */
    let year = '';
    let albums = [];
    const isChosen = (each) => (year ? each === Number(year) : decadeOf(each) === decade);
    const windowed = new WindowedSongs(catalogue, () => {});
    const tracks = () => {
        if (!catalogue.isLarge) return catalogue.tracks.filter((track) => track.year && isChosen(track.year));
        const [first, last] = year ? [Number(year), Number(year)] : [decade, decade + 9];
        return windowed.show({ rules: { all: [{ inTheRange: { year: [first, last] } }] } });
    };
    /** Number of songs; null while it is not known. */
    const songCount = () => {
        const years = catalogue.isLoaded ? catalogue.years() : null;
        return years && [...years].reduce((sum, [each, count]) => sum + (isChosen(each) ? count : 0), 0);
    };
    const grid = cardGrid(app, {
        items: () => albums,
        make: (album) => albumCard(app, album, { hasYear: true }),
        open: (album) => app.go(`/albums/${album.id}`),
        label: nameOf(decade),
    });
    const years = Array.from({ length: 10 }, (_, index) => String(decade + index));
    const { element, lead } = page(nameOf(decade), {
        actions: [
            h(
                'select.field',
                {
                    'aria-label': t('Year'),
                    onchange: (event) => {
                        year = event.currentTarget.value;
                        draw({ isAnchored: false });
                    },
                },
                h('option', { value: '' }, t('All years')),
                years.map((each) => h('option', { value: each }, each)),
            ),
            textButton(t('Play'), () => play(app, tracks(), 0, { shuffle: false }), { name: 'play', kind: 'is-main' }),
            textButton(t('Shuffle'), () => play(app, tracks(), 0, { shuffle: true }), { name: 'shuffle' }),
        ],
    }, grid.element);
    const wait = waiting(element, grid.element, 'cards');
    const draw = (options) => {
        const songs = songCount();
        const isKnown = songs !== null;
        wait(!isKnown);
        albums = catalogue.albums.filter((album) => album.year && isChosen(album.year)).sort((a, b) => a.year - b.year);
        lead.textContent = isKnown
            ? [t('{count} albums', { count: albums.length }), t('{count} songs', { count: songs })].join(' · ')
            : UNKNOWN;
        element.querySelector('.empty')?.remove();
        if (!albums.length && isKnown) element.append(empty('albums', t('No albums'), t('Choose another year.')));
        grid.refresh(options);
    };
    catalogue.addEventListener('change', () => draw(), { signal: listeners.signal });
    draw();
    return {
        element,
        title: nameOf(decade),
        close: () => {
            listeners.abort();
            windowed.close();
            grid.close();
        },
    };
}
