import { h } from '../parts/dom.js';
import { clock } from '../parts/texts.js';
import { icon } from '../parts/icons.js';
import { iconButton } from '../parts/buttons.js';
import { CoverView } from '../parts/cover.js';
import { downloadMark } from '../parts/download-mark.js';
import { artistOf, titleOf } from '../../library/track-text.js';
import { t } from '../../texts/text.js';

/** @typedef {Pick<import('../../app.js').App, 'covers' | 'downloads' | 'favourites' | 'player' | 'plays'>} Parts what this module uses of the page */

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
    #artistLink = h('a', { tabindex: '-1', draggable: 'false' }, this.#artist);
    #albumLink = h('a', { tabindex: '-1', draggable: 'false' }, this.#album);
    #marks = h('div.track-marks');
    #play = h(
        'button.track-play',
        { type: 'button', tabindex: '-1' },
        icon('play'),
        h('i.bars', { 'aria-hidden': 'true' }, h('b'), h('b'), h('b')),
    );
    #more = iconButton('more', '', undefined, { tabindex: '-1' });

    #name = '';
    #look;
    #layout;
    /** The layout's version that the cells were made for; negative for rows of two lines. */
    #version = NaN;
    /** The cells of the other columns. @type {{text: Text, column: import('./track-columns.js').Column}[]} */
    #cells = [];

    /**
     * @param {Parts} app
     * @param {{lead: 'cover' | 'number', hasAlbum: boolean}} look
     * @param {import('./track-layout.js').TrackLayout} layout
     */
    constructor(app, look, layout) {
        this.#app = app;
        this.#look = look;
        this.#layout = layout;
        if (look.lead === 'cover') this.#cover = new CoverView(app.covers, 44);
        // On touch screens, a long press opens the menu instead.
        this.element = h('div.track-row', { draggable: matchMedia('(pointer: coarse)').matches ? undefined : 'true' });
    }

    /** Makes the cells again if the columns have changed since. */
    #build() {
        const { isTable, version } = this.#layout;
        const wanted = isTable ? version : -1;
        if (wanted === this.#version) return;
        this.#version = wanted;
        const lead = h('div.track-lead', null, this.#cover?.element ?? h('span.track-number', null, this.#number), this.#play);
        this.#cells = [];
        if (isTable) {
            this.element.replaceChildren(
                lead,
                ...this.#layout.columns.map((column) => this.#cell(column)),
                this.#marks,
                this.#more,
            );
            return;
        }
        this.element.replaceChildren(
            lead,
            h('div.track-names', null, h('span.track-title', null, this.#title), h('span.track-artist', null, this.#artistLink)),
            ...(this.#look.hasAlbum ? [h('div.track-album', null, this.#albumLink)] : []),
            this.#marks,
            h('div.track-time', null, this.#time),
            this.#more,
        );
    }

    /** @param {import('./track-columns.js').Column} column */
    #cell(column) {
        switch (column.name) {
            case 'title':
                return h('div.track-title', null, this.#title);
            case 'artist':
                return h('div.track-artist', null, this.#artistLink);
            case 'album':
                return h('div.track-album', null, this.#albumLink);
            case 'duration':
                return h('div.track-time', null, this.#time);
            default: {
                const text = document.createTextNode('');
                this.#cells.push({ text, column });
                return h(`div.track-cell${column.isEnd ? '.is-end' : ''}`, null, text);
            }
        }
    }

    /** Updates the values of the chosen columns. */
    #fillCells() {
        for (const { text, column } of this.#cells) text.data = column.text(this.#track, this.#app);
    }

    get track() {
        return this.#track;
    }

    /**
     * @param {any} track undefined while it is not known
     * @param {boolean} [isHurried] whether to leave the cover to `finish`
     * @param {boolean} [isSelected]
     */
    show(track, isHurried = false, isSelected = false) {
        this.#build();
        this.element.classList.toggle('is-unknown', !track);
        this.#track = track ?? {};
        if (!track) {
            this.#clear();
            return;
        }
        this.#fillCells();
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
        this.#name = `${title}, ${artist}, ${time}`;
        this.select(isSelected);
        this.element.dataset.track = String(track.id);
        this.#play.setAttribute('aria-label', t('Play {title}', { title }));
        this.#more.setAttribute('aria-label', t('More options for {title}', { title }));
        this.#cover?.show(track, isHurried);
        this.mark();
        this.markDownload();
    }

    /** Shows that the row's track is not known yet. */
    #clear() {
        for (const text of [this.#title, this.#artist, this.#album, this.#time, this.#number]) text.data = '';
        for (const { text } of this.#cells) text.data = '';
        for (const each of [this.#artistLink, this.#albumLink]) link(each, undefined, '');
        this.#name = '';
        this.#marks.replaceChildren();
        this.#cover?.show({ title: '' }, true);
        delete this.element.dataset.track;
        this.select(false);
        this.mark();
    }

    finish() {
        if (this.#track.id) this.#cover?.finish();
    }

    /** Shows whether the row is selected. @param {boolean} isSelected */
    select(isSelected) {
        this.element.classList.toggle('is-selected', isSelected);
        const name = this.#name || t('Loading…');
        this.element.setAttribute('aria-label', isSelected ? t('{name}, selected', { name }) : name);
    }

    /** Updates whether the row's track is the one that plays. */
    mark() {
        const { player } = this.#app;
        const isCurrent = this.#track.id !== undefined && player.current?.id === this.#track.id;
        if (isCurrent) this.element.setAttribute('aria-current', 'true');
        else if (this.element.hasAttribute('aria-current')) this.element.removeAttribute('aria-current');
        this.element.classList.toggle('is-playing', isCurrent && player.state === 'playing');
    }

    /** Updates the download and favourite marks. */
    markDownload() {
        if (this.#track.id === undefined) return;
        const { downloads, favourites } = this.#app;
        const marks = [
            downloads && downloadMark(downloads, this.#track),
            favourites.isStarred('tracks', this.#track.id) && icon('starred', 'track-starred'),
        ].filter(Boolean);
        if (marks.length || this.#marks.firstChild) this.#marks.replaceChildren(...marks);
        this.#fillCells();
    }
}

function link(element, id, place) {
    if (id) element.href = `#/${place}/${id}`;
    else if (element.hasAttribute('href')) element.removeAttribute('href');
}
