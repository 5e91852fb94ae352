// Rows of cards that scroll sideways.

const go = async (path, selector) => {
    location.hash = path;
    return until(`${path} shows ${selector}`, () => location.hash === `#${path}` && one(`.content ${selector}`));
};
/** The shelf of new albums. */
const shelf = () => one('.content .shelf[aria-label="Recently added"]');
const cards = () => shelf().querySelector('.shelf-cards');
const buttons = () => [...shelf().querySelectorAll('header button')];
const ends = () => buttons().map((each) => each.getAttribute('aria-disabled') === 'true');
/** Waits until the cards have scrolled to an end of the shelf, or past a place. */
const scrolled = (what, condition) =>
    until(what, async () => {
        const { scrollLeft } = cards();
        if (!condition(scrollLeft)) return false;
        for (let each = 0; each < 5; each++) await new Promise((resolve) => requestAnimationFrame(resolve));
        return cards().scrollLeft === scrollLeft;
    });
const width = (selector) => one(`.content ${selector}`).getBoundingClientRect().width;

const goToArtist = async () => {
    await go('/artists', '.cards .card.is-round');
    location.hash = all('.cards .card').find((each) => each.textContent.includes('Main')).querySelector('a').getAttribute('href');
};
const goHome = async () => {
    location.hash = '/';
    await until('the cards', () => shelf() && cards().children.length === 14 && ends().length === 2);
    await until('the state of the buttons', () => buttons()[1].hasAttribute('aria-disabled'));
};

const checks = {
    async begin(key) {
        await signIn(key);
        await until('the cards', () => shelf() && cards().children.length === 14);
        await until('the buttons', () => shelf().querySelector('.shelf-arrows:not([hidden])'));
        return {};
    },

    async areButtonsShown() {
        return { isShown: buttons().every((each) => each.checkVisibility()) };
    },

    async buttons() {
        const [previous, next] = buttons();
        const card = cards().firstElementChild.getBoundingClientRect().width;
        const isShown = previous.checkVisibility() && next.checkVisibility();
        const told = [ends()];
        next.click();
        // A smooth scroll begins with the next frame.
        const isSmooth = cards().scrollLeft === 0;
        await scrolled('the next cards', (left) => left > card);
        const step = cards().scrollLeft / card;
        await until('both buttons', () => !ends()[0]);
        told.push(ends());
        for (let each = 0; each < 8 && !ends()[1]; each++) {
            const before = cards().scrollLeft;
            next.click();
            await scrolled('further cards', (left) => left > before);
            await until('the state of the buttons', () => !ends()[0]);
        }
        await until('the end', () => ends()[1]);
        told.push(ends());
        // Nothing happens at the end.
        const last = cards().scrollLeft;
        next.click();
        previous.click();
        await scrolled('the way back', (left) => left < last);
        await goToArtist();
        await until('the singles', () => one('.page.artist .shelf .card'));
        // Of each shelf, whether its buttons are shown exactly if it is wider than the page.
        const wrong = () =>
            all('.content section.shelf').filter((each) => {
                const list = each.querySelector('.shelf-cards');
                return (list.scrollWidth > list.clientWidth + 1) !== each.querySelector('header button').checkVisibility();
            });
        await until('the buttons of all shelves', () => one('.content section.shelf') && wrong().length === 0);
        await goHome();
        return {
            labels: [previous, next].map((each) => each.getAttribute('aria-label')),
            isShown,
            ends: told,
            step,
            isSmooth,
            fitting: cards().clientWidth / card,
        };
    },

    async focusNext() {
        buttons()[1].focus();
        return {};
    },

    /** Enter has been pressed: the button scrolls, and keeps the focus to the end. */
    async pressed() {
        await scrolled('the next cards', (left) => left > 0);
        for (let each = 0; each < 8 && !ends()[1]; each++) {
            document.activeElement.click();
            await scrolled('further cards', () => true);
        }
        await until('the end', () => ends()[1]);
        return { isFocused: document.activeElement === buttons()[1] };
    },

    async widths() {
        await go('/albums', '.cards .card');
        const widths = [width('.cards .card')];
        await goToArtist();
        await until('the albums and singles', () => one('.card-wrap .card') && one('.page.artist .shelf .card'));
        for (let each = 0; each < 2; each++) await new Promise((resolve) => requestAnimationFrame(resolve));
        widths.push(width('.card-wrap .card'), width('.shelf .card'));
        return { widths };
    },

    async keys() {
        await goHome();
        const inTabOrder = [...cards().querySelectorAll('[tabindex], a, button')].filter((each) => each.tabIndex === 0).length;
        cards().firstElementChild.focus();
        const places = [];
        for (const key of ['ArrowRight', 'ArrowRight', 'ArrowLeft', 'End', 'Home']) {
            document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
            places.push([...cards().children].indexOf(document.activeElement));
        }
        document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }));
        await until('the album', () => one('.page.album'));
        return { inTabOrder, places, opened: location.hash.startsWith('#/albums/') };
    },
};
