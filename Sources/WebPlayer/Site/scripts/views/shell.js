import { h } from './parts/dom.js';
import { icon } from './parts/icons.js';
import { iconButton } from './parts/buttons.js';
import { showHostMenu, showHosts } from './parts/hosts.js';
import { drawChildren } from './parts/redraw.js';
import { showMenu } from './parts/menu.js';
import { showShortcuts } from './shortcuts.js';

/** @typedef {Pick<import('../app.js').App, 'catalogue' | 'connection' | 'downloads' | 'forget' | 'go' | 'hosts' | 'jukebox' | 'knownHost' | 'places' | 'playlists' | 'showHost'>} Parts what this module uses of the page */

const PLACES = [
    ['/', 'Home', 'home'],
    ['/albums', 'Albums', 'albums'],
    ['/artists', 'Artists', 'artists'],
    ['/songs', 'Songs', 'songs'],
    ['/playlists', 'Playlists', 'playlists'],
    ['/genres', 'Genres', 'genres'],
    ['/radio', 'Radio', 'radio'],
    ['/map', 'Map', 'map'],
    ['/favourites', 'Favourites', 'star'],
    ['/downloads', 'Downloads', 'download'],
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
    const lists = h('div.nav-lists', { role: 'list', 'aria-label': 'Playlists' });
    const heading = h('h2.nav-heading', { hidden: true }, 'Your playlists');
    const note = h('p.nav-note', { role: 'status' });
    const more = app.places;
    const jukebox = link('/jukebox', 'Jukebox', 'jukebox');
    const side = h(
        'nav.side',
        { 'aria-label': 'Library' },
        h(
            'a.side-name',
            { href: '#/' },
            h('span.side-mark', { 'aria-hidden': 'true' }, icon('wave')),
            h('span', null, app.connection.hostName && app.hosts.current.name || 'Music'),
        ),
        link('/search', 'Search', 'search'),
        PLACES.map(([path, label, name]) => link(path, label, name)),
        jukebox,
        heading,
        lists,
        h(
            'div.side-end',
            null,
            note,
            more.map(([path, label, name]) => link(path, label, name)),
            link('/settings', 'Settings', 'settings'),
            h('button.nav-link', { type: 'button', onclick: () => showShortcuts() }, icon('help'), h('span', null, 'Shortcuts')),
        ),
    );
    const switcher = iconButton('unfold', 'Hosts', () => showHostMenu(app, switcher), {
        class: 'icon-button side-switch',
        'aria-haspopup': 'menu',
    });
    side.querySelector('.side-name')?.after(switcher);
    const content = h('div.content');
    const scroller = h('main.scroller', { id: 'main', tabindex: '-1' }, content);
    const tabs = h(
        'nav.tabs',
        { 'aria-label': 'Library' },
        TABS.map((path) => {
            const [, label, name] = PLACES.find((place) => place[0] === path) ?? ['/search', 'Search', 'search'];
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
                                ...PLACES.filter(([path]) => !TABS.includes(path)),
                                ...(app.jukebox.state ? [['/jukebox', 'Jukebox', 'jukebox']] : []),
                                ['/queue', 'Queue', 'queue'],
                                ...(app.connection.hasRole('editor') ? more : []),
                                ['/settings', 'Settings', 'settings'],
                            ].map(([path, label, name]) => ({
                                label,
                                icon: name,
                                action: () => app.go(path),
                            })),
                            { label: 'Hosts…', icon: 'unfold', action: () => showHosts(app) },
                        ],
                        event.currentTarget,
                        'More',
                    ),
            },
            icon('more'),
            h('span', null, 'More'),
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
        }, 'Skip to content'),
        side,
        scroller,
    );

    const listeners = new AbortController();
    const { signal } = listeners;
    app.playlists.addEventListener('change', () => {
        const { all } = app.playlists;
        heading.hidden = all.length === 0;
        drawChildren(
            lists,
            all.map((list) => ({
                key: list.id,
                state: [list.name],
                make: () => h('a.nav-list', { href: `#/playlists/${list.id}`, role: 'listitem' }, list.name),
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
            ? `Loading library: ${detail.count.toLocaleString()} of ${detail.total.toLocaleString()}`
            : '';
    }, { signal });
    const banner = h(
        'div.banner',
        { role: 'status', hidden: true },
        h('span'),
        iconButton('close', 'Hide', () => {
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
