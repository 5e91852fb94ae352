import { closest, h } from '../views/parts/dom.js';
import { FollowScroll } from './follow-scroll.js';
import { LyricsSource } from './lyrics-source.js';
import { sungPart } from './timed-lyrics.js';
import { decimalText } from '../views/parts/texts.js';
import { t } from '../texts/text.js';

/** Seconds per press of the offset buttons. */
const STEP = 0.1;
/** Milliseconds after the last adjustment until the offset is saved. */
const SAVE_DELAY = 900;

/**
 * Shows the current track's lyrics in time with playback.
 *
 * Tapping a line seeks to it. The offset can be adjusted with buttons, or by tapping each line as it is sung; it is saved with the
 * track.
 */
export class LyricsView {
    #element;
    #player;
    #source;
    #scroller = h('div.lyrics-scroller');
    #list = h('div.lyrics-lines');
    #note = h('p.lyrics-note');
    #tools = h('div.lyrics-tools');
    #followButton = h('button.text-button.lyrics-follow', { type: 'button' }, t('Follow the music'));
    #offsetText = h('output.lyrics-offset');
    #syncButton = h('button.text-button.lyrics-sync', { type: 'button' }, t('Tap to sync'));
    #follow;
    /** @type {Awaited<ReturnType<LyricsSource['load']>>} */
    /** @type {{lyrics: import('./timed-lyrics.js').TimedLyrics, path: string, state: string | null} | null} */
    #loaded = null;
    /** @type {number | null} */
    #trackId = null;
    /** @type {HTMLElement[]} */
    #lineElements = [];
    /** @type {HTMLElement[][]} */
    #wordElements = [];
    #line = -1;
    #fills = new Float32Array(0);
    /** Unsaved adjustment: seconds by which the times are delayed. */
    #later = 0;
    #isSyncing = false;
    #timer = 0;
    #retry = 0;
    #request = 0;
    #isOpen = true;
    #tick = () => this.#frame();
    #listeners = new AbortController();
    #sights;
    /** Whether the lyrics are visible; otherwise they are not fetched. */
    #isOnScreen = false;

