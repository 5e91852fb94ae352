// The page of a share, which needs no account.

/** Elements whose text comes from the shared songs, or is a number. */
const DATA = '.title, .artist, .length, .number, .cover';

/** Returns a function that says whether a text is a message of the language. */
async function messagesOf(language) {
    const { SINGULARS } = await import('/player/scripts/texts/singulars.js');
    const all = await (await fetch(`/player/scripts/texts/${language === 'en' ? 'de' : language}.json`)).json();
    const texts = language === 'en'
        ? [...Object.keys(all), ...Object.values(SINGULARS)]
        : Object.values(all).flatMap((each) => (typeof each === 'string' ? [each] : Object.values(each)));
    const patterns = texts.map((text) =>
        // A number or a date; a pattern that takes any text would match a literal.
        new RegExp(`^${text.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{\w+\}/g, '[^·]*[0-9][^·]*')}$`)
    );
    return (text) => patterns.some((each) => each.test(text));
}

const shownTexts = () => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found = [document.title];
    while (walker.nextNode()) {
        const { data, parentElement } = walker.currentNode;
        if (data.trim() && !parentElement.closest(DATA)) found.push(...data.trim().split(' · '));
    }
    for (const element of document.body.querySelectorAll('[aria-label], [title], [placeholder], [alt]')) {
        for (const name of ['aria-label', 'title', 'placeholder', 'alt']) {
            if (element.getAttribute(name)) found.push(element.getAttribute(name));
        }
    }
    return found;
};

async function inLanguage(language) {
    const isMessage = await messagesOf(language);
    const texts = shownTexts();
    return {
        language: document.documentElement.lang,
        texts: texts.length,
        left: texts.filter((each) => !isMessage(each)),
        beyond: document.documentElement.scrollWidth - innerWidth,
    };
}

const checks = {
    async shared() {
        await until('the songs', () => one('#tracks button'));
        return { title: one('h1').textContent, count: all('#tracks li').length, first: one('#tracks li').textContent };
    },

    /** Waits until the second song plays after the end of the first. */
    async playedOn() {
        await until(
            'the second song',
            () => all('#tracks button')[1].hasAttribute('aria-current') && one('audio').currentTime > 0.2,
        );
        return { reached: 1 };
    },

    /** The page of a share that was revoked. */
    async revoked() {
        return {
            message: await until('the message', () => one('#message').textContent.includes('share') && one('#message').textContent),
        };
    },

    /** The texts of the page with its songs, and whether it has the colours of the player. */
    async shown(_, language) {
        await until('the songs', () => one('#tracks button'));
        const ground = getComputedStyle(document.documentElement).getPropertyValue('--ground');
        const probe = document.body.appendChild(document.createElement('i'));
        probe.style.color = ground;
        const isPlayersGround = Boolean(ground) &&
            getComputedStyle(probe).color === getComputedStyle(document.body).backgroundColor;
        probe.remove();
        return { ...await inLanguage(language), heading: one('h1').textContent, isPlayersGround };
    },

    /** The texts of the page of a share that was revoked. */
    async gone(_, language) {
        await until('the message', () => !one('#tracks button') && one('audio').hidden && one('#message').textContent.length > 20);
        return inLanguage(language);
    },
};
