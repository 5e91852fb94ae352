import { h } from './dom.js';

/** Creates a row of buttons to choose one of a few options. */
export function choice(label, options, value, onchange) {
    const buttons = () => /** @type {HTMLElement[]} */ ([...group.children]);
    const group = h(
        'div.choice',
        { role: 'radiogroup', 'aria-label': label },
        options.map(([name, text]) =>
            h('button', {
                type: 'button',
                role: 'radio',
                'aria-checked': String(name === value),
                'data-name': name,
                tabindex: name === value ? '0' : '-1',
                onclick: (event) => {
                    for (const button of buttons()) {
                        const isOn = button === event.currentTarget;
                        button.setAttribute('aria-checked', String(isOn));
                        button.tabIndex = isOn ? 0 : -1;
                    }
                    onchange(name);
                },
            }, text)
        ),
    );
    group.addEventListener('keydown', (event) => {
        const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
        if (!step) return;
        event.preventDefault();
        event.stopPropagation();
        const all = buttons();
        const next = all.at((all.indexOf(/** @type {HTMLElement} */ (document.activeElement)) + step) % all.length);
        next?.focus();
        next?.click();
    });
    return group;
}
