// Checks of the real page in unusual environments, each in a new browser.

const wait = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const VIEWS = {
    '/': '.card',
    '/albums': '.card',
    '/albums/1': '.track-row',
    '/artists': '.card',
    '/artists/1': '.track-row',
    '/songs': '.track-row',
    '/playlists': 'h1',
    '/genres': '.tile',
    '/decades': 'h1',
    '/decades/1990': 'h1',
    '/map': '.map-canvas',
    '/similar/1': 'h1',
    '/favourites': 'h1',
    '/downloads': 'h1',
    '/search': '.search-field',
    '/queue': '.queue-row',
    '/settings': '.settings',
    '/manage/status': '.manage-panel',
    '/manage/upload': '.manage-drop',
    '/manage/tags': '.manage-tags .track-row',
    '/manage/fixes': '.manage-panel',
    '/manage/trash': '.manage-panel',
    '/apps': '.app-form',
    '/scrobbling': '.service-form',
};

async function enter(key) {
    await signIn(key);
    await until('the library', () => one('.card'));
}

async function show(path) {
    location.hash = path;
    await until(`${path} shows ${VIEWS[path]}`, () => location.hash === `#${path}` && one(`.content ${VIEWS[path]}`));
    await wait(150);
}

async function playAlbum() {
    await show('/albums/1');
    (await until('a button', () => all('.content button').find((each) => each.textContent === 'Play'))).click();
    await until('it plays', () => one('.play-button')?.getAttribute('aria-label') === 'Pause');
}

const nameOf = (element) =>
    `${element.tagName.toLowerCase()}.${element.getAttribute('class') ?? ''} "${
        (element.getAttribute('aria-label') ?? element.textContent).trim().slice(0, 30)
    }"`;

