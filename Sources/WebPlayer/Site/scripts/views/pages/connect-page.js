import { h } from '../parts/dom.js';
import { icon } from '../parts/icons.js';

/** Seconds between tries while the host is away. */
const AGAIN = 5;

/** Asks for the key, and says what to do where the host does not let us in. @returns {{element: HTMLElement, close: () => void}} */
export function connectPage(app) {
    const { connection } = app;
    const listeners = new AbortController();
    const input = /** @type {HTMLInputElement} */ (h('input.field', { type: 'password', id: 'connect-key', autocomplete: 'current-password', placeholder: 'Key', required: true,
        spellcheck: 'false', autocapitalize: 'off', 'aria-describedby': 'connect-help connect-error' }));
    const shown = h('input', { type: 'checkbox', onchange: () => { input.type = shown.checked ? 'text' : 'password'; } });
    const error = h('p.connect-error', { id: 'connect-error', role: 'alert' });
    const button = h('button.text-button.is-main.is-wide', { type: 'submit' }, 'Connect');
    const form = h('form.stack', { onsubmit: async event => {
        event.preventDefault();
        button.disabled = true;
        button.textContent = 'Connecting…';
        const state = await connection.connect(input.value);
        button.disabled = false;
        button.textContent = 'Connect';
        if (state !== 'open') input.select();
    } }, h('input', { type: 'text', name: 'username', autocomplete: 'username', value: 'listener', hidden: true }), h('label.is-hidden', { for: 'connect-key' }, 'Key of the host'), input, h('label.check', null, shown, h('span', null, 'Show the key')), error, button,
    h('p.connect-help', { id: 'connect-help' }, 'The key is kept in this browser. On the host, ', h('code', null, 'stream-host key show'), ' prints it.'));
    const again = h('button.text-button.is-wide', { type: 'button', onclick: () => connection.connect() }, 'Try again');
    const title = h('h1', null, 'Music');
    const element = h('main.connect', null, h('div.connect-box', null, h('div.connect-mark', { 'aria-hidden': 'true' }, icon('wave')), title, form, again));
    let timer = 0;
    const draw = () => {
        const { state, message } = connection;
        error.textContent = message;
        const isAway = state === 'down' || state === 'version';
        title.textContent = state === 'down' ? 'The host is away' : state === 'version' ? 'The versions do not fit' : connection.hostName || 'Music';
        for (const part of [input, shown.parentElement, button, form.querySelector('.connect-help')]) part.hidden = isAway;
        again.hidden = !isAway;
        clearTimeout(timer);
        if (state === 'down') timer = setTimeout(() => connection.connect(), AGAIN * 1000);
        if (!isAway) requestAnimationFrame(() => input.focus());
    };
    connection.addEventListener('change', draw, { signal: listeners.signal });
    draw();
    return { element, close: () => { clearTimeout(timer); listeners.abort(); } };
}
