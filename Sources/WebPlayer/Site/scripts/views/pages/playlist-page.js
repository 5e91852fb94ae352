import { h } from '../parts/dom.js';
import { lengthText } from '../parts/texts.js';
import { iconButton, textButton } from '../parts/buttons.js';
import { cover } from '../parts/cover.js';
import { downloadButton } from '../parts/download-mark.js';
import { empty } from '../parts/empty.js';
import { showMenu } from '../parts/menu.js';
import { askText, confirmed } from '../parts/dialog.js';
import { drawChildren } from '../parts/redraw.js';
import { shareItem } from '../parts/share.js';
import { orToast, toast } from '../parts/toast.js';
import { mixItem } from '../lists/mix-items.js';
import { markBusy, placeholder } from '../parts/placeholder.js';
import { play } from '../lists/track-menu.js';
import { trackList } from '../lists/track-list.js';
import { t } from '../../texts/text.js';

/** @typedef {Pick<import('../../app.js').App, 'client' | 'connection' | 'covers' | 'downloads' | 'favourites' | 'go' | 'player' | 'playlists' | 'plays' | 'scroller' | 'settings' | 'trackActions'>} Parts what this module uses of the page */

/**
 * The page of a playlist.
 * @param {Parts} app
 */
export function playlistPage(app, { id: text }) {
    const { playlists } = app;
    const id = Number(text);
    const listeners = new AbortController();
    const { signal } = listeners;
    const element = h('section.page.playlist');
    let state = null;
    let tracks = [];
    /** Keys of the rows: a song may occur more than once. */
    let keys = [];
    const name = () => state?.playlist.name ?? playlists.all.find((one) => one.id === id)?.name ?? t('Playlist');
    /** Whether it is the account's own playlist; before the host has answered, everything is offered. */
    const isOwn = () => !state || !app.connection.account || state.playlist.owner_id === app.connection.account.id;
    const mayChange = () => isOwn() || app.connection.hasRole('owner');
    const isSmart = () => Boolean(state?.playlist.rules);
    const mayEdit = () => mayChange() && !isSmart();
    const change = async (work) => {
        try {
            await work(state.tag);
        } catch (error) {
            toast(error.kind === 'conflict' ? t('The playlist has changed in the meantime. Try again.') : error.message);
        }
        await read();
    };
    const read = async () => {
        try {
            state = await playlists.one(id);
            markBusy(element, false);
        } catch (error) {
            markBusy(element, false);
            const title = error.kind === 'not-found' ? t('Playlist not found') : t('Could not load the playlist');
            drawChildren(element, [{
                key: 'failure',
                state: [title, error.message],
                make: () => empty('playlists', title, error.message),
            }]);
            return;
        }
        if (!listeners.signal.aborted) draw();
    };
    const list = trackList(app, {
        tracks: () => tracks,
        label: name(),
        view: 'playlist',
        key: (index) => keys[index],
        menu: (_, index) =>
            !mayEdit() ? [] : [
                index > 0 &&
                { label: t('Move up'), icon: 'queue', action: () => change((tag) => playlists.move(id, index, index - 1, tag)) },
                index < tracks.length - 1 &&
                { label: t('Move down'), icon: 'queue', action: () => change((tag) => playlists.move(id, index, index + 1, tag)) },
                {
                    label: t('Remove from playlist'),
                    icon: 'trash',
                    isDanger: true,
                    action: () => change((tag) => playlists.remove(id, index, tag)),
                },
            ].filter(Boolean),
        onKey: (index, event) => {
            if (!mayEdit()) return;
            const step = event.altKey ? { ArrowUp: -1, ArrowDown: 1 }[event.key] : 0;
            if (event.key === 'Delete') change((tag) => playlists.remove(id, index, tag));
            else if (step && tracks[index + step]) {
                change((tag) => playlists.move(id, index, index + step, tag)).then(() => list.list.focusOn(index + step));
            } else return;
            event.preventDefault();
        },
    });
    const download = app.downloads && downloadButton(app, () => tracks, name(), signal);
    const edit = textButton(t('Edit rules'), () => app.go(`/smart-playlists/${id}`), { name: 'edit', hidden: true });
    const actions = h(
        'div.hero-actions',
        null,
        textButton(t('Play'), () => play(app, tracks, 0, { shuffle: false }), { name: 'play', kind: 'is-main' }),
        textButton(t('Shuffle'), () => play(app, tracks, 0, { shuffle: true }), { name: 'shuffle' }),
        download?.element,
        edit,
        iconButton('more', t('More'), (event) =>
            showMenu(
                [
                    ...(tracks.length > 2 ? [mixItem(app, () => tracks)] : []),
                    shareItem(app, { playlist_ids: [id] }, name()),
                    ...(isSmart()
                        ? [{
                            label: t('Export rules (.nsp)'),
                            icon: 'download',
                            action: () => orToast(() => exportRules(app, id, name())),
                        }]
                        : []),
                    ...(!mayChange() ? [] : [{
                        label: t('Shown to all accounts'),
                        icon: 'artists',
                        isChecked: Boolean(state?.playlist.is_public),
                        action: () => change(() => playlists.publish(id, !state.playlist.is_public)),
                    }, {
                        label: t('Rename…'),
                        icon: 'edit',
                        action: async () => {
                            const wanted = await askText(t('Rename playlist'), { label: t('Name'), value: name() });
                            if (wanted) change(() => playlists.rename(id, wanted));
                        },
                    }, {
                        label: t('Delete playlist…'),
                        icon: 'trash',
                        isDanger: true,
                        action: async () => {
                            if (
                                !await confirmed(
                                    t('Delete “{name}”?', { name: name() }),
                                    t('The songs stay in the library.'),
                                    t('Delete'),
                                )
                            ) return;
                            await orToast(() => playlists.drop(id));
                            app.go('/playlists');
                        },
                    }]),
                ],
                event.currentTarget,
                name(),
            )),
    );
    const hero = h('div.hero');
    const words = h('div.hero-text');
    const draw = () => {
        const { playlist } = state;
        tracks = state.tracks;
        const counts = new Map();
        keys = tracks.map((track) => {
            const count = (counts.get(track.id) ?? 0) + 1;
            counts.set(track.id, count);
            return `${track.id} ${count}`;
        });
        element.setAttribute('aria-label', playlist.name);
        const pictures = [...new Map(tracks.map((track) => [track.album_id ?? track.id, track])).values()].slice(0, 4);
        const shown = [playlist.name, ...pictures.map((track) => track.cover_url)];
        edit.hidden = !isSmart() || !mayChange();
        const kind = kindText(playlist, isOwn());
        const facts = t('{count} songs · {duration}', {
            count: playlist.track_count,
            duration: lengthText(playlist.duration_seconds),
        });
        drawChildren(words, [
            { key: 'kind', state: [kind], make: () => h('span.hero-kind', null, kind) },
            { key: 'name', state: [playlist.name], make: () => h('h1', { tabindex: '-1' }, playlist.name) },
            ...(playlist.description
                ? [{ key: 'description', state: [playlist.description], make: () => h('p.hero-facts', null, playlist.description) }]
                : []),
            { key: 'facts', state: [facts], make: () => h('p.hero-facts', null, facts) },
            { key: 'actions', make: () => actions },
        ]);
        drawChildren(hero, [
            {
                key: 'glow',
                state: shown,
                make: () => h('div.hero-glow', { 'aria-hidden': 'true' }, pictures[0] ? cover(app.covers, pictures[0], 128) : ''),
            },
            {
                key: 'mosaic',
                state: shown,
                make: () =>
                    h(
                        'div.mosaic',
                        { 'data-count': pictures.length, 'aria-hidden': 'true' },
                        pictures.length
                            ? pictures.map((track) => cover(app.covers, track, 160))
                            : cover(app.covers, { name: playlist.name }, 160),
                    ),
            },
            { key: 'text', make: () => words },
        ]);
        drawChildren(element, [
            { key: 'hero', make: () => hero },
            tracks.length ? { key: 'list', make: () => list.element } : playlist.rules
                ? {
                    key: 'no match',
                    make: () => empty('smart', t('No songs match'), t('Songs appear here as soon as they match the rules.')),
                }
                : { key: 'empty', make: () => empty('playlists', t('This playlist is empty'), t('Add songs from their menus.')) },
        ]);
        list.refresh();
        download?.draw();
    };
    markBusy(element, true);
    drawChildren(element, [{ key: placeholder, make: () => placeholder('hero', 'rows') }]);
    read();
    return {
        element,
        title: name(),
        close: () => {
            listeners.abort();
            list.close();
        },
    };
}

/** Saves the rules of a smart playlist as a file. */
async function exportRules(app, id, name) {
    const content = await app.playlists.exportSmart(id);
    const url = URL.createObjectURL(new Blob([`${JSON.stringify(content, null, 2)}\n`], { type: 'application/json' }));
    h('a', { href: url, download: `${name.replace(/[/\\:*?"<>|]/g, '_')}.nsp` }).click();
    setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** Names the kind of a playlist, and who else sees or made it. @param {any} playlist @param {boolean} isOwn */
function kindText({ rules, is_public: isPublic, owner }, isOwn) {
    if (!isOwn) return rules ? t('Smart playlist by {owner}', { owner }) : t('Playlist by {owner}', { owner });
    if (isPublic) return rules ? t('Smart playlist, shown to all accounts') : t('Playlist, shown to all accounts');
    return rules ? t('Smart playlist') : t('Playlist');
}
