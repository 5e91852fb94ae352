import { t } from '../texts/text.js';

/**
 * Shows the view for the URL fragment.
 *
 * When the user goes back, the scroll position is restored.
 */
export class Router extends EventTarget {
    #routes = [];
    #place;
    #scroller;
    /** @type {{path: string, view: {element: HTMLElement, title: string, close?: () => void}} | null} */
    #shown = null;
    #positions = new Map();
    #isBack = false;
    #listeners = new AbortController();

    /** @param {HTMLElement} place container of the views @param {HTMLElement} scroller the scrolling element */
    constructor(place, scroller) {
        super();
        this.#place = place;
        this.#scroller = scroller;
        const { signal } = this.#listeners;
        addEventListener('hashchange', () => this.show(), { signal });
        addEventListener('popstate', () => {
            this.#isBack = true;
        }, { signal });
    }

    /** @param {string} pattern such as `/albums/:id` @param {(parameters: Record<string, string>) => {element: HTMLElement, title: string, close?: () => void}} make */
    add(pattern, make) {
        const names = [];
        const source = pattern.replace(/:([a-z]+)/g, (_, name) => {
            names.push(name);
            return '([^/]+)';
        });
        this.#routes.push({ expression: new RegExp(`^${source}$`), names, make, pattern });
    }

    /** Closes the current view and stops listening. */
    close() {
        this.#listeners.abort();
        this.#shown?.view.close?.();
        this.#shown = null;
    }

    /** The path of the current view. */
    get path() {
        return decodePath(location.hash.slice(1)) || '/';
    }

    /** @param {string} path */
    go(path) {
        if (location.hash.slice(1) === path) this.show();
        else location.hash = path;
    }

    /** Replaces the current view in the history. */
    replace(path) {
        history.replaceState(null, '', `#${path}`);
        this.show();
    }

    show() {
        const path = location.hash.slice(1) || '/';
        if (this.#shown) this.#positions.set(this.#shown.path, this.#scroller.scrollTop);
        for (const { expression, names, make, pattern } of this.#routes) {
            const match = path.match(expression);
            if (!match) continue;
            this.#shown?.view.close?.();
            const parameters = Object.fromEntries(names.map((name, index) => [name, decodePath(match[index + 1])]));
            const view = make(parameters);
            this.#shown = { path, view };
            this.#place.replaceChildren(view.element);
            document.title = view.title ? t('{title} · Music', { title: view.title }) : t('Music');
            this.#scroller.scrollTop = this.#isBack ? this.#positions.get(path) ?? 0 : 0;
            this.#isBack = false;
            this.dispatchEvent(new CustomEvent('show', { detail: { path, pattern } }));
            return;
        }
        this.replace('/');
    }
}

function decodePath(text) {
    try {
        return decodeURIComponent(text);
    } catch {
        return text;
    }
}
