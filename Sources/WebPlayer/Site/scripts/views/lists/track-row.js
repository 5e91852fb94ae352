import { h } from '../parts/dom.js';
import { clock } from '../parts/texts.js';
import { icon } from '../parts/icons.js';
import { iconButton } from '../parts/buttons.js';
import { CoverView } from '../parts/cover.js';
import { downloadMark } from '../parts/download-mark.js';
import { artistOf, titleOf } from '../../library/track-text.js';

/** @typedef {Pick<import('../../app.js').App, 'covers' | 'downloads' | 'favourites' | 'player'>} Parts what this module uses of the page */

/** A row of a track list. It is reused for other tracks while scrolling; its list handles the events. */
export class TrackRow {
    #app;
    /** @type {any} */
    #track = null;
    /** @type {CoverView | null} */
    #cover = null;
    #number = document.createTextNode('');
    #title = document.createTextNode('');
    #artist = document.createTextNode('');
    #album = document.createTextNode('');
    #time = document.createTextNode('');
    #artistLink = h('a', { tabindex: '-1' }, this.#artist);
    #albumLink = h('a', { tabindex: '-1' }, this.#album);
    #marks = h('div.track-marks');
    #play = h(
        'button.track-play',
        { type: 'button', tabindex: '-1' },
        icon('play'),
        h('i.bars', { 'aria-hidden': 'true' }, h('b'), h('b'), h('b')),
    );
    #more = iconButton('more', '', undefined, { tabindex: '-1' });

    /** @param {Parts} app @param {{lead: 'cover' | 'number', hasAlbum: boolean}} look */
    constructor(app, { lead, hasAlbum }) {
        this.#app = app;
        if (lead === 'cover') this.#cover = new CoverView(app.covers, 44);
        this.element = h(
            'div.track-row',
            null,
            h('div.track-lead', null, this.#cover?.element ?? h('span.track-number', null, this.#number), this.#play),
            h('div.track-names', null, h('span.track-title', null, this.#title), h('span.track-artist', null, this.#artistLink)),
            hasAlbum && h('div.track-album', null, this.#albumLink),
            this.#marks,
            h('div.track-time', null, this.#time),
            this.#more,
        );
    }

    get track() {
        return this.#track;
    }

    /** @param {any} track @param {boolean} [isHurried] whether to leave the cover to `finish` */
    show(track, isHurried = false) {
        this.#track = track;
        const title = titleOf(track);
        const artist = artistOf(track);
        const time = clock(track.duration_seconds);
        this.#title.data = title;
        this.#artist.data = artist;
        this.#album.data = track.album ?? '';
        this.#time.data = time;
        this.#number.data = String(track.track_number ?? '·');
        link(this.#artistLink, track.artist_id, 'artists');
        link(this.#albumLink, track.album_id, 'albums');
        this.element.setAttribute('aria-label', `${title}, ${artist}, ${time}`);
        this.element.dataset.track = String(track.id);
        this.#play.setAttribute('aria-label', `Play ${title}`);
        this.#more.setAttribute('aria-label', `More options for ${title}`);
        this.#cover?.show(track, isHurried);
        this.mark();
        this.markDownload();
    }

    finish() {
        this.#cover?.finish();
    }

    /** Updates whether the row's track is the one that plays. */
    mark() {
        const { player } = this.#app;
        const isCurrent = player.current?.id === this.#track.id;
        if (isCurrent) this.element.setAttribute('aria-current', 'true');
        else if (this.element.hasAttribute('aria-current')) this.element.removeAttribute('aria-current');
        this.element.classList.toggle('is-playing', isCurrent && player.state === 'playing');
    }

    /** Updates the download and favourite marks. */
    markDownload() {
        const { downloads, favourites } = this.#app;
        const marks = [
            downloads && downloadMark(downloads, this.#track),
            favourites.isStarred('tracks', this.#track.id) && icon('starred', 'track-starred'),
        ].filter(Boolean);
        if (marks.length || this.#marks.firstChild) this.#marks.replaceChildren(...marks);
    }
}

function link(element, id, place) {
    if (id) element.href = `#/${place}/${id}`;
    else if (element.hasAttribute('href')) element.removeAttribute('href');
}
