// Languages of the real page.

/** Elements whose text is data of the library or the host, or a name. */
const DATA =
    '.track-title, .track-artist, .track-cell, .card-title, .card-text a, .tile-title, code, kbd, dt, option, .hero h1, dl';

/** Returns a function that says whether a text is an English message whose translation differs. */
async function english(language) {
    const messages = await (await fetch(`/player/scripts/texts/${language}.json`)).json();
    const { SINGULARS } = await import('/player/scripts/texts/singulars.js');
    const exact = new Set();
    const patterns = [];
    for (const [key, message] of Object.entries(messages)) {
        const forms = new Set(typeof message === 'string' ? [message] : Object.values(message));
        for (const text of [key.replace(/ \[[^\]]*\]$/, ''), SINGULARS[key]].filter(Boolean)) {
            if (forms.has(text)) continue;
            // A pattern without two words would match data.
            if (!text.includes('{')) exact.add(text.trim());
            else if (/[A-Za-z]{3,}/.test(text.replace(/\{\w+\}/g, ''))) {
                patterns.push(new RegExp(`^${text.trim().replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{\w+\}/g, '.+')}$`));
            }
        }
    }
    // Words that are the same in a translation of another message, such as “Album”.
    for (const message of Object.values(messages)) {
        for (const text of typeof message === 'string' ? [message] : Object.values(message)) exact.delete(text.trim());
    }
    return (text) => exact.has(text) || patterns.some((each) => each.test(text));
}

/** Returns all texts that a person sees or hears. */
function texts(root) {
    const found = [];
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
    for (let node = walker.currentNode; node; node = walker.nextNode()) {
        const element = node instanceof Element ? node : node.parentElement;
        if (!element || element.closest(`script, style, noscript, ${DATA}`)) continue;
        if (node instanceof Text) found.push(node.data.trim());
        else {
            for (const name of ['aria-label', 'title', 'placeholder']) {
                const text = node.getAttribute(name)?.trim();
                if (text) found.push(text);
            }
        }
    }
    return [...new Set(found.filter(Boolean))];
}

/** Returns buttons whose text is cut off, and what is wider than the screen. Tabs and choices scroll within their width. */
function cut() {
    const bad = [];
    for (const each of all('.content button, .content select, .content a.text-button, nav a, nav button, .choice, h1, h2')) {
        const box = each.getBoundingClientRect();
        if (!box.width || each.closest('[hidden], .manage-tabs, .is-hidden, .choice > *')) continue;
        const name = each.textContent.trim().slice(0, 60) || each.getAttribute('aria-label');
        if (box.right > innerWidth + 1 || box.left < -1) bad.push(`${name}: beyond the screen`);
        else if (each.matches('button, a') && each.scrollWidth > each.clientWidth + 1) bad.push(`${name}: cut off`);
    }
    if (document.documentElement.scrollWidth > innerWidth + 1) bad.push('the page is wider than the screen');
    return bad;
}

const checks = {
    /** Signs in and chooses the language in the settings, while a song plays. */
    async begin(key, language) {
        tap();
        await signIn(key);
        location.hash = '/songs';
        await until('songs', () => one('.track-row[data-track]'));
        one('.track-row[data-track] .row-play, .track-row[data-track] [aria-label^="Play "]').click();
        await heard();
        location.hash = '/settings';
        const menu = await until('the setting', () => one('select[aria-label=Language]'));
        const audible = [];
        menu.value = language;
        menu.dispatchEvent(new Event('change'));
        await until('the language', () => document.documentElement.lang === language && !one('select[aria-label=Language]'));
        await heard();
        const playing = one('.player-bar .play-button').getAttribute('aria-label');
        return { title: document.title, playing, bars: all('.player-bar').length, dir: document.documentElement.dir };
    },

    /** Visits all views. */
    async visit(key, language) {
        const isEnglish = await english(language);
        const left = [];
        const wide = [];
        for (const path of VIEWS) {
            await visit(path);
            for (const text of texts(document.body)) if (isEnglish(text)) left.push(`${path}: ${text}`);
            if (isEnglish(document.title.split(' · ')[0])) left.push(`${path}: title ${document.title}`);
            for (const text of cut()) wide.push(`${path}: ${text}`);
        }
        return { left: [...new Set(left)], wide: [...new Set(wide)], views: VIEWS.length };
    },

    /** Returns why a file could not be analysed. */
    async failure() {
        await visit('/manage/analysis');
        const reason = await until('the failure', () => one('.content .is-bad'));
        return { reason: reason.textContent };
    },
};
