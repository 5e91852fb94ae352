import { h } from './parts/dom.js';
import { icon } from './parts/icons.js';
import { iconButton } from './parts/buttons.js';
import { showHostMenu, showHosts } from './parts/hosts.js';
import { drawChildren } from './parts/redraw.js';
import { showMenu } from './parts/menu.js';
import { takeTracks } from './lists/track-drag.js';
import { addToNewPlaylist, addToPlaylist, addToQueue } from './lists/track-menu.js';
import { showShortcuts } from './shortcuts.js';
import { t } from '../texts/text.js';

/** @typedef {Pick<import('../app.js').App, 'catalogue' | 'connection' | 'downloads' | 'forget' | 'go' | 'hosts' | 'jukebox' | 'knownHost' | 'places' | 'player' | 'playlists' | 'showHost'>} Parts what this module uses of the page */

const places = () => [
    ['/', t('Home'), 'home'],
    ['/albums', t('Albums'), 'albums'],
    ['/artists', t('Artists'), 'artists'],
    ['/songs', t('Songs'), 'songs'],
    ['/playlists', t('Playlists'), 'playlists'],
    ['/genres', t('Genres'), 'genres'],
    ['/radio', t('Radio'), 'radio'],
    ['/map', t('Map'), 'map'],
    ['/favourites', t('Favourites'), 'star'],
    ['/downloads', t('Downloads'), 'download'],
];
const TABS = ['/', '/albums', '/songs', '/search'];

/**
 * The frame of the page: navigation, container of the views, and banner.
 * @param {Parts} app
 */
export function shell(app) {
    const links = new Map();
    const link = (path, label, name, className = '') => {
        const element = h(`a.nav-link${className}`, { href: `#${path}` }, icon(name), h('span', null, label));
        links.set(element, path);
        return element;
    };
    const lists = h('div.nav-lists', { role: 'list', 'aria-label': t('Playlists') });
    const heading = h('h2.nav-heading', { hidden: true }, t('Your playlists'));
    const note = h('p.nav-note', { role: 'status' });
    const more = app.places;
    const jukebox = link('/jukebox', t('Jukebox'), 'jukebox');
    const queue = link('/queue', t('Queue'), 'queue');
    const side = h(
        'nav.side',
        { 'aria-label': t('Library') },
        h(
            'a.side-name',
            { href: '#/' },
            h('span.side-mark', { 'aria-hidden': 'true' }, icon('wave')),
            h('span', null, app.connection.hostName && app.hosts.current.name || t('Music')),
        ),
        link('/search', t('Search'), 'search'),
        places().map(([path, label, name]) => link(path, label, name)),
        queue,
        jukebox,
        heading,
        lists,
        h(
            'div.side-end',
            null,
            note,
            more.map(([path, label, name]) => link(path, label, name)),
            link('/settings', t('Settings'), 'settings'),
            h('button.nav-link', { type: 'button', onclick: () => showShortcuts() }, icon('help'), h('span', null, t('Shortcuts'))),
        ),
    );
    const switcher = iconButton('unfold', t('Hosts'), () => showHostMenu(app, switcher), {
        class: 'icon-button side-switch',
        'aria-haspopup': 'menu',
    });
    side.querySelector('.side-name')?.after(switcher);
    const content = h('div.content');
    const scroller = h('main.scroller', { id: 'main', tabindex: '-1' }, content);
    const tabs = h(
        'nav.tabs',
        { 'aria-label': t('Library') },
        TABS.map((path) => {
            const [, label, name] = places().find((place) => place[0] === path) ?? ['/search', t('Search'), 'search'];
            return link(path, label, name, '.is-tab');
        }),
        h(
            'button.nav-link.is-tab',
            {
                type: 'button',
                'aria-haspopup': 'menu',
                onclick: (event) =>
                    showMenu(
                        [
                            ...[
                                ...places().filter(([path]) => !TABS.includes(path)),
                                ...(app.jukebox.state ? [['/jukebox', t('Jukebox'), 'jukebox']] : []),
                                ['/queue', t('Queue'), 'queue'],
                                ...(app.connection.hasRole('editor') ? more : []),
                                ['/settings', t('Settings'), 'settings'],
                            ].map(([path, label, name]) => ({
                                label,
                                icon: name,
                                action: () => app.go(path),
                            })),
                            { label: t('Hosts…'), icon: 'unfold', action: () => showHosts(app) },
                        ],
                        event.currentTarget,
                        t('More'),
                    ),
            },
            icon('more'),
            h('span', null, t('More')),
        ),
    );
    const element = h(
        'div.shell',
        null,
        h('a.skip', {
            href: '#main',
            onclick: (event) => {
                event.preventDefault();
                scroller.focus();
            },
        }, t('Skip to content')),
        side,
        scroller,
    );

    const listeners = new AbortController();
    const { signal } = listeners;
    takeTracks(queue, (tracks) => addToQueue(app, tracks));
    const playlists = [...links].find(([, path]) => path === '/playlists')?.[0];
    takeTracks(playlists, (tracks) => addToNewPlaylist(app, tracks));
    const listOf = (id) => app.playlists.all.find((each) => each.id === id);
    app.playlists.addEventListener('change', () => {
        const { all } = app.playlists;
        heading.hidden = all.length === 0;
        drawChildren(
            lists,
            all.map((list) => ({
                key: list.id,
                state: [list.name, app.playlists.canAddTo(list)],
                make: () => {
                    const entry = h('a.nav-list', { href: `#/playlists/${list.id}`, role: 'listitem' }, list.name);
                    if (app.playlists.canAddTo(list)) takeTracks(entry, (tracks) => addToPlaylist(app, listOf(list.id), tracks));
                    return entry;
                },
            })),
        );
        mark(location.hash.slice(1));
    }, { signal });
    const showJukebox = () => {
        jukebox.hidden = !app.jukebox.state;
    };
    app.jukebox.addEventListener('change', showJukebox, { signal });
    showJukebox();
    const mark = (path) => {
        const place = path.split('/').slice(0, 2).join('/') || '/';
        for (const [element, target] of links) {
            if (target === place) element.setAttribute('aria-current', 'page');
            else element.removeAttribute('aria-current');
        }
        for (const entry of lists.children) {
            if (entry.getAttribute('href') === `#${path}`) entry.setAttribute('aria-current', 'page');
            else entry.removeAttribute('aria-current');
        }
    };
    app.catalogue.addEventListener('progress', (/** @type {any} */ { detail }) => {
        note.textContent = detail && detail.total > 500
            ? t('Loading library: {done} of {total}', { done: detail.count, total: detail.total })
            : '';
    }, { signal });
    const banner = h(
        'div.banner',
        { role: 'status', hidden: true },
        h('span'),
        iconButton('close', t('Hide'), () => {
            banner.hidden = true;
        }),
    );
    element.append(banner);
    return {
        element,
        content,
        scroller,
        tabs,
        mark,
        close: () => listeners.abort(),
        say: (text) => {
            banner.hidden = !text;
            /** @type {Node} */ (banner.firstChild).textContent = text;
        },
    };
}