const checks = {
    async phone(key) {
        await enter(key);
        await playAlbum();
        const wide = [];
        const small = [];
        let views = 0;
        const look = (name) => {
            const { innerWidth } = window;
            if (document.documentElement.scrollWidth > innerWidth) {
                wide.push(`${name}: the page, ${document.documentElement.scrollWidth}`);
            }
            for (const element of all('body *')) {
                if (
                    !element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) ||
                    element.closest('svg, canvas, .shelf-cards, [aria-hidden="true"], .scrolls, .manage-tabs, .lyrics')
                ) continue;
                const box = element.getBoundingClientRect();
                if (box.width && (box.right > innerWidth + 1 || box.left < -1) && !isClipped(element)) {
                    wide.push(`${name}: ${nameOf(element)} ${Math.round(box.left)}–${Math.round(box.right)}`);
                }
            }
            for (const control of all('button, input:not([type="range"]), select, [role="slider"], a.nav-link')) {
                if (
                    !control.checkVisibility({ opacityProperty: true, visibilityProperty: true }) ||
                    control.closest('[aria-hidden="true"], .skip')
                ) continue;
                const box = control.getBoundingClientRect();
                // WCAG 2.2, 2.5.8: 24 by 24 pixels.
                if (box.width && (box.width < 24 || box.height < 24)) {
                    small.push(`${name}: ${nameOf(control)} ${Math.round(box.width)} × ${Math.round(box.height)}`);
                }
                if (box.width && (box.right > innerWidth + 1 || box.left < -1) && !isScrolled(control)) {
                    wide.push(`${name}: ${nameOf(control)} ${Math.round(box.left)}–${Math.round(box.right)}`);
                }
            }
        };
        /** Whether an element can be scrolled into view horizontally. */
        const isScrolled = (element) => {
            for (let parent = element.parentElement; parent; parent = parent.parentElement) {
                if (['auto', 'scroll'].includes(getComputedStyle(parent).overflowX)) return true;
            }
            return false;
        };
        const isClipped = (element) => {
            for (let parent = element.parentElement; parent && parent !== document.body; parent = parent.parentElement) {
                const style = getComputedStyle(parent);
                const box = parent.getBoundingClientRect();
                if (style.overflowX !== 'visible' && box.left >= -1 && box.right <= innerWidth + 1) return true;
            }
            return false;
        };
        for (const path of Object.keys(VIEWS)) {
            await show(path);
            look(path);
            views++;
        }
        one('.bar-title, .bar-cover').click();
        await until('the player', () => one('dialog.now.is-open'));
        await wait(600);
        look('player');
        for (const panel of ['lyrics', 'queue']) {
            one(`[data-panel=${panel}]`).click();
            await wait(300);
            look(`player, ${panel}`);
        }
        return { wide, small, views };
    },

    async insecure(key) {
        tap();
        await enter(key);
        await playAlbum();
        const peak = await heard();
        const has = [
            'serviceWorker' in navigator && 'serviceWorker',
            crypto.subtle && 'subtle',
            navigator.storage && 'storage',
            'audioWorklet' in AudioContext.prototype && 'audioWorklet',
        ].filter(Boolean);
        await show('/albums/1');
        one('.content .heart, .content [aria-label="Favourite"]')?.click();
        one('.download-button').click();
        const downloaded = await until('it is downloaded', () => all('.track-downloaded').length === all('.track-row').length);
        await show('/songs');
        const row = one('.track-row');
        row.focus();
        row.dispatchEvent(new KeyboardEvent('keydown', { key: 'f', bubbles: true, cancelable: true }));
        const starred = await until('the star', () => one('.track-starred'));
        return { isSecure: isSecureContext, has, peak, downloaded: Boolean(downloaded), starred: Boolean(starred) };
    },

    async keyboard(key) {
        await enter(key);
        const press = (name, options = {}) =>
            (document.activeElement ?? document.body).dispatchEvent(
                new KeyboardEvent('keydown', { key: name, bubbles: true, cancelable: true, ...options }),
            );
        const unseen = [];
        const unreached = [];
        for (const [path, selector] of Object.entries(VIEWS)) {
            if (path === '/queue') await playAlbum();
            await show(path);
            // Each element in the tab order.
            const ways = all('.content a[href], .content button, .content input, .content [tabindex="0"]').filter((each) =>
                each.tabIndex >= 0 && each.checkVisibility({ visibilityProperty: true }) && !each.disabled
            );
            const list = one('.content .virtual');
            if (list?.firstChild && !ways.some((each) => list.contains(each))) unreached.push(`${path}: the list`);
            for (const way of ways.slice(0, 40)) {
                way.focus({ focusVisible: true, preventScroll: true });
                if (document.activeElement !== way) {
                    unreached.push(`${path}: ${nameOf(way)}`);
                    continue;
                }
                const style = getComputedStyle(way);
                const isMarked = (element) => {
                    const style = getComputedStyle(element);
                    return (style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0) || style.boxShadow !== 'none';
                };
                if (!isMarked(way) && !(way.parentElement && isMarked(way.parentElement))) {
                    unseen.push(`${path}: ${nameOf(way)} ${style.outlineStyle}`);
                }
            }
        }
        await show('/songs');
        const row = one('.track-row[tabindex="0"]');
        row.focus();
        press('ArrowDown');
        press('ArrowDown');
        const third = document.activeElement;
        press('m');
        await until('a menu', () => one('.menu'));
        press('Escape');
        const menuClosed = !one('.menu');
        const focusBack = document.activeElement === third && third.dataset.index === '2';
        press('Enter');
        const title = third.querySelector('.track-title').textContent;
        const playing = await until('it plays', () => one('.bar-title')?.textContent === title);
        return { unseen, unreached, menuClosed, focusBack, playing: Boolean(playing) };
    },

    async stillness(key) {
        await enter(key);
        await playAlbum();
        const animations = new Set();
        let place = '';
        /** Notes all animations that take longer than a frame could show. */
        const note = () => {
            for (const each of document.getAnimations()) {
                if (Number(each.effect?.getComputedTiming().activeDuration ?? 0) <= 1) continue;
                animations.add(
                    `${place}: ${each.animationName ?? each.transitionProperty ?? 'script'} ${nameOf(each.effect.target)}`,
                );
            }
        };
        // Short ones are over before anybody looks.
        for (const type of ['animationstart', 'transitionrun']) addEventListener(type, note, true);
        const look = async (name, selector) => {
            place = name;
            await until(name, () => one(selector));
            await wait(150);
            note();
        };
        for (const path of Object.keys(VIEWS)) {
            place = path;
            await show(path);
            note();
        }
        await show('/songs');
        one('.track-row').dispatchEvent(
            new MouseEvent('contextmenu', { bubbles: true, cancelable: true, clientX: 50, clientY: 50 }),
        );
        await look('menu', '.menu');
        all('.menu-item').find((each) => each.textContent === 'Add to queue').click();
        await look('toast', '.toast');
        document.body.dispatchEvent(new KeyboardEvent('keydown', { key: '?', bubbles: true, cancelable: true }));
        await look('sheet', 'dialog.sheet');
        one('dialog.sheet').close();
        await until('no sheet', () => !one('dialog.sheet'));
        place = 'player';
        one('.bar-title, .bar-cover').click();
        await until('the player', () => one('dialog.now.is-open'));
        await wait(1500);
        note();
        const canvas = one('.now-visualizer');
        const picture = () => canvas.toDataURL();
        const before = picture();
        await wait(700);
        return { animations: [...animations], isStill: picture() === before };
    },

    /** Shows the songs page after an album page, while the album plays. */
    async songsAfterAlbum(key) {
        await enter(key);
        await playAlbum();
        await show('/songs');
        return {};
    },

    /** Removes the focus, as after a click next to menu items. */
    async unfocused() {
        document.activeElement.blur();
        return {};
    },

    async focusedRowButton() {
        (await until('a row', () => one('.now .queue-row button'))).focus();
        return {};
    },

    /** The open dialogs and menus, and the path. */
    async standing() {
        // The absence of an event cannot be awaited: a second step back would have happened by then.
        await wait(700);
        return {
            path: location.hash,
            open: Object.entries({ player: 'dialog.now.is-open', menu: '.menu', sheet: 'dialog.sheet' }).filter(([, selector]) =>
                one(selector)
            ).map(([name]) => name),
            playing: one('.play-button')?.getAttribute('aria-label') === 'Pause',
        };
    },

    /** Controls of the player that are cut off, too small or covered, without a panel and with each. */
    async playerControls(key) {
        await enter(key);
        await playAlbum();
        const bad = [];
        const seenOf = (element, { left, top, right, bottom }) => {
            for (let parent = element.parentElement; parent; parent = parent.parentElement) {
                if (getComputedStyle(parent).overflowX === 'visible') continue;
                const box = parent.getBoundingClientRect();
                [left, right] = [Math.max(left, box.left), Math.min(right, box.right)];
            }
            return { left, top, right, bottom };
        };
        const look = (name, root) => {
            for (const control of root.querySelectorAll('button, a[href], input, [role="slider"]')) {
                if (
                    !control.checkVisibility({ opacityProperty: true, visibilityProperty: true }) ||
                    control.closest('.virtual, .lyrics-scroller')
                ) continue;
                const isLink = control.matches('a');
                const box = control.getBoundingClientRect();
                // For a link, the visible part of a long name is enough.
                const { left, top, right, bottom } = isLink ? seenOf(control, box) : box;
                const [width, height] = [right - left, bottom - top];
                const text = `${name}: ${nameOf(control)} ${Math.round(left)},${Math.round(top)} ${Math.round(width)} × ${
                    Math.round(height)
                }`;
                if (left < -0.5 || top < -0.5 || right > innerWidth + 0.5 || bottom > innerHeight + 0.5) {
                    bad.push(`${text} is cut off`);
                } else if ((width < 24 && !isLink) || height < 24) bad.push(`${text} is small`);
                else {
                    const seen = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
                    if (!isLink && !control.contains(seen)) bad.push(`${text} is under ${seen ? nameOf(seen) : 'nothing'}`);
                }
            }
            const play = root.querySelector('.play-button')?.getBoundingClientRect();
            if (Math.abs(play.width - play.height) > 1) bad.push(`${name}: the play button is ${play.width} × ${play.height}`);
        };
        look('bar', one('.player-bar'));
        one('.bar-title').click();
        const dialog = await until('the player', () => one('dialog.now.is-open'));
        await until('the end of the animation', () => dialog.getAnimations().length === 0);
        look('player', dialog);
        const { width, height } = one('.now-cover').getBoundingClientRect();
        for (const panel of ['lyrics', 'queue']) {
            one(`[data-panel=${panel}]`).click();
            await until(panel, () => one(panel === 'queue' ? '.now .queue-row' : '.now .lyrics'));
            look(panel, dialog);
        }
        const side = one('.now-side').getBoundingClientRect();
        return { bad, cover: [width, height], side: [side.width, side.height] };
    },

    /** The centre of a row's artist link on the screen. */
    async artistOfRow(key) {
        await enter(key);
        await show('/songs');
        const row = one('.track-row[data-index="2"]');
        const { left, top, width, height } = row.querySelector('.track-artist a').getBoundingClientRect();
        return { x: left + width / 2, y: top + height / 2, title: row.querySelector('.track-title').textContent };
    },

    async afterTap() {
        const title = await until(
            'it plays',
            () => (one('.play-button')?.getAttribute('aria-label') === 'Pause' ? one('.bar-title').textContent : ''),
            10,
        ).catch(() => '');
        return { title, path: location.hash };
    },

    /** Hover rules that also apply on touch screens, where they would persist after a tap. */
    async hoverRules() {
        const sticking = [];
        let count = 0;
        const look = (rules, isGuarded) => {
            for (const rule of rules) {
                if (rule.selectorText?.includes(':hover')) {
                    count++;
                    if (!isGuarded) sticking.push(rule.selectorText);
                }
                if (rule.cssRules) look(rule.cssRules, isGuarded || (rule.media?.mediaText ?? '').includes('(hover: hover)'));
            }
        };
        for (const sheet of document.styleSheets) look(sheet.cssRules, false);
        return { sticking, count };
    },

    async withoutHost() {
        const said = await until('the error message', () => one('.connect-error')?.textContent);
        const title = one('h1').textContent;
        // The network is back; nothing is clicked.
        await fetch('/__proxy/faults', { method: 'POST', body: '[]' });
        await until('the library', () => one('.card'));
        return { said, title };
    },

    /** Waits until the page has started, or says that it could not. */
    async loaded() {
        const message = await until('the page', () => one('#connect-key, .shell') ?? one('#not-loaded:not([hidden])'));
        const log = await (await fetch('/__proxy/log')).json();
        return {
            said: message.id === 'not-loaded' ? message.innerText : '',
            requests: log.filter(({ path }) => path.endsWith('/toast.js')).length,
        };
    },
};
