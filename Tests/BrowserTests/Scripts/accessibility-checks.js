// Faults of accessibility that the rules of axe find in the real page; axe is loaded before.

/** Returns the serious faults of what is shown. */
async function faults(place) {
    const { violations } = await axe.run(document, {
        resultTypes: ['violations'],
        runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
    });
    return violations.filter(({ impact }) => impact === 'serious' || impact === 'critical').flatMap(({ id, nodes }) =>
        nodes.map(({ target, failureSummary }) => `${place}: ${id}: ${target.join(' ')}: ${failureSummary.replace(/\s+/g, ' ')}`)
    );
}

/** Presses a key of the page. */
const press = (key) => document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));

/** Opens a dialog, looks for its faults and closes it. */
async function inDialog(place, open, selector) {
    open();
    await until(place, () => one(selector)?.open);
    const found = await faults(place);
    one(selector).dispatchEvent(new Event('cancel', { cancelable: true }));
    if (one(selector)?.open) one(selector).close();
    await until(`${place} is gone`, () => !one(selector));
    return found;
}

/** Clicks a control by its name, as a person who reads the page would. */
async function clickNamed(name) {
    const control = await until(
        name,
        () =>
            all('button, a, [role="tab"], [role="menuitem"]').filter((each) =>
                each.checkVisibility({ visibilityProperty: true }) && !each.closest('[inert], [aria-hidden="true"]') &&
                !each.disabled &&
                (each.getAttribute('aria-label') ?? each.textContent).trim() === name && isOnTop(each)
            ).at(0),
    );
    control.click();
}

/** Whether a control is within the screen, and nothing covers it. */
function isOnTop(control) {
    const box = control.getBoundingClientRect();
    const top = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
    return top !== null && (control.contains(top) || top.contains(control));
}

/** Goals of a new listener who starts at the first view: at most two clicks, and what is then shown. */
const WALK = {
    radio: { wide: ['Radio'], narrow: ['More', 'Radio'], shows: () => location.hash === '#/radio' },
    queue: { wide: ['Queue'], narrow: ['More', 'Queue'], shows: () => one('.queue-view') },
    lyrics: { wide: ['Lyrics'], narrow: ['', 'Lyrics'], shows: () => one('dialog.now [data-panel=lyrics][aria-pressed=true]') },
    similar: { wide: ['', 'More like this'], narrow: ['', 'More like this'], shows: () => location.hash.startsWith('#/similar/') },
};

const checks = {
    /** Finds things by their names; an empty name is the title of the song that plays, in the bar. */
    async walk(key, width) {
        const depths = {};
        for (const [goal, { [width]: clicks, shows }] of Object.entries(WALK)) {
            await visit('/');
            for (const name of clicks) await clickNamed(name || one('.bar-title').textContent);
            await until(goal, shows);
            depths[goal] = clicks.length;
            if (one('dialog.now')?.open) {
                await clickNamed('Close player');
                await until('the player is gone', () => !one('dialog.now'));
            }
        }
        return depths;
    },

    /** Signs in, and plays a song, so that the player is shown. */
    async begin(key) {
        tap();
        const before = await faults('connection page');
        await signIn(key);
        location.hash = '/songs';
        await until('songs', () => one('.track-row[data-track]'));
        one('.track-row[data-track] .row-play, .track-row[data-track] [aria-label^="Play "]').click();
        await heard();
        return { found: before };
    },

    /** Visits all views in a theme, and opens what covers them. */
    async all(key, theme) {
        document.documentElement.dataset.theme = theme;
        const found = [];
        for (const path of VIEWS) {
            await visit(path);
            found.push(...await faults(path));
        }
        await visit('/songs');
        found.push(...await inDialog('full player', () => press('i'), 'dialog.now'));
        found.push(...await inDialog('keys', () => press('?'), 'dialog.sheet'));
        one('.track-row[data-track]').dispatchEvent(
            new MouseEvent('contextmenu', { bubbles: true, cancelable: true, clientX: 50, clientY: 50 }),
        );
        await until('the menu', () => one('.menu'));
        found.push(...await faults('menu of a song'));
        const edit = all('.menu-item').find((each) => each.textContent === 'Edit tags…');
        found.push(...await inDialog('tags', () => edit.click(), 'dialog.is-tags'));
        return { found: [...new Set(found)] };
    },
};
