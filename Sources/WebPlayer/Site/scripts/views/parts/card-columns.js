/** Minimum card width in pixels, including its padding. */
const CARD = 172;
const CARD_SMALL = 140;
/** Width from which cards are larger. */
const WIDE = 560;
/** Pixels by which rows of cards are wider than the page: the padding of the outer cards. */
const OUTSET = 18;

/** Returns the number of cards that fit side by side. @param {number} width in pixels */
export function cardColumns(width) {
    return Math.max(2, Math.floor(width / (width < WIDE ? CARD_SMALL : CARD)));
}

/**
 * Keeps the property `--columns` of the element around the views up to date: cards of all views have the same width, from their
 * first frame.
 * @param {HTMLElement} content in the page
 */
export function fitCards(content) {
    const fit = () => {
        const { paddingLeft, paddingRight } = getComputedStyle(content);
        const width = content.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
        if (width > 0) content.style.setProperty('--columns', String(cardColumns(width + OUTSET)));
    };
    fit();
    new ResizeObserver(fit).observe(content);
}
