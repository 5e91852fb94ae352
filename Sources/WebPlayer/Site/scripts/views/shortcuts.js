import { h } from './parts/dom.js';
import { bounded } from '../playback/control/bounded.js';
import { SPEED } from '../host/settings-table.js';
import { closeMenu } from './parts/menu.js';
import { showSheet } from './parts/dialog.js';
import { toast } from './parts/toast.js';
import { repeatText } from './playing/transport.js';
import { t } from '../texts/text.js';

/** @typedef {Pick<import('../app.js').App, 'closePlayer' | 'favourites' | 'go' | 'isPlayerOpen' | 'openPlayer' | 'player' | 'radio' | 'settings'>} Parts what this module uses of the page */

/** Change of the speed per key press. */
const SPEED_STEP = 0.05;

/**
 * Shortcuts by group: keys, their label, description and action.
 * @type {() => [string, [string[], string, string, (app: any) => void][]][]}
 */
const groups = () => [
    [t('Playback'), [
        [[' '], t('Space', { as: 'key' }), t('Play or pause'), (app) => (app.radio.station ? app.radio : app.player).toggle()],
        [['ArrowRight'], '→', t('Skip forward 10 seconds'), (app) => skip(app, 10)],
        [['ArrowLeft'], '←', t('Skip back 10 seconds'), (app) => skip(app, -10)],
        [['n'], 'N', t('Next song'), (app) => app.player.next()],
        [['p'], 'P', t('Previous song'), (app) => app.player.previous()],
        [['ArrowUp'], '↑', t('Volume up'), (app) => {
            app.player.volume += 0.05;
        }],
        [['ArrowDown'], '↓', t('Volume down'), (app) => {
            app.player.volume -= 0.05;
        }],
        [['0'], '0', t('Mute'), (app) => {
            app.player.muted = !app.player.muted;
        }],
        [['s'], 'S', t('Shuffle'), (app) => {
            app.player.queue.shuffle = !app.player.queue.shuffle;
            toast(app.player.queue.shuffle ? t('Shuffle on') : t('Shuffle off'));
        }],
        [['r'], 'R', t('Repeat: all, one, off'), (app) => {
            app.player.queue.repeat = { off: 'all', all: 'one', one: 'off' }[app.player.queue.repeat];
            toast(repeatText(app.player.queue.repeat));
        }],
        [['<', ','], ',', t('Slower'), (app) => changeSpeed(app, -SPEED_STEP)],
        [['>', '.'], '.', t('Faster'), (app) => changeSpeed(app, SPEED_STEP)],
        [['l'], 'L', t('Favourite'), (app) => {
            const track = app.player.current;
            if (track) app.favourites.star('tracks', track.id, !app.favourites.isStarred('tracks', track.id));
        }],
    ]],
    [t('Navigation'), [
        [['/'], '/', t('Search'), (app) => app.go('/search')],
        [['i'], 'I', t('Open or close the player'), (app) => (app.isPlayerOpen ? app.closePlayer() : app.openPlayer())],
        [['q'], 'Q', t('Queue'), (app) => app.openPlayer('queue')],
        [['t'], 'T', t('Lyrics'), (app) => app.openPlayer('lyrics')],
        [['1'], '1 … 6', t('Home, albums, artists, songs, playlists, favourites'), (app) => app.go('/')],
        [['`'], '`', t('Developer console'), (app) => app.settings.set('console.enabled', !app.settings.get('console.enabled'))],
        [['?'], '?', t('Keyboard shortcuts'), () => showShortcuts()],
    ]],
];
const inLists = () => [
    ['↑ ↓', t('Previous or next row')],
    [t('Enter', { as: 'key' }), t('Play from here')],
    ['M', t('Open menu')],
    ['F', t('Favourite')],
    ['X', t('Play next')],
    [t('Alt ↑ ↓'), t('Move within the queue or a playlist')],
    [t('Delete', { as: 'key' }), t('Remove from the queue or a playlist')],
    [t('Alt ← →'), t('Change the width of a column')],
    [t('Alt Shift ← →'), t('Move a column')],
];
const PLACES = { 1: '/', 2: '/albums', 3: '/artists', 4: '/songs', 5: '/playlists', 6: '/favourites' };

/** Moves in the radio station that plays, or else in the track. */
function skip({ player, radio }, seconds) {
    if (radio.station) radio.skip(seconds);
    else player.seek(player.position + seconds);
}

function changeSpeed({ player }, step) {
    player.speed = bounded((player.speed + step).toFixed(2), SPEED.least, SPEED.most);
}

/**
 * Handles keyboard shortcuts, except while the user is typing.
 * @param {Parts} app
 */
export function listenToKeys(app) {
    const actions = new Map(
        groups().flatMap(([, keys]) => keys.flatMap(([names, , , action]) => names.map((name) => [name, action]))),
    );
    for (const [key, path] of Object.entries(PLACES)) actions.set(key, () => app.go(path));
    addEventListener('keydown', (event) => {
        if (event.defaultPrevented || event.altKey) return;
        const target = event.target instanceof Element ? event.target : document.body;
        const isTyping = target.closest('input:not([type="range"], [type="checkbox"]), textarea, select, [contenteditable]');
        if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
            event.preventDefault();
            app.go('/search');
            return;
        }
        if (event.ctrlKey || event.metaKey || isTyping) return;
        if (event.key === 'Escape') {
            // Dialogs, including the player, close themselves; an open menu handles the key first.
            if (closeMenu()) event.preventDefault();
            return;
        }
        // Controls handle these keys themselves.
        const isControl = target.closest('button, a, input, [role="slider"], [role="radio"], [role="menuitem"], summary');
        if (isControl && [' ', 'Enter', 'ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight'].includes(event.key)) return;
        if (target.closest('[role="listitem"], dialog.sheet') && ['ArrowUp', 'ArrowDown'].includes(event.key)) return;
        if (target.closest('dialog.sheet')) return;
        const action = actions.get(event.key.length === 1 ? event.key.toLowerCase() : event.key);
        if (!action) return;
        event.preventDefault();
        action(app);
    });
}

/** Shows the list of keyboard shortcuts. */
export function showShortcuts() {
    const table = (title, rows) =>
        h(
            'section.keys',
            null,
            h('h3', null, title),
            h(
                'dl',
                null,
                rows.map(([key, text]) =>
                    h('div', null, h('dt', null, key.split(' ').map((part) => h('kbd', null, part))), h('dd', null, text))
                ),
            ),
        );
    showSheet(t('Keyboard shortcuts'), [
        ...groups().map(([title, keys]) => table(title, keys.map(([, key, text]) => [key, text]))),
        table(t('In lists'), inLists()),
    ], { className: 'is-wide' });
}
