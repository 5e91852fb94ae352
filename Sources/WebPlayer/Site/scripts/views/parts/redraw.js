/** Selector of focusable elements. */
const FOCUSABLE = 'a[href], button, input, select, textarea, [tabindex]';

/** Returns an element and the focusable elements in it. @param {Element} element */
function focusables(element) {
    return [element, ...element.querySelectorAll(FOCUSABLE)];
}

/**
 * Replaces an element with a new one for the same item, and keeps the focus and the horizontal scroll position.
 * @param {HTMLElement} old @param {HTMLElement} fresh
 */
export function replaceKeepingFocus(old, fresh) {
    const focused = document.activeElement;
    const place = old.contains(focused) ? focusables(old).indexOf(focused) : -1;
    const { scrollLeft } = old;
    old.replaceWith(fresh);
    if (scrollLeft) fresh.scrollLeft = scrollLeft;
    if (place >= 0) (focusables(fresh)[place] ?? fresh).focus({ preventScroll: true });
}

/** Children drawn in each element, with their state. @type {WeakMap<HTMLElement, Map<any, {node: HTMLElement, state: any[]}>>} */
const known = new WeakMap();

/**
 * Draws keyed children of an element. A child with the same state is kept, with its focus and scroll position; the others are
 * replaced.
 *
 * @param {HTMLElement} parent without other children
 * @param {{key: any, state?: any[], make: () => HTMLElement}[]} wanted in order; `state` holds all values that the
 *   child shows and does not update itself
 */
export function drawChildren(parent, wanted) {
    const focused = parent.contains(document.activeElement) ? /** @type {HTMLElement} */ (document.activeElement) : null;
    const before = known.get(parent) ?? new Map();
    const shown = new Map();
    for (const { key, state = [], make } of wanted) {
        const former = before.get(key);
        if (former && isSame(former.state, state)) {
            shown.set(key, former);
            continue;
        }
        const node = make();
        if (former) replaceKeepingFocus(former.node, node);
        shown.set(key, { node, state });
    }
    for (const [key, { node }] of before) if (!shown.has(key)) node.remove();
    // Children already in place are not touched: moving an element makes it lose the focus.
    let next = parent.firstChild;
    for (const { node } of shown.values()) {
        if (node === next) next = node.nextSibling;
        else parent.insertBefore(node, next);
    }
    known.set(parent, shown);
    if (focused?.isConnected && document.activeElement !== focused && parent.contains(focused)) {
        focused.focus({ preventScroll: true });
    }
}

/** Whether two lists have the same values. @param {any[]} one @param {any[]} other */
export function isSame(one, other) {
    return one.length === other.length && one.every((value, index) => Object.is(value, other[index]));
}

/**
 * Calls `draw` and keeps the focused element at its place on the screen, even if the content above it becomes taller.
 * @param {HTMLElement} scroller @param {HTMLElement} element @param {() => void} draw
 */
export function keepingPlace(scroller, element, draw) {
    const focused = element.contains(document.activeElement) ? document.activeElement : null;
    const before = focused?.getBoundingClientRect().top ?? 0;
    draw();
    if (focused?.isConnected && document.activeElement === focused) {
        scroller.scrollTop += focused.getBoundingClientRect().top - before;
    }
}

/**
 * Sorts the children of an element, as screen readers read them; the focused one is not moved, to keep the focus.
 * @param {HTMLElement} parent @param {HTMLElement[]} sorted all children in their order
 */
export function sortChildren(parent, sorted) {
    const focused = document.activeElement;
    let next = parent.firstChild;
    for (const element of sorted) {
        if (element !== next && element.contains(focused)) {
            while (next !== element) {
                const following = /** @type {ChildNode} */ (next).nextSibling;
                parent.append(/** @type {ChildNode} */ (next));
                next = following;
            }
        }
        if (element === next) next = next.nextSibling;
        else parent.insertBefore(element, next);
    }
}
