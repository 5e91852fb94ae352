import { closest, h } from '../parts/dom.js';
import { iconButton } from '../parts/buttons.js';
import { cover } from '../parts/cover.js';
import { drawChildren } from '../parts/redraw.js';
import { onMenu } from '../parts/menu.js';
import { heart } from '../parts/rating.js';
import { takeTracks } from '../lists/track-drag.js';
import { addToQueue, trackMenu } from '../lists/track-menu.js';
import { artistOf, titleOf } from '../../library/track-text.js';
import { SeekBar } from '../../visualizer/seek-bar/seek-bar.js';
import { Visualizer } from '../../visualizer/visualizer.js';
import { stateText, times } from './state-text.js';
import { castButton } from './cast-button.js';
import { transport, volume } from './transport.js';
import { sleepButton } from './sleep-and-speed.js';
import { t } from '../../texts/text.js';

/** @typedef {Pick<import('../../app.js').App, 'cast' | 'client' | 'colours' | 'covers' | 'downloads' | 'favourites' | 'frames' | 'go' | 'openPlayer' | 'player' | 'playlists' | 'settings' | 'stations' | 'timelines' | 'trackActions'>} Parts what this module uses of the page */

/**
 * The player bar at the bottom, with the visualizer behind it.
 * @param {Parts} app
 * @param {AbortSignal} signal removes it
 */
export function playerBar(app, signal) {
    const { player } = app;
    const canvas = h('canvas.bar-visualizer', { 'aria-hidden': 'true' });
    const picture = h('button.bar-cover', {
        type: 'button',
        'aria-label': t('Open player'),
        title: t('Open player'),
        onclick: () => app.openPlayer(),
    });
    const title = h('button.bar-title', { type: 'button', onclick: () => app.openPlayer() });
    const artist = h('span.bar-artist');
    const loved = heart(app, 'tracks', () => player.current?.id);
    const seekPlace = h('div.bar-seek');
    const bar = new SeekBar(seekPlace, { player, client: app.client, colours: app.colours, data: app.timelines });
    const [passed, left] = times(app, bar, signal);
    // On phones, a thin progress line replaces the seek bar.
    const progress = h('i.bar-progress', { 'aria-hidden': 'true' });
    const element = h(
        'footer.player-bar',
        { 'aria-label': t('Player'), role: 'contentinfo' },
        canvas,
        progress,
        h('div.bar-track', null, picture, h('div.bar-names', null, title, artist, stateText(app, signal)), loved.button),
        h('div.bar-middle', null, transport(app, signal), h('div.bar-line', null, passed, seekPlace, left)),
        h(
            'div.bar-more',
            null,
            iconButton('lyrics', t('Lyrics'), () => app.openPlayer('lyrics')),
            iconButton('queue', t('Queue'), () => app.openPlayer('queue')),
            sleepButton(app, signal),
            castButton(app),
            volume(app, signal),
        ),
    );
    const draw = () => {
        const track = player.current;
        element.classList.toggle('is-empty', !track);
        document.body.classList.toggle('has-track', Boolean(track));
        drawChildren(picture, [{
            key: 'cover',
            state: [track?.cover_url, track?.album, track?.title, track?.artist],
            make: () => cover(app.covers, track, 56),
        }]);
        title.textContent = track ? titleOf(track) : t('Nothing playing');
        const name = track ? artistOf(track) : t('Choose a song to play');
        drawChildren(artist, [{
            key: 'artist',
            state: [track?.artist_id, name],
            make: () => (track?.artist_id ? h('a', { href: `#/artists/${track.artist_id}` }, name) : h('span', null, name)),
        }]);
        loved.button.hidden = !track;
        loved.show();
    };
    for (const type of ['track', 'tags']) player.addEventListener(type, draw, { signal });
    for (const type of ['position', 'track', 'state']) {
        player.addEventListener(
            type,
            () => progress.style.setProperty('--part', String(player.duration ? player.position / player.duration : 0)),
            { signal },
        );
    }
    app.favourites.addEventListener('change', loved.show, { signal });
    takeTracks(element, (tracks) => addToQueue(app, tracks), signal);
    onMenu(element, (at) => player.current && trackMenu(app, [player.current], at));
    element.querySelector('.bar-names')?.addEventListener('click', (event) => {
        if (player.current && !closest(event, 'button, a') && matchMedia('(pointer: coarse)').matches) app.openPlayer();
    });
    // On phones, swiping up opens the player, and swiping sideways skips.
    let start = null;
    element.addEventListener('touchstart', (event) => {
        start = closest(event, '.seek-bar, input') ? null : event.touches[0];
    }, { passive: true });
    element.addEventListener('touchend', (event) => {
        if (!start) return;
        const end = event.changedTouches[0];
        const [x, y] = [end.clientX - start.clientX, end.clientY - start.clientY];
        if (y < -40 && Math.abs(x) < 60) app.openPlayer();
        else if (Math.abs(x) > 80 && Math.abs(y) < 40) {
            if (x < 0) player.next();
            else player.previous();
        }
        start = null;
    }, { passive: true });
    draw();
    const visualizer = new Visualizer(canvas, {
        player,
        settings: app.settings,
        scope: 'mini',
        frames: app.frames,
        colours: app.colours,
    });
    visualizer.start();
    signal.addEventListener('abort', () => {
        visualizer.stop();
        bar.close();
    });
    return { element };
}
