/**
 * The type of the element that a name such as `button.icon.large` creates.
 *
 * @template {string} Name
 * @typedef {Name extends `${infer Tag}.${string}` ? ElementOf<Tag> : Name extends keyof HTMLElementTagNameMap ? HTMLElementTagNameMap[Name] : HTMLElement} ElementOf
 */

/** Names that are set as properties: an attribute would set them only at first, or not at all. */
const PROPERTIES = new Set(['value', 'checked', 'indeterminate', 'textContent']);

/**
 * Creates an element. Text is never parsed as HTML, because it may come from tags.
 *
 * @template {string} Name
 * @param {Name} name tag with classes, such as `button.icon.large`
 * @param {Record<string, any> | null} [properties] `on…` are listeners, `value`, `checked`, `indeterminate` and `textContent` properties, all others
 *     attributes; false, null and undefined ones are skipped
 * @param {...(Node | string | number | null | undefined | false | Array<any>)} children
 * @returns {ElementOf<Name>}
 */
export function h(name, properties, ...children) {
    const [tag, ...classes] = name.split('.');
    const element = document.createElement(tag || 'div');
    if (classes.length) element.className = classes.join(' ');
    for (const [key, value] of Object.entries(properties ?? {})) {
        if (value === undefined || value === null || value === false) continue;
        if (key.startsWith('on')) element.addEventListener(key.slice(2), value);
        else if (PROPERTIES.has(key)) element[key] = value;
        else element.setAttribute(key, value === true ? '' : String(value));
    }
    append(element, children);
    return /** @type {ElementOf<Name>} */ (element);
}

/**
 * Returns the nearest element around an event that matches a selector; null without a match.
 * @param {Event} event
 * @param {string} selector
 * @returns {HTMLElement | null}
 */
export function closest(event, selector) {
    return event.target instanceof Element ? event.target.closest(selector) : null;
}

function append(element, children) {
    for (const child of children) {
        if (Array.isArray(child)) append(element, child);
        else if (child !== null && child !== undefined && child !== false) {
            element.append(child instanceof Node ? child : String(child));
        }
    }
}
