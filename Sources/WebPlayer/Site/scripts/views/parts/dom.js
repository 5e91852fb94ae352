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

/** Formats a count with its noun. */
export function counted(count, one, many = `${one}s`) {
    return `${count.toLocaleString()} ${count === 1 ? one : many}`;
}

/** Formats seconds as a clock time: "4:05", "1:02:03". */
export function clock(seconds) {
    if (!Number.isFinite(seconds)) return '–:––';
    const whole = Math.max(0, Math.round(seconds));
    const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
    const two = number => String(number).padStart(2, '0');
    return hours ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}

/** Formats a duration: "1 h 4 min". */
export function lengthText(seconds) {
    const minutes = Math.round((seconds ?? 0) / 60);
    if (minutes < 1) return `${Math.round(seconds ?? 0)} s`;
    return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
