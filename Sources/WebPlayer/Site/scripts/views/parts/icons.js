/** Icon outlines on a 24 × 24 grid, drawn as strokes unless listed in `FILLED`. */
const PATHS = {
    play: 'M8 5.2v13.6c0 .8.9 1.3 1.6.9l10.6-6.8c.6-.4.6-1.4 0-1.8L9.6 4.3C8.9 3.9 8 4.4 8 5.2z',
    pause:
        'M7 4h2.6c.6 0 1 .4 1 1v14c0 .6-.4 1-1 1H7c-.6 0-1-.4-1-1V5c0-.6.4-1 1-1zm7.4 0H17c.6 0 1 .4 1 1v14c0 .6-.4 1-1 1h-2.6c-.6 0-1-.4-1-1V5c0-.6.4-1 1-1z',
    next:
        'M4.5 6v12c0 .8.9 1.3 1.6.8l8.4-6v5.7c0 .6.4 1 1 1h1.5c.6 0 1-.4 1-1v-13c0-.6-.4-1-1-1h-1.5c-.6 0-1 .4-1 1v5.7l-8.4-6c-.7-.5-1.6 0-1.6.8z',
    previous:
        'M19.5 6v12c0 .8-.9 1.3-1.6.8l-8.4-6v5.7c0 .6-.4 1-1 1H7c-.6 0-1-.4-1-1v-13c0-.6.4-1 1-1h1.5c.6 0 1 .4 1 1v5.7l8.4-6c.7-.5 1.6 0 1.6.8z',
    more:
        'M5 10.3a1.7 1.7 0 1 1 0 3.4 1.7 1.7 0 0 1 0-3.4zm7 0a1.7 1.7 0 1 1 0 3.4 1.7 1.7 0 0 1 0-3.4zm7 0a1.7 1.7 0 1 1 0 3.4 1.7 1.7 0 0 1 0-3.4z',
    starred: 'M12 20.6s-8.4-5-8.4-11A4.7 4.7 0 0 1 12 6.8a4.7 4.7 0 0 1 8.4 2.8c0 6-8.4 11-8.4 11z',
    ratedstar: 'M12 3.4l2.6 5.5 6 .8-4.4 4.2 1.1 6-5.3-2.9-5.3 2.9 1.1-6-4.4-4.2 6-.8z',
    star: 'M12 20.6s-8.4-5-8.4-11A4.7 4.7 0 0 1 12 6.8a4.7 4.7 0 0 1 8.4 2.8c0 6-8.4 11-8.4 11z',
    rating: 'M12 3.4l2.6 5.5 6 .8-4.4 4.2 1.1 6-5.3-2.9-5.3 2.9 1.1-6-4.4-4.2 6-.8z',
    shuffle: 'M16 4h4v4M20 4l-6.5 6.5M4 20l6-6M16 20h4v-4M20 20L4 4',
    repeat: 'M17 3l3 3-3 3M20 6H8a4 4 0 0 0-4 4v1M7 21l-3-3 3-3M4 18h12a4 4 0 0 0 4-4v-1',
    repeatone: 'M17 3l3 3-3 3M20 6H8a4 4 0 0 0-4 4v1M7 21l-3-3 3-3M4 18h12a4 4 0 0 0 4-4v-1M11 10.5l1.5-1v5.5',
    volume: 'M4 9.5v5h3.2l4.8 4V5.5l-4.8 4zM15.5 9a4.2 4.2 0 0 1 0 6M18 6.5a7.8 7.8 0 0 1 0 11',
    muted: 'M4 9.5v5h3.2l4.8 4V5.5l-4.8 4zM16 9.5l5 5M21 9.5l-5 5',
    cast: 'M4 9V6a1 1 0 0 1 1-1h14a1 1 0 0 1 1 1v12a1 1 0 0 1-1 1h-5M4 12.500a6.500 6.500 0 0 1 6.500 6.500M4 16a3 3 0 0 1 3 3',
    left: 'M14.500 5.500L8 12l6.500 6.500',
    right: 'M9.500 5.500L16 12l-6.500 6.500',
    unfold: 'M8 9.500l4-4 4 4M8 14.500l4 4 4-4',
    home: 'M4 11l8-7 8 7v8a1 1 0 0 1-1 1h-4.5v-6h-5v6H5a1 1 0 0 1-1-1z',
    albums:
        'M5 4h14a1 1 0 0 1 1 1v14a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1V5a1 1 0 0 1 1-1zM12 8.2a3.8 3.8 0 1 1 0 7.6 3.8 3.8 0 0 1 0-7.6zM12 11.6v.8',
    artists: 'M12 4a4 4 0 1 1 0 8 4 4 0 0 1 0-8zM4.5 20c.6-3.6 3.7-5.5 7.500-5.5s6.900 1.900 7.500 5.500',
    songs:
        'M9 18.500V6l10-2v12.500M9 18.500a2.500 2.500 0 1 1-5 0 2.500 2.500 0 0 1 5 0zM19 16.500a2.500 2.500 0 1 1-5 0 2.500 2.500 0 0 1 5 0z',
    playlists: 'M4 6h12M4 11h12M4 16h7M17.500 12.500v6M17.500 18.500a2 2 0 1 1-4 0 2 2 0 0 1 4 0zM17.500 12.500l3 1',
    genres: 'M12.500 4H19a1 1 0 0 1 1 1v6.500L11.500 20 4 12.500zM15.800 7.800v.5',
    map: 'M6 7.500a1.500 1.500 0 1 0 .1 0zM15 4.500a1.500 1.500 0 1 0 .1 0zM18.500 13a1.500 1.500 0 1 0 .1 0zM10 15.500a1.500 1.500 0 1 0 .1 0zM11.500 10.500a.8.8 0 1 0 .1 0z',
    radio:
        'M12 11a1.500 1.500 0 1 0 .1 0zM8.500 16a5 5 0 0 1 0-7M15.500 9a5 5 0 0 1 0 7M5.800 18.700a9 9 0 0 1 0-12.400M18.200 6.300a9 9 0 0 1 0 12.400',
    jukebox:
        'M7 3h10a1 1 0 0 1 1 1v16a1 1 0 0 1-1 1H7a1 1 0 0 1-1-1V4a1 1 0 0 1 1-1zM12 11a3.500 3.500 0 1 0 .1 0zM12 6.500a.8.8 0 1 0 .1 0z',
    mix: 'M4 7c8 0 8 10 16 10M4 17c8 0 8-10 16-10',
    similar: 'M9.500 6a6 6 0 1 0 .1 0zM14.500 6a6 6 0 1 0 .1 0z',
    search: 'M10.500 4a6.500 6.500 0 1 1 0 13 6.500 6.500 0 0 1 0-13zM15.300 15.300L20 20',
    settings: 'M4 7h9M17 7h3M15 5v4M4 17h3M11 17h9M9 15v4M4 12h3',
    queue: 'M4 6h16M4 11h16M4 16h8M16 14.500v5l4-2.500z',
    lyrics: 'M5 5h14a1 1 0 0 1 1 1v9a1 1 0 0 1-1 1h-7l-4 4v-4H5a1 1 0 0 1-1-1V6a1 1 0 0 1 1-1zM8 9h8M8 12h5',
    down: 'M6 9l6 6 6-6',
    back: 'M15 5l-7 7 7 7',
    forward: 'M9 5l7 7-7 7',
    close: 'M6 6l12 12M18 6L6 18',
    plus: 'M12 5v14M5 12h14',
    calendar: 'M5 6h14a1 1 0 0 1 1 1v12a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1V7a1 1 0 0 1 1-1zM4 10.500h16M8.500 3.500v4M15.500 3.500v4',
    check: 'M5 12.500l4.500 4.500L19 7.500',
    grip: 'M5 9h14M5 15h14',
    trash: 'M5 7h14M10 4h4M7 7l.8 12a1 1 0 0 0 1 1h6.400a1 1 0 0 0 1-1L17 7M10.500 11v5M13.500 11v5',
    sleep: 'M19.500 14.500A8 8 0 0 1 9.500 4.500a8 8 0 1 0 10 10z',
    speed: 'M4.500 17a8.500 8.500 0 1 1 15 0M12 14.500l4-5',
    wave: 'M3 12h2l2-5 3 11 3-14 3 12 2-4h3',
    download: 'M12 4v11M7.500 11l4.500 4.500 4.500-4.500M5 20h14',
    downloaded: 'M12 3.500a8.500 8.500 0 1 1 0 17 8.500 8.500 0 0 1 0-17zM8.500 12l2.500 2.500 4.500-5',
    smart: 'M4 6h16M7 12h10M10 18h4M19 14.500v5M16.500 17h5',
    columns: 'M5 4h14a1 1 0 0 1 1 1v14a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1V5a1 1 0 0 1 1-1zM9.500 4v16M14.500 4v16',
    filter: 'M4 5h16l-6 7.500V19l-4-2v-4.500z',
    edit: 'M5 19l.8-3.800L16 5l3 3L8.800 18.200zM14 7l3 3',
    help:
        'M12 3.500a8.500 8.500 0 1 1 0 17 8.500 8.500 0 0 1 0-17zM9.500 9.800a2.600 2.600 0 1 1 3.700 2.400c-.8.400-1.200.9-1.200 1.800M12 16.600v.4',
    host: 'M5 5h14v6H5zM5 13h14v6H5zM8 8v.1M8 16v.1',
    upload: 'M12 20V9M7.500 12.500L12 8l4.500 4.500M5 4h14',
    console: 'M4 5h16v14H4zM7.500 9l3 3-3 3M12.500 15h4',
    share: 'M12 15V4M7.500 8L12 3.500 16.500 8M6 12H5v8h14v-8h-1',
    link: 'M9 12h6',
};
const FILLED = new Set(['play', 'pause', 'next', 'previous', 'more', 'starred', 'ratedstar']);
const SVG = 'http://www.w3.org/2000/svg';

/** @param {string} name key of `PATHS` @param {string} [className] */
export function icon(name, className = '') {
    const svg = document.createElementNS(SVG, 'svg');
    svg.setAttribute('viewBox', '0 0 24 24');
    svg.setAttribute('aria-hidden', 'true');
    svg.setAttribute('class', `icon ${FILLED.has(name) ? 'is-filled' : ''} ${className}`.trim());
    const path = document.createElementNS(SVG, 'path');
    path.setAttribute('d', PATHS[name] ?? PATHS.more);
    svg.append(path);
    return svg;
}

/** Changes an icon in place. */
export function setIcon(svg, name) {
    svg.firstChild.setAttribute('d', PATHS[name] ?? PATHS.more);
    svg.classList.toggle('is-filled', FILLED.has(name));
}