    /**
     * @param {HTMLElement} element container of the view
     * @param {{player: import('../visualizer/visualizer.js').VisualizedPlayer, client: import('../host/host-client.js').Client}} parts
     */
    constructor(element, { player, client }) {
        this.#element = element;
        this.#player = player;
        this.#source = new LyricsSource(client);
        this.#follow = new FollowScroll(this.#scroller);
        this.#build();
        this.#fill(null, '');
        const { signal } = this.#listeners;
        player.addEventListener('track', () => this.#track(), { signal });
        for (const type of ['state', 'position']) player.addEventListener(type, () => this.#schedule(), { signal });
        document.addEventListener('visibilitychange', () => this.#schedule(), { signal });
        this.#sights = new IntersectionObserver((entries) => {
            this.#isOnScreen = entries[entries.length - 1].isIntersecting;
            if (this.#isOnScreen) {
                this.#track();
                this.#show(true);
            }
            this.#schedule();
        });
        this.#sights.observe(element);
    }

    /** Unsaved adjustment: seconds by which the times are delayed. */
    get unsavedSeconds() {
        return this.#later;
    }

    /** Saves any unsaved adjustment and empties the element. */
    close() {
        this.#isOpen = false;
        if (this.#timer) this.#save();
        clearTimeout(this.#retry);
        cancelAnimationFrame(this.#request);
        this.#listeners.abort();
        this.#follow.close();
        this.#sights.disconnect();
        this.#element.replaceChildren();
    }

    #build() {
        const { signal } = this.#listeners;
        this.#element.classList.add('lyrics');
        this.#scroller.tabIndex = 0;
        this.#scroller.setAttribute('role', 'region');
        this.#scroller.setAttribute('aria-label', t('Lyrics'));
        this.#note.setAttribute('role', 'status');
        const earlier = h('button.text-button.lyrics-step', { type: 'button' }, t('−{seconds} s', { seconds: STEP }));
        earlier.setAttribute('aria-label', t('Lyrics 0.1 seconds earlier'));
        const later = h('button.text-button.lyrics-step', { type: 'button' }, t('+{seconds} s', { seconds: STEP }));
        later.setAttribute('aria-label', t('Lyrics 0.1 seconds later'));
        this.#syncButton.setAttribute('aria-pressed', 'false');
        this.#syncButton.title = t('Turn on, then tap each line as it is sung');
        this.#followButton.hidden = true;
        this.#tools.setAttribute('role', 'group');
        this.#tools.setAttribute('aria-label', t('Lyrics offset'));
        this.#tools.append(earlier, this.#offsetText, later, this.#syncButton);
        this.#scroller.append(this.#list);
        this.#element.replaceChildren(this.#scroller, this.#note, this.#followButton, this.#tools);
        earlier.addEventListener('click', () => this.#move(-STEP), { signal });
        later.addEventListener('click', () => this.#move(STEP), { signal });
        this.#syncButton.addEventListener('click', () => this.#setSyncing(!this.#isSyncing), { signal });
        this.#followButton.addEventListener('click', () => {
            this.#follow.isFollowing = true;
            this.#show(false);
        }, { signal });
        this.#follow.addEventListener('change', () => {
            this.#followButton.hidden = this.#follow.isFollowing || !this.#loaded?.lyrics.isSynced;
        }, { signal });
        this.#list.addEventListener('click', (event) => this.#tap(event), { signal });
    }

    #track() {
        const id = this.#player.current?.id ?? null;
        if (id === this.#trackId || !this.#isOnScreen) return;
        if (this.#timer) this.#save();
        this.#trackId = id;
        this.#fill(null, id === null ? '' : t('Loading lyrics…'));
        if (id !== null) this.#load(id);
    }

    /** @param {number} id */
    async #load(id) {
        clearTimeout(this.#retry);
        try {
            const loaded = await this.#source.load(id);
            if (id !== this.#trackId || !this.#isOpen) return;
            this.#fill(loaded, loaded ? '' : t('This track has no lyrics.'));
        } catch {
            if (id !== this.#trackId || !this.#isOpen) return;
            this.#fill(null, t('Could not load the lyrics. Retrying…'));
            this.#retry = setTimeout(() => this.#load(id), 5000);
        }
    }

    /** Shows lyrics, or a note instead. */
    #fill(loaded, note) {
        this.#loaded = loaded;
        this.#later = 0;
        this.#line = -1;
        this.#fills = new Float32Array(0);
        this.#setSyncing(false);
        this.#follow.isFollowing = true;
        this.#followButton.hidden = true;
        this.#note.textContent = note;
        this.#note.hidden = note === '';
        const lyrics = loaded?.lyrics ?? null;
        this.#tools.hidden = !lyrics?.isSynced;
        this.#scroller.hidden = lyrics === null;
        this.#list.classList.toggle('is-synced', lyrics?.isSynced === true);
        this.#list.lang = lyrics?.language ?? '';
        this.#wordElements = [];
        this.#lineElements = (lyrics?.lines ?? []).map((line, index) => this.#lineElement(line, index, lyrics.isSynced));
        this.#list.replaceChildren(...this.#lineElements);
        this.#scroller.scrollTop = 0;
        this.#tellOffset('');
        this.#schedule();
    }

    #lineElement(line, index, isSynced) {
        const element = isSynced ? h('button.lyrics-line', { type: 'button', 'data-line': index }) : h('p.lyrics-line');
        element.dir = 'auto';
        const words = line.words.map((word) => {
            const span = h('span.lyrics-word');
            span.textContent = word.text;
            return span;
        });
        this.#wordElements.push(words);
        if (words.length > 0) {
            element.classList.add('has-words');
            element.append(...words);
        } else {
            element.textContent = line.text || (isSynced ? '♪' : '\u00a0');
        }
        return element;
    }

    #schedule() {
        if (this.#request === 0 && this.#isOpen && this.#isOnScreen && !document.hidden && this.#loaded?.lyrics.isSynced) {
            this.#request = requestAnimationFrame(this.#tick);
        }
    }

    #frame() {
        this.#request = 0;
        if (!this.#loaded || !this.#isOpen) return;
        const { lyrics } = this.#loaded;
        const seconds = this.#player.position - this.#later;
        const line = lyrics.lineAt(seconds, this.#line);
        if (line !== this.#line) this.#light(line);
        if (line >= 0) this.#sing(line, seconds);
        if (this.#player.state === 'playing') this.#schedule();
    }

    /** Highlights another line. @param {number} line */
    #light(line) {
        const before = this.#lineElements[this.#line];
        if (before) {
            before.classList.remove('is-sung');
            before.removeAttribute('aria-current');
            for (const word of this.#wordElements[this.#line]) word.style.removeProperty('--sung');
        }
        this.#line = line;
        const now = this.#lineElements[line];
        this.#fills = new Float32Array(now ? this.#wordElements[line].length : 0).fill(-1);
        if (now) {
            now.classList.add('is-sung');
            now.setAttribute('aria-current', 'true');
        }
        for (let index = 0; index < this.#lineElements.length; index++) {
            this.#lineElements[index].classList.toggle('is-past', index < line);
        }
        this.#show(false);
    }

    /** Fills the words of a line up to the part that has been sung. */
    #sing(line, seconds) {
        const { words } = this.#loaded?.lyrics.lines[line] ?? { words: [] };
        for (let index = 0; index < words.length; index++) {
            const part = sungPart(words[index], seconds);
            if (part === this.#fills[index] || (part > 0 && part < 1 && Math.abs(part - this.#fills[index]) < 0.008)) continue;
            this.#fills[index] = part;
            this.#wordElements[line][index].style.setProperty('--sung', part.toFixed(3));
        }
    }

    #show(atOnce) {
        const element = this.#lineElements[this.#line];
        if (element) this.#follow.show(element, atOnce);
    }

    /** @param {MouseEvent} event */
    #tap(event) {
        const element = closest(event, '[data-line]');
        const line = this.#loaded?.lyrics.lines[Number(element?.dataset.line)];
        if (!element || !line) return;
        if (this.#isSyncing) {
            this.#move(this.#player.position - line.start - this.#later);
            return;
        }
        this.#follow.isFollowing = true;
        this.#player.seek(Math.max(0, line.start + this.#later));
    }

    /** Shifts all times. @param {number} seconds later */
    #move(seconds) {
        if (!this.#loaded) return;
        this.#later = Math.round((this.#later + seconds) * 100) / 100;
        this.#tellOffset('');
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => this.#save(), SAVE_DELAY);
        this.#schedule();
    }

    async #save() {
        clearTimeout(this.#timer);
        this.#timer = 0;
        const [loaded, later, id] = [this.#loaded, this.#later, this.#trackId];
        if (!loaded || id === null || later === 0) return;
        try {
            await this.#source.move(loaded, later);
            const fresh = await this.#source.load(id);
            if (id !== this.#trackId || !this.#isOpen || !fresh) return;
            this.#loaded = fresh;
            // Adjustments made meanwhile are still unsaved.
            this.#later = Math.round((this.#later - later) * 100) / 100;
            this.#tellOffset(t('saved'));
        } catch (error) {
            if (id !== this.#trackId || !this.#isOpen) return;
            if (error.status === 412) {
                // Another client has changed the lyrics: use that version and save the adjustment on top of it.
                this.#loaded = await this.#source.load(id).catch(() => null) ?? loaded;
                this.#timer = setTimeout(() => this.#save(), SAVE_DELAY);
                return;
            }
            this.#tellOffset(t('not saved: {message}', { message: error.message }));
        }
        this.#schedule();
    }

    /** @param {string} note */
    #tellOffset(note) {
        const offset = (this.#loaded ? -this.#loaded.lyrics.offset : 0) + this.#later;
        const rounded = Math.round(offset * 100) / 100;
        const sign = rounded === 0 ? '' : rounded > 0 ? '+' : '−';
        const seconds = decimalText(Math.abs(rounded), rounded * 10 % 1 ? 2 : 1);
        const text = t('{sign}{seconds} s', { sign, seconds });
        this.#offsetText.textContent = note ? `${text} · ${note}` : text;
    }

    /** @param {boolean} value */
    #setSyncing(value) {
        this.#isSyncing = value;
        this.#syncButton.setAttribute('aria-pressed', String(value));
        this.#element.classList.toggle('is-syncing', value);
    }
}
