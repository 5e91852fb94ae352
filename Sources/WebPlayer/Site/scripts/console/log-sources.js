import { titleOf } from '../library/track-text.js';

/**
 * Logs page errors, requests, host events and player activity.
 *
 * @param {import('./log.js').Log} log
 * @param {any} parts `host`, `events`, `connection`, `player`, `catalogue`, `downloads`, `waiting`
 */
export function listen(log, { host, events, connection, player, catalogue, downloads, waiting }) {
    addEventListener('error', (event) => log.add('error', 'Page', `${event.message} (${event.filename}:${event.lineno})`));
    addEventListener(
        'unhandledrejection',
        (event) => log.add('error', 'Page', `Unhandled: ${event.reason?.stack ?? event.reason}`),
    );
    document.addEventListener(
        'visibilitychange',
        () => log.add('info', 'Page', document.hidden ? 'Background' : 'Foreground', true),
    );
    for (const name of ['online', 'offline']) addEventListener(name, () => log.add('warn', 'Page', `The browser is ${name}`));

    host.observe = ({ method, url, status, error, milliseconds }) => {
        const { pathname, search } = new URL(url);
        const said = `${method} ${pathname}${search} ${error ? error.message : status} ${Math.round(milliseconds)} ms`;
        log.add(error ? (error.kind === 'not-found' ? 'info' : 'warn') : 'debug', 'Host', said);
    };
    connection.addEventListener(
        'change',
        () =>
            log.add(connection.state === 'open' ? 'info' : 'warn', 'Host', `Connection: ${connection.state} ${connection.message}`),
    );
    events.addEventListener('open', () => log.add('info', 'Host', 'Events: open'));
    events.addEventListener('closed', () => log.add('warn', 'Host', 'Events: closed'));
    events.addEventListener('message', ({ detail }) => log.add('debug', 'Host', `Event ${detail.type}`));
    catalogue.addEventListener(
        'change',
        () =>
            log.add(
                'info',
                'Library',
                `${catalogue.trackCount} tracks, ${catalogue.albums.length} albums, ${catalogue.artists.length} artists`,
            ),
    );

    const playing =
        () => (player.current
            ? `“${player.current.title ?? player.current.relative_path}” at ${player.position.toFixed(1)} s`
            : 'nothing');
    player.addEventListener('track', () => log.add('info', 'Player', `Track: ${playing()}`));
    player.addEventListener(
        'state',
        () =>
            log.add(
                'info',
                'Player',
                `${player.state}${player.message ? `: ${player.message}` : ''}, ${playing()}, ${
                    player.secondsAhead?.toFixed?.(1) ?? '?'
                } s ahead`,
            ),
    );
    player.addEventListener(
        'error',
        ({ detail }) =>
            log.add(
                'error',
                'Player',
                `${detail?.kind ?? ''} ${detail?.message ?? ''}${detail?.retryIn ? `, retrying in ${detail.retryIn} s` : ''}`,
            ),
    );
    player.addEventListener(
        'skip',
        ({ detail: { track, message } }) => log.add('error', 'Player', `Skipped ${titleOf(track)}: ${message}`),
    );
    player.addEventListener(
        'transition',
        () =>
            log.add(
                'debug',
                'Player',
                player.transition ? `Crossfade of ${player.transition.seconds.toFixed(1)} s` : 'Crossfade finished',
            ),
    );
    downloads.addEventListener('done', () => log.add('info', 'Offline', `${downloads.all.length} downloads`));
    downloads.addEventListener('failed', ({ detail }) => log.add('error', 'Offline', `${detail.track.title}: ${detail.message}`));
    waiting.addEventListener('change', () => log.add('debug', 'Offline', `${waiting.pending.length} actions queued`));
}
