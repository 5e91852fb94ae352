/**
 * Creates an element. Text is never parsed as HTML, because it may come from the library.
 *
 * @param {string} tag with classes, such as `button.manage-button.is-danger`
 * @param {Record<string, any>} [properties] set on the element; names with a dash, `role`, `for` and `list` are attributes
 * @param {...(Node | string | null | undefined)} children
 * @returns {HTMLElement & Record<string, any>}
 */
export function element(tag, properties = {}, ...children) {
    const [name, ...classes] = tag.split('.');
    const made = document.createElement(name);
    made.classList.add(...classes);
    for (const [key, value] of Object.entries(properties)) {
        if (value === undefined) continue;
        if (key.includes('-') || key === 'role' || key === 'for' || key === 'list') made.setAttribute(key, String(value));
        else if (key.startsWith('on')) made.addEventListener(key.slice(2), value);
        else made[key] = value;
    }
    made.append(...children.filter(child => child !== null && child !== undefined));
    return made;
}

/** Creates a button. @param {string} text @param {() => void} act @param {string} [kind] `is-main` or `is-danger` */
export function button(text, act, kind = '') {
    return element(`button.manage-button${kind ? `.${kind}` : ''}`, { type: 'button', textContent: text, onclick: act });
}

/**
 * Creates a button for an irreversible action. The first click asks for confirmation on the button itself, for four seconds.
 *
 * @param {string} text
 * @param {string} question
 * @param {() => void} act
 */
export function dangerousButton(text, question, act) {
    let timer = 0;
    const made = button(text, () => {
        clearTimeout(timer);
        if (made.textContent === question) {
            made.textContent = text;
            act();
            return;
        }
        made.textContent = question;
        timer = setTimeout(() => { made.textContent = text; }, 4000);
    }, 'is-danger');
    return made;
}
