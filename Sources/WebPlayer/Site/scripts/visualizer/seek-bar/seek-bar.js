import { Palette } from '../colours/palette.js';
import { Stage } from '../stage.js';
import { Scrub } from './scrub.js';
import { clockText, spokenTime } from './time-text.js';
import { TimelineData } from './timeline-data.js';
import { TimelinePicture } from './timeline-picture.js';
import { t } from '../../texts/text.js';

/** Seconds that each key moves the position by. */
const STEPS = {
    ArrowLeft: -5,
    ArrowRight: 5,
    ArrowDown: -5,
    ArrowUp: 5,
    PageDown: -30,
    PageUp: 30,
};
const FINE_STEP = 1;
const speedText = (speed) => ({ 0.5: t('Half speed'), 0.25: t('Quarter speed'), 0.1: t('Fine') })[speed] ?? '';

/**
 * The seek bar with the track's waveform: a slider for pointers, keyboard and screen readers.
 *
 * Dispatches 'scrub' events (`detail.seconds`; null at the end of a scrub), so that others can show the time.
 */
export class SeekBar extends EventTarget {
    #element;
    #player;
    #data;
    #colours;
    #canvas = document.createElement('canvas');
    #bubble = document.createElement('div');
    #stage;
    #picture;
    #request = 0;
    /** @type {number | null} */
    #trackId = null;
    /** @type {{overview: import('./overview.js').Overview | null, marks: import('./track-marks.js').TrackMarks | null} | null} */
    #shown = null;
    /** @type {{main: import('../colours/oklch.js').LCH, accent: import('../colours/oklch.js').LCH} | null} */
    #coverColours = null;
    #inks = { text: '#fff', played: '#fff', playedEnd: '#fff', mark: '#fff', head: '#fff' };
    /** @type {Scrub | null} */
    #scrub = null;
    /** @type {number | null} */
    #pointer = null;
    #isDirty = true;
    #drawnAt = new Float64Array([-1]);
    #saidSecond = -1;
    #isOpen = false;
    #tick = () => this.#frame();
    #listeners = new AbortController();

