/**
 * Makes an element. Texts are always texts: nothing that a tag says is ever read as HTML.
 *
 * @param {string} name tag, with classes behind dots: `button.icon.large`
 * @param {Record<string, any> | null} [properties] `on…` are listeners, `aria-…`, `role`, `data-…` and others attributes; a
 *     false or undefined one is left out
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

/** A number of things in words. */
export function counted(count, one, many = `${one}s`) {
    return `${count.toLocaleString()} ${count === 1 ? one : many}`;
}

/** Seconds as a clock shows them. */
export function clock(seconds) {
    if (!Number.isFinite(seconds)) return '–:––';
    const whole = Math.max(0, Math.round(seconds));
    const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
    const two = number => String(number).padStart(2, '0');
    return hours ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}

/** A length in words: "1 h 4 min". */
export function lengthText(seconds) {
    const minutes = Math.round((seconds ?? 0) / 60);
    if (minutes < 1) return `${Math.round(seconds ?? 0)} s`;
    return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
