import { counted, h, lengthText } from '../parts/dom.js';
import { iconButton, textButton } from '../parts/buttons.js';
import { cover } from '../parts/cover.js';
import { downloadButton } from '../parts/download-mark.js';
import { empty } from '../parts/empty.js';
import { showMenu } from '../parts/menu.js';
import { askText, confirmed } from '../parts/dialog.js';
import { orToast, toast } from '../parts/toast.js';
import { play } from '../lists/track-menu.js';
import { trackList } from '../lists/track-list.js';

/** One playlist. */
export function playlistPage(app, { id: text }) {
    const { playlists } = app;
    const id = Number(text);
    const listeners = new AbortController();
    const element = h('section.page.playlist', null, h('div.empty', { role: 'status' }, 'Reading…'));
    let state = null;
    let list = null;
    const change = async work => {
        try {
            await work(state.tag);
        } catch (error) {
            toast(error.kind === 'conflict' ? 'The playlist has changed meanwhile. Try again.' : error.message);
        }
        await read();
    };
    const read = async () => {
        try {
            state = await playlists.one(id);
        } catch (error) {
            element.replaceChildren(empty('playlists', error.kind === 'not-found' ? 'There is no such playlist' : 'The playlist cannot be read', error.message));
            return;
        }
        if (!listeners.signal.aborted) draw();
    };
    const draw = () => {
        const { playlist, tracks } = state;
        list?.close();
        list = trackList(app, { tracks: () => tracks, label: playlist.name, menu: (_, index) => [
            index > 0 && { label: 'Move up', icon: 'queue', action: () => change(tag => playlists.move(id, index, index - 1, tag)) },
            index < tracks.length - 1 && { label: 'Move down', icon: 'queue', action: () => change(tag => playlists.move(id, index, index + 1, tag)) },
            { label: 'Remove from playlist', icon: 'trash', isDanger: true, action: () => change(tag => playlists.remove(id, index, tag)) },
        ].filter(Boolean), onKey: (index, event) => {
            const step = event.altKey ? { ArrowUp: -1, ArrowDown: 1 }[event.key] : 0;
            if (event.key === 'Delete') change(tag => playlists.remove(id, index, tag));
            else if (step && tracks[index + step]) change(tag => playlists.move(id, index, index + step, tag)).then(() => list.list.focusOn(index + step));
            else return;
            event.preventDefault();
        } });
        element.setAttribute('aria-label', playlist.name);
        const pictures = [...new Map(tracks.map(track => [track.album_id ?? track.id, track])).values()].slice(0, 4);
        element.replaceChildren(
            h('div.hero', null, h('div.hero-glow', { 'aria-hidden': 'true' }, pictures[0] ? cover(app.covers, pictures[0], 128) : ''),
                h('div.mosaic', { 'data-count': pictures.length, 'aria-hidden': 'true' }, pictures.length ? pictures.map(track => cover(app.covers, track, 160)) : cover(app.covers, { name: playlist.name }, 160)),
                h('div.hero-text', null, h('span.hero-kind', null, 'Playlist'), h('h1', { tabindex: '-1' }, playlist.name), playlist.description && h('p.hero-facts', null, playlist.description),
                    h('p.hero-facts', null, `${counted(playlist.track_count, 'song')} · ${lengthText(playlist.duration_seconds)}`),
                    h('div.hero-actions', null, textButton('Play', () => play(app, tracks, 0, { shuffle: false }), { name: 'play', kind: 'is-main' }),
                        textButton('Shuffle', () => play(app, tracks, 0, { shuffle: true }), { name: 'shuffle' }), app.downloads && downloadButton(app, () => tracks, playlist.name, listeners.signal).element,
                        iconButton('more', 'More', event => showMenu([
                            { label: 'Rename…', icon: 'edit', action: async () => {
                                const name = await askText('Rename playlist', { label: 'Name', value: playlist.name });
                                if (name) change(() => playlists.rename(id, name));
                            } },
                            { label: 'Delete playlist…', icon: 'trash', isDanger: true, action: async () => {
                                if (!await confirmed(`Delete “${playlist.name}”?`, 'The songs stay in the library.', 'Delete')) return;
                                await orToast(() => playlists.drop(id));
                                app.go('/playlists');
                            } },
                        ], event.currentTarget, playlist.name))))),
            tracks.length ? list.element : empty('playlists', 'Nothing in it yet', 'Add songs from their menus.'));
    };
    read();
    return { element, title: playlists.all.find(one => one.id === id)?.name ?? 'Playlist', close: () => { listeners.abort(); list?.close(); } };
}
