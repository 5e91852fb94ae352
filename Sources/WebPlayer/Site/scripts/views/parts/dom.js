/**
 * Creates an element. Text is never parsed as HTML, because it may come from tags.
 *
 * @param {string} name tag with classes, such as `button.icon.large`
 * @param {Record<string, any> | null} [properties] `on…` are listeners, `value`, `checked` and `textContent` properties, all others
 *     attributes; false, null and undefined ones are skipped
 * @param {...(Node | string | number | null | undefined | false | Array<any>)} children
 * @returns {HTMLElement}
 */
export function h(name, properties, ...children) {
    const [tag, ...classes] = name.split('.');
    const element = document.createElement(tag || 'div');
    if (classes.length) element.className = classes.join(' ');
    for (const [key, value] of Object.entries(properties ?? {})) {
        if (value === undefined || value === null || value === false) continue;
        if (key.startsWith('on')) element.addEventListener(key.slice(2), value);
        else if (key === 'value' || key === 'checked' || key === 'textContent') element[key] = value;
        else element.setAttribute(key, value === true ? '' : String(value));
    }
    append(element, children);
    return element;
}

function append(element, children) {
    for (const child of children) {
        if (Array.isArray(child)) append(element, child);
        else if (child !== null && child !== undefined && child !== false) element.append(child instanceof Node ? child : String(child));
    }
}
