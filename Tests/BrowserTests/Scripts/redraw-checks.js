// Focus and scroll position when the library changes.

const frames = async (count) => {
    for (let each = 0; each < count; each++) await new Promise((resolve) => requestAnimationFrame(resolve));
};
/** Identifies an element of a view. */
const nameOf = (element) =>
    element?.dataset?.track ?? element?.getAttribute?.('href') ?? element?.getAttribute?.('aria-label') ?? element?.textContent ??
        '';
const textOf = () => `${one('.content').textContent} ${one('.content [aria-setsize]')?.getAttribute('aria-setsize')}`;

const checks = {
    async begin(key) {
        await signIn(key);
        location.hash = '/albums';
        const card = await until('albums', () => all('.cards .card').find((each) => each.textContent.includes('Album 1000')));
        card.dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, cancelable: true, clientX: 50, clientY: 50 }));
        (await until('a menu', () => all('.menu-item').find((each) => each.textContent === 'Add to queue'))).click();
        // Captures the page's catalogue at its next event.
        const { Catalogue } = await import('/player/scripts/library/catalogue.js');
        Catalogue.prototype.dispatchEvent = function (event) {
            window.catalogue = this;
            return EventTarget.prototype.dispatchEvent.call(this, event);
        };
        const add = EventTarget.prototype.addEventListener;
        window.added = 0;
        EventTarget.prototype.addEventListener = function (...rest) {
            if (
                !(this instanceof Node) && !(this instanceof AbortSignal) && !(this instanceof IDBRequest) &&
                !(this instanceof XMLHttpRequest)
            ) window.added++;
            return add.apply(this, rest);
        };
        return {};
    },

    async look(key, path, selector) {
        location.hash = path;
        const scroller = one('.scroller');
        await until(`${path} shows ${selector}`, async () => {
            await frames(5);
            if (location.hash !== `#${path}`) return false;
            // A list below the screen has no rows yet.
            if (!one(`.content ${selector}`)) scroller.scrollTop += 300;
            return one(`.content ${selector}`);
        });
        scroller.scrollTop = Math.max(scroller.scrollTop, 300);
        await frames(10);
        if (one(`.content ${selector}`).getBoundingClientRect().top > innerHeight / 2) {
            one(`.content ${selector}`).scrollIntoView({ block: 'center' });
        }
        await frames(10);
        const [top, bottom] = [scroller.getBoundingClientRect().top + 40, scroller.getBoundingClientRect().bottom - 40];
        const seen = all(`.content ${selector}`).filter((each) =>
            each.getBoundingClientRect().top > top && each.getBoundingClientRect().bottom < bottom
        );
        const element = (selector.includes('added') ? seen[0] : seen[Math.floor(seen.length / 2)]) ?? one(`.content ${selector}`);
        element.focus({ preventScroll: true });
        if (document.activeElement !== element) throw new Error(`${path}: ${selector} cannot be focused`);
        await frames(5);
        window.looked = { element, name: nameOf(element), top: element.getBoundingClientRect().top, text: textOf() };
        window.added = 0;
        return { name: window.looked.name };
    },

    async changed(key, title) {
        await until(`the page knows ${title}`, () => window.catalogue?.tracks.some((track) => track.title === title));
        await frames(10);
        const { element, name, top, text } = window.looked;
        const now = document.activeElement;
        return {
            focus: nameOf(now) === name ? 'kept' : `${now?.tagName} ${nameOf(now).slice(0, 40)} for ${name}`,
            isSame: Number(now === element),
            moved: Math.abs(now.getBoundingClientRect().top - top),
            listeners: window.added,
            isShown: Number(textOf() !== text),
            inOrder: Number(
                all('.content [data-index]').every((each, index, rows) =>
                    index === 0 || Number(rows[index - 1].dataset.index) < Number(each.dataset.index)
                ),
            ),
        };
    },
};
