import { browserStorage } from '../host/browser-storage.js';
import { h } from '../views/parts/dom.js';
import { iconButton, textButton } from '../views/parts/buttons.js';
import { saveFile } from '../offline/backup-file.js';
import { CATEGORIES, LEVELS, lineOf, passes } from './log.js';
import { currentLanguage, t } from '../texts/text.js';
import { timeText } from '../views/parts/texts.js';

/** Minimum and maximum height of the docked panel, in pixels. */
const [LEAST, MOST] = [120, 500];
/** Maximum number of lines in the DOM. */
const LINES = 600;
const KEY = 'console.state';

/**
 * The developer console, docked above the player or in a floating window.
 *
 * It offers levels, categories, text search, the time since the previous line, pause and export to a file.
 */
export class ConsolePanel {
    #log;
    #settings;
    #element;
    #lines = h('div.console-lines', { role: 'log', tabindex: '0' });
    #status = h('span.console-status');
    #language = '';
    #state;
    #isPaused = false;
    #held = 0;
    #lastAt = 0;
    #waiting = [];
    #request = 0;

    /**
     * @param {import('./log.js').Log} log
     * @param {{get(key: string): any, set(key: string, value: any): void, addEventListener: Function}} settings
     */
    constructor(log, settings) {
        this.#log = log;
        this.#settings = settings;
        this.#state = {
            levels: LEVELS.slice(0, 3),
            categories: CATEGORIES,
            height: 240,
            isFloating: false,
            isFolded: false,
            x: 80,
            y: 80,
            width: 520,
            ...read(),
        };
        this.#element = this.#make();
        log.addEventListener('entry', (/** @type {any} */ { detail }) => this.#take(detail));
        log.addEventListener('clear', () => this.#redraw());
        settings.addEventListener('change', (event) => {
            if (event.key === 'console.enabled') this.#show();
        });
    }

    /** Adds the console to the page; it stays hidden unless enabled. @param {HTMLElement} place docked before this element */
    attach(place) {
        if (this.#language !== currentLanguage()) this.#element = this.#make();
        place.before(this.#element);
        this.#show();
    }

    #make() {
        this.#language = currentLanguage();
        this.#lines.setAttribute('aria-label', t('Log'));
        const search = h('input.console-search', {
            type: 'search',
            placeholder: t('Search'),
            'aria-label': t('Search the log'),
            oninput: (event) => {
                this.text = event.target.value.toLowerCase();
                this.#redraw();
            },
        });
        const pill = (name, list) =>
            h('button.console-pill', {
                type: 'button',
                'aria-pressed': String(this.#state[list].includes(name)),
                'data-name': name,
                onclick: (event) => {
                    const chosen = new Set(this.#state[list]);
                    if (!chosen.delete(name)) chosen.add(name);
                    this.#state[list] = [...chosen];
                    event.currentTarget.setAttribute('aria-pressed', String(chosen.has(name)));
                    this.#keep();
                    this.#redraw();
                },
            }, name.toUpperCase());
        const pause = textButton(t('Pause'), () => {
            this.#isPaused = !this.#isPaused;
            /** @type {Node} */ (pause.lastChild).textContent = this.#isPaused ? t('Resume') : t('Pause');
            this.#held = 0;
            this.#redraw();
        });
        const head = h(
            'header.console-head',
            null,
            h('strong', null, t('Console')),
            h(
                'div.row.console-filters',
                null,
                h('div.row', { role: 'group', 'aria-label': t('Levels') }, LEVELS.map((name) => pill(name, 'levels'))),
                h('div.row', { role: 'group', 'aria-label': t('Categories') }, CATEGORIES.map((name) => pill(name, 'categories'))),
                search,
            ),
            this.#status,
            h(
                'div.row',
                null,
                pause,
                textButton(t('Clear'), () => this.#log.clear()),
                textButton(t('Export'), () => this.#export()),
                iconButton(
                    'albums',
                    t('Float or dock'),
                    () => this.#change({ isFloating: !this.#state.isFloating, isFolded: false }),
                ),
                iconButton('down', t('Collapse'), () => this.#change({ isFolded: !this.#state.isFolded })),
                iconButton('close', t('Close the console'), () => this.#settings.set('console.enabled', false)),
            ),
        );
        const edge = h('div.console-edge', {
            role: 'separator',
            'aria-orientation': 'horizontal',
            'aria-label': t('Console height'),
            tabindex: '0',
        });
        const element = h(
            'section.console',
            { 'aria-label': t('Developer console'), hidden: true },
            edge,
            head,
            this.#lines,
            h('i.console-corner', { 'aria-hidden': 'true' }),
        );
        const { height } = this.#state;
        drag(edge, (_, y, start) => this.#change({ height: start.height - y }), () => ({ ...this.#state }));
        edge.addEventListener('keydown', (event) => {
            const step = { ArrowUp: 20, ArrowDown: -20 }[event.key];
            if (!step) return;
            event.preventDefault();
            event.stopPropagation();
            this.#change({ height: this.#state.height + step });
        });
        edge.setAttribute('aria-valuenow', String(height));
        drag(
            head,
            (x, y, start) => this.#state.isFloating && this.#change({ x: start.x + x, y: start.y + y }),
            () => ({ ...this.#state }),
        );
        drag(
            element.lastChild,
            (x, y, start) => this.#change({ width: start.width + x, height: start.height + y }),
            () => ({ ...this.#state }),
        );
        return element;
    }

    #change(change) {
        Object.assign(this.#state, change);
        const state = this.#state;
        state.height = Math.min(MOST, Math.max(LEAST, Math.round(state.height)));
        state.width = Math.min(innerWidth - 16, Math.max(280, Math.round(state.width)));
        state.x = Math.max(0, Math.min(innerWidth - state.width, Math.round(state.x)));
        state.y = Math.min(innerHeight - 60, Math.max(0, Math.round(state.y)));
        this.#show();
        this.#keep();
    }

    #show() {
        const state = this.#state;
        const { style, classList } = this.#element;
        const wasHidden = this.#element.hidden;
        this.#element.hidden = !this.#settings.get('console.enabled');
        classList.toggle('is-floating', state.isFloating);
        classList.toggle('is-folded', state.isFolded);
        style.height = state.isFolded ? '' : `${state.height}px`;
        style.width = state.isFloating ? `${state.width}px` : '';
        style.left = state.isFloating ? `${state.x}px` : '';
        style.top = state.isFloating ? `${state.y}px` : '';
        if (wasHidden && !this.#element.hidden) this.#redraw();
    }

    get #filter() {
        return { levels: new Set(this.#state.levels), categories: new Set(this.#state.categories), text: this.text ?? '' };
    }

    #take(entry) {
        if (this.#element.hidden) return;
        if (this.#isPaused) {
            this.#held++;
            this.#emit();
            return;
        }
        if (passes(entry, this.#filter)) this.#waiting.push(entry);
        if (this.#request) return;
        this.#request = requestAnimationFrame(() => {
            this.#request = 0;
            const isAtEnd = this.#lines.scrollTop + this.#lines.clientHeight >= this.#lines.scrollHeight - 24;
            this.#lines.append(...this.#waiting.splice(0).map((each) => this.#line(each)));
            while (this.#lines.childElementCount > LINES) this.#lines.firstElementChild?.remove();
            if (isAtEnd) this.#lines.scrollTop = this.#lines.scrollHeight;
            this.#emit();
        });
    }

    #redraw() {
        this.#lastAt = 0;
        this.#waiting = [];
        this.#lines.replaceChildren(...this.#log.filtered(this.#filter).slice(-LINES).map((entry) => this.#line(entry)));
        this.#lines.scrollTop = this.#lines.scrollHeight;
        this.#emit();
    }

    #line(entry) {
        const since = this.#lastAt ? entry.at - this.#lastAt : 0;
        this.#lastAt = entry.at;
        if (entry.isMark) return h('div.console-mark', null, `${entry.text} · ${timeText(entry.at, 'medium')}`);
        return h(
            'div.console-line',
            { 'data-level': entry.level },
            h('time', null, timeText(entry.at, 'medium')),
            h(
                'span.console-delta',
                null,
                since < 1000 ? t('+{number} ms', { number: since }) : t('+{number} s', { number: since / 1000 }),
            ),
            h('b', null, entry.level.toUpperCase()),
            h('i', null, entry.category),
            h('span', null, entry.text),
        );
    }

    #emit() {
        this.#status.textContent = this.#isPaused
            ? t('Paused, {number} new', { number: this.#held })
            : t('{shown} of {total}', { shown: this.#lines.childElementCount, total: this.#log.entries.length });
    }

    #export() {
        const text = this.#log.filtered(this.#filter).map(lineOf).join('\n');
        saveFile(
            new Blob([`${text}\n`], { type: 'text/plain' }),
            `music-console-${new Date().toISOString().slice(0, 19).replaceAll(':', '-')}.txt`,
        );
    }

    #keep() {
        try {
            browserStorage().setItem(KEY, JSON.stringify(this.#state));
        } catch {
            // The state then lasts only until the page is closed.
        }
    }
}

function read() {
    try {
        const stored = JSON.parse(browserStorage().getItem(KEY) ?? '{}');
        return stored && typeof stored === 'object' ? stored : {};
    } catch {
        return {};
    }
}

/** Calls `onMove` while a pointer drags an element. */
function drag(element, onMove, begin) {
    element.addEventListener('pointerdown', (event) => {
        if (event.target.closest('button, input')) return;
        event.preventDefault();
        element.setPointerCapture(event.pointerId);
        const [x, y, start] = [event.clientX, event.clientY, begin()];
        const move = (each) => onMove(each.clientX - x, each.clientY - y, start);
        element.addEventListener('pointermove', move);
        for (const type of ['pointerup', 'pointercancel']) {
            element.addEventListener(type, () => element.removeEventListener('pointermove', move), { once: true });
        }
    });
}