    /**
     * @param {HTMLElement} element container of the bar
     * @param {object} parts
     * @param {import('../visualizer.js').VisualizedPlayer} parts.player
     * @param {import('../../host/host-client.js').Client} [parts.client] required without `data`
     * @param {import('../colours/cover-colours.js').CoverColours} [parts.colours] if set, the bar has the colours of the cover
     * @param {TimelineData} [parts.data] shared by several bars
     */
    constructor(element, { player, client, colours, data }) {
        super();
        this.#element = element;
        this.#player = player;
        this.#data = data ?? new TimelineData(/** @type {import('../../host/host-client.js').Client} */ (client));
        this.#colours = colours;
        element.classList.add('seek-bar');
        element.setAttribute('role', 'slider');
        element.tabIndex = 0;
        if (!element.hasAttribute('aria-label')) element.setAttribute('aria-label', t('Seek'));
        element.setAttribute('aria-valuemin', '0');
        element.setAttribute('aria-orientation', 'horizontal');
        this.#canvas.setAttribute('aria-hidden', 'true');
        this.#bubble.className = 'seek-bar-bubble';
        this.#bubble.setAttribute('aria-hidden', 'true');
        this.#bubble.hidden = true;
        element.replaceChildren(this.#canvas, this.#bubble);
        this.#stage = new Stage(this.#canvas);
        this.#picture = new TimelinePicture(this.#stage.context);
        this.#open();
    }

    /** The position in seconds: that of the scrub, if there is one. */
    get position() {
        return this.#scrub ? this.#scrub.position : this.#player.position;
    }

    /** Empties the element and stops updating. */
    close() {
        this.#isOpen = false;
        this.#listeners.abort();
        this.#stage.close();
        cancelAnimationFrame(this.#request);
        this.#request = 0;
        this.#element.replaceChildren();
    }

    /** Redraws with the current colours. */
    refresh() {
        this.#prepare();
    }

    #open() {
        this.#isOpen = true;
        const { signal } = this.#listeners;
        const player = this.#player;
        player.addEventListener('track', () => this.#track(), { signal });
        for (const type of ['state', 'buffer', 'position']) {
            player.addEventListener(type, () => this.#redraw(), { signal });
        }
        for (const type of ['transition', 'plan', 'queue']) player.addEventListener(type, () => this.#prepare(), { signal });
        for (const type of ['size', 'visibility']) this.#stage.addEventListener(type, () => this.#prepare(), { signal });
        const element = this.#element;
        element.addEventListener('keydown', (event) => this.#key(event), { signal });
        element.addEventListener('pointerdown', (event) => this.#press(event), { signal });
        element.addEventListener('pointermove', (event) => this.#drag(event), { signal });
        element.addEventListener('pointerup', (event) => this.#release(event), { signal });
        element.addEventListener('pointercancel', () => this.#end(), { signal });
        element.addEventListener('pointerleave', () => this.#hover(null), { signal });
        element.addEventListener('blur', () => this.#end(), { signal });
        this.#stage.open();
        this.#prepare();
        this.#track();
    }

    get #duration() {
        return this.#player.duration || this.#player.current?.duration_seconds || 0;
    }

    #track() {
        const track = this.#player.current;
        const id = track?.id ?? null;
        this.#element.setAttribute('aria-disabled', String(id === null));
        if (id !== this.#trackId) {
            this.#trackId = id;
            this.#shown = null;
            this.#end();
            this.#prepare();
            if (track) {
                this.#load(track.id);
                this.#colour(track);
            }
        }
        this.#redraw();
    }

    /** @param {number} id */
    async #load(id) {
        try {
            const shown = await this.#data.load(id);
            if (id !== this.#trackId) return;
            this.#shown = shown;
            this.#prepare();
        } catch {
            // A plain bar is shown until the track is loaded again.
        }
    }

    async #colour(track) {
        if (!this.#colours) return;
        try {
            const colours = await this.#colours.of(track);
            if (track.id !== this.#trackId) return;
            this.#coverColours = colours;
            this.#prepare();
        } catch {
            // The previous colours are kept.
        }
    }

    /** Redraws the static layers. */
    #prepare() {
        if (!this.#isOpen) return;
        const { width, height } = this.#stage;
        const style = getComputedStyle(this.#element);
        const own = (name) => style.getPropertyValue(name).trim();
        const inks = this.#inks;
        inks.text = style.color;
        inks.mark = own('--seek-mark') || style.color;
        inks.played = own('--seek-played') || style.color;
        inks.playedEnd = own('--seek-played-end') || inks.played;
        if (this.#coverColours) {
            const palette = new Palette(this.#coverColours.main, this.#coverColours.accent, this.#stage.ground);
            const brightness = palette.ground === 'dark' ? 0.25 : -0.3;
            inks.played = palette.css(0, brightness);
            inks.playedEnd = palette.css(1, brightness);
        }
        inks.head = style.color;
        const duration = this.#duration;
        const overview = this.#shown?.overview ?? null;
        this.#picture.prepare({
            width,
            height,
            density: width > 0 ? this.#canvas.width / width : 1,
            duration,
            colours: inks,
            bars: overview && duration > 0 ? overview.bars(TimelinePicture.barCount(width), duration) : null,
            marks: this.#shown?.marks ?? null,
            crossfade: this.#crossfade(),
        });
        this.#redraw();
    }

    /**
     * The crossfade to mark on this track: from the previous track while it is heard, otherwise to the next one once it is planned.
     */
    #crossfade() {
        const { transition, plannedTransition: planned } = this.#player;
        if (transition?.to.id === this.#trackId) return { start: transition.cueIn, seconds: transition.seconds };
        return planned?.kind === 'overlap' ? { start: planned.start, seconds: planned.seconds } : null;
    }

    #redraw() {
        this.#isDirty = true;
        this.#speak(false);
        this.#schedule();
    }

    #schedule() {
        if (this.#request === 0 && this.#isOpen && this.#stage.isSeen) {
            this.#request = requestAnimationFrame(this.#tick);
        }
    }

    #frame() {
        this.#request = 0;
        if (!this.#isOpen || !this.#stage.isSeen) return;
        const duration = this.#duration;
        const played = duration > 0 ? Math.min(1, Math.max(0, this.position / duration)) : 0;
        // Changes below half a pixel are invisible.
        if (this.#isDirty || Math.abs(played - this.#drawnAt[0]) * this.#canvas.width >= 0.5) {
            this.#isDirty = false;
            this.#drawnAt[0] = played;
            this.#picture.draw(played, this.#player.buffered, duration || 1, this.#inks.head);
        }
        if (this.#player.state === 'playing') this.#schedule();
    }

    /** Updates the values for screen readers; while the bar is focused, only after user input. @param {boolean} byUser */
    #speak(byUser) {
        const second = Math.floor(this.position);
        if (second === this.#saidSecond || (!byUser && document.activeElement === this.#element && this.#saidSecond >= 0)) return;
        this.#saidSecond = second;
        const duration = this.#duration;
        this.#element.setAttribute('aria-valuemax', String(Math.floor(duration)));
        this.#element.setAttribute('aria-valuenow', String(Math.min(second, Math.floor(duration))));
        this.#element.setAttribute(
            'aria-valuetext',
            t('{time} of {length}', { time: spokenTime(second), length: spokenTime(duration) }),
        );
    }

    /** @param {KeyboardEvent} event */
    #key(event) {
        if (event.altKey || event.ctrlKey || event.metaKey || !(this.#duration > 0)) return;
        if (event.key === 'Escape' && this.#scrub) {
            this.#end();
        } else if (event.key === 'Home' || event.key === 'End') {
            this.#seek(event.key === 'Home' ? 0 : Math.max(0, this.#duration - 1));
        } else if (Object.hasOwn(STEPS, event.key)) {
            const step = event.shiftKey ? Math.sign(STEPS[event.key]) * FINE_STEP : STEPS[event.key];
            this.#seek(Math.min(this.#duration, Math.max(0, this.#player.position + step)));
        } else {
            return;
        }
        event.preventDefault();
        event.stopPropagation();
    }

    /** @param {number} seconds */
    #seek(seconds) {
        this.#player.seek(seconds);
        this.#speak(true);
        this.#redraw();
    }

    /** @param {PointerEvent} event */
    #press(event) {
        if (event.button !== 0 || this.#pointer !== null || !(this.#duration > 0)) return;
        this.#pointer = event.pointerId;
        this.#element.setPointerCapture(event.pointerId);
        this.#element.focus({ preventScroll: true });
        const box = this.#canvas.getBoundingClientRect();
        this.#scrub = new Scrub(event.clientX - box.left, box.width, this.#duration);
        this.#element.classList.add('is-scrubbing');
        this.#showScrub();
        event.preventDefault();
    }

    /** @param {PointerEvent} event */
    #drag(event) {
        if (!this.#scrub) {
            if (event.pointerType === 'mouse') this.#hover(event);
            return;
        }
        if (event.pointerId !== this.#pointer) return;
        const box = this.#canvas.getBoundingClientRect();
        const beside = Math.max(0, box.top - event.clientY, event.clientY - box.bottom);
        this.#scrub.move(event.clientX - box.left, beside);
        this.#showScrub();
    }

    /** @param {PointerEvent} event */
    #release(event) {
        if (!this.#scrub || event.pointerId !== this.#pointer) return;
        const { position } = this.#scrub;
        this.#end();
        this.#seek(position);
    }

    #showScrub() {
        const { position, speed } = /** @type {Scrub} */ (this.#scrub);
        this.#showBubble(position, speedText(speed));
        this.dispatchEvent(new CustomEvent('scrub', { detail: { seconds: position } }));
        this.#speak(true);
        this.#redraw();
    }

    /** Ends a scrub without seeking. */
    #end() {
        if (this.#pointer !== null && this.#element.hasPointerCapture(this.#pointer)) {
            this.#element.releasePointerCapture(this.#pointer);
        }
        this.#pointer = null;
        if (!this.#scrub) return;
        this.#scrub = null;
        this.#element.classList.remove('is-scrubbing');
        this.#hover(null);
        this.dispatchEvent(new CustomEvent('scrub', { detail: { seconds: null } }));
        this.#redraw();
    }

    /** @param {PointerEvent | null} event */
    #hover(event) {
        if (this.#scrub) return;
        if (!event || !(this.#duration > 0)) {
            this.#bubble.hidden = true;
            return;
        }
        const box = this.#canvas.getBoundingClientRect();
        const part = Math.min(1, Math.max(0, (event.clientX - box.left) / box.width));
        this.#showBubble(part * this.#duration, '');
    }

    /** @param {number} seconds @param {string} note */
    #showBubble(seconds, note) {
        this.#bubble.textContent = note ? `${clockText(seconds)} · ${note}` : clockText(seconds);
        this.#bubble.hidden = false;
        this.#bubble.style.setProperty('--place', `${100 * seconds / this.#duration}%`);
    }
}
