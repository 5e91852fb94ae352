import { allColumns, columnNamed } from './track-columns.js';

/** Narrowest and widest column in pixels. */
export const WIDTHS = Object.freeze({ least: 40, most: 600 });

/** Whether the window is wide enough for a table; narrower ones show rows of two lines. */
export const wide = matchMedia('(min-width: 900px)');

/**
 * The columns of a view's table, their widths, and the column that it is sorted by. The user's choice is kept in the settings.
 * Dispatches 'change'.
 */
export class TrackLayout extends EventTarget {
    #settings;
    #view;
    /** Columns that would say nothing. @type {Set<string>} */
    #omitted = new Set();
    /** Increases with every change of the columns: rows made before are made again. */
    version = 0;

    /** @param {import('../../host/settings.js').Settings} settings @param {string} view key of the settings */
    constructor(settings, view) {
        super();
        this.#settings = settings;
        this.#view = view;
    }

    /** Whether tracks are shown as a table. */
    get isTable() {
        return wide.matches;
    }

    /** The chosen columns with their widths, in the order of the table. */
    get #chosen() {
        const known = new Map(allColumns().map((column) => [column.name, column]));
        const chosen = new Map(
            String(this.#settings.get(`library.columns.${this.#view}`)).split(' ').map((part) => {
                const [name, width] = part.split(':');
                return [name, name === 'title' ? 0 : Number(width) || 0];
            }),
        );
        // The title is always shown.
        const names = chosen.has('title') ? [...chosen.keys()] : ['title', ...chosen.keys()];
        return names.flatMap((name) => {
            const column = known.get(name);
            const width = chosen.get(name);
            return column ? [{ ...column, width: width || column.width, isChosen: Boolean(width) }] : [];
        });
    }

    /** The shown columns with their widths, in the order of the table. */
    get columns() {
        return this.#chosen.filter(({ name }) => !this.#isOmitted(name));
    }

    /** Whether the user has chosen a column. @param {string} name */
    isChosen(name) {
        return this.#chosen.some((column) => column.name === name);
    }

    /** Leaves a column out while it would say nothing. @param {string} name @param {boolean} isOmitted */
    omit(name, isOmitted) {
        if (this.#isOmitted(name) === isOmitted) return;
        if (isOmitted) this.#omitted.add(name);
        else this.#omitted.delete(name);
        this.#changed();
    }

    #isOmitted(name) {
        return this.#omitted.has(name);
    }

    /** The value of the grid's columns in CSS: the first one has cover or number, the last ones marks and menu. */
    get template() {
        const widths = this.columns.map(({ name, width, isChosen }) =>
            // A width that the user has chosen stays; others shrink where there is no room.
            name === 'title' ? 'minmax(200px, 1fr)' : isChosen ? `${width}px` : `minmax(0, ${width}px)`
        );
        return `40px ${widths.join(' ')} 38px 36px`;
    }

    /** The column that the table is sorted by; null for the order of the view. */
    get order() {
        const text = String(this.#settings.get(`library.order.${this.#view}`));
        const column = columnNamed(text.replace(/^-/, ''));
        return column && this.isTable ? { column, isDescending: text.startsWith('-') } : null;
    }

    /** Sorts by a column; again: in the other direction; once more: in the view's own order. @param {string} name */
    sortBy(name) {
        const { order } = this;
        const next = !order || order.column.name !== name ? name : order.isDescending ? '' : `-${name}`;
        this.#settings.set(`library.order.${this.#view}`, next);
        this.dispatchEvent(new Event('change'));
    }

    /** Shows or hides a column. @param {string} name */
    toggle(name) {
        const columns = this.#chosen;
        const isShown = columns.some((column) => column.name === name);
        const all = allColumns();
        const place = all.findIndex((column) => column.name === name);
        // A new column comes behind the nearest one that is before it by default.
        const before = all.slice(0, place).reverse().find((each) => columns.some((column) => column.name === each.name));
        const at = columns.findIndex((column) => column.name === before?.name) + 1;
        this.#store(
            isShown
                ? columns.filter((column) => column.name !== name)
                : [...columns.slice(0, at), { ...all[place], isChosen: false }, ...columns.slice(at)],
        );
        if (isShown && this.order?.column.name === name) this.#settings.set(`library.order.${this.#view}`, '');
        this.#changed();
    }

    /** Moves a column. @param {string} name @param {number} to its new place among the shown columns, from 0 */
    move(name, to) {
        const columns = this.#chosen;
        const moved = columns.filter((column) => column.name === name);
        const others = columns.filter((column) => column.name !== name);
        const shown = others.filter((column) => !this.#isOmitted(column.name));
        const next = shown[Math.max(0, to)];
        const moveTo = next ? others.indexOf(next) : others.length;
        if (columns.indexOf(moved[0]) === moveTo) return;
        this.#store([...others.slice(0, moveTo), ...moved, ...others.slice(moveTo)]);
        this.#changed();
    }

    /** Sets the width of a column in pixels. @param {string} name @param {number} width */
    resize(name, width) {
        const wanted = Math.round(Math.min(WIDTHS.most, Math.max(WIDTHS.least, width)));
        this.#store(this.#chosen.map((column) => (column.name === name ? { ...column, width: wanted, isChosen: true } : column)));
        this.dispatchEvent(new Event('resize'));
    }

    /** Shows the columns and widths of a new view again. */
    reset() {
        for (const key of [`library.columns.${this.#view}`, `library.order.${this.#view}`]) this.#settings.reset(key);
        this.#changed();
    }

    #store(columns) {
        const parts = columns.map(({ name, width, isChosen }) => (isChosen ? `${name}:${width}` : name));
        this.#settings.set(`library.columns.${this.#view}`, parts.join(' '));
    }

    #changed() {
        this.version++;
        this.dispatchEvent(new Event('change'));
    }
}
