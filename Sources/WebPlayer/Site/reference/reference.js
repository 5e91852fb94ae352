/*
 * Forms of the API reference: sends the request that is entered in an operation's fields, with the key, and shows the answer.
 */

import { h } from '../scripts/views/parts/dom.js';

/** Where the player keeps its key: the page has the same address. */
const KEY = 'host.key';
/** The most characters of an answer that are shown. */
const SHOWN = 200_000;

const access = /** @type {HTMLFormElement} */ (document.getElementById('access'));
const key = /** @type {HTMLInputElement} */ (document.getElementById('key'));
const filter = /** @type {HTMLInputElement} */ (document.getElementById('filter'));

/** Storage fails in private windows of some browsers. */
function storedKey() {
    try {
        return localStorage.getItem(KEY) ?? '';
    } catch {
        return '';
    }
}

/** Shows the operations that contain all words of the filter. */
function applyFilter() {
    const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const section of document.querySelectorAll('main > section')) {
        const items = [...section.querySelectorAll(':scope > details')];
        for (const item of items) {
            const text = item.querySelector('summary')?.textContent?.toLowerCase() ?? '';
            /** @type {HTMLElement} */ (item).hidden = !words.every((word) => text.includes(word));
        }
        /** @type {HTMLElement} */ (section).hidden = words.length > 0 &&
            items.every((item) => /** @type {HTMLElement} */ (item).hidden);
    }
}

/** Opens the operation or object that the address names. */
function openNamed() {
    const named = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (named instanceof HTMLDetailsElement) {
        named.open = true;
        named.scrollIntoView();
    }
}

/** @param {HTMLFormElement} form */
function addControls(form) {
    if ('websocket' in form.dataset) return;
    for (const field of form.querySelectorAll('.field')) /** @type {HTMLElement} */ (field).hidden = false;
    addBody(form);
    const result = h('div', { class: 'result', 'aria-live': 'polite' });
    form.append(h('div', { class: 'send' }, h('button', { type: 'submit' }, `Send ${form.dataset.method}`)), result);
    form.addEventListener('submit', (event) => {
        event.preventDefault();
        void send(form, result);
    });
}

/** Adds the fields of a request body: its type, and a text or a file. @param {HTMLFormElement} form */
function addBody(form) {
    const body = /** @type {HTMLElement | null} */ (form.querySelector('.body'));
    if (!body) return;
    const types = (body.dataset.types ?? '').split(' ');
    const type = h(
        'select',
        { class: 'body-type', 'aria-label': 'Content type' },
        ...types.map((name) => h('option', {}, name)),
    );
    const text = h('textarea', { class: 'body-text', 'aria-label': 'Body', spellcheck: 'false' });
    const file = h('input', { class: 'body-file', type: 'file', 'aria-label': 'File' });
    const change = () => {
        const isText = /json|^text\//.test(/** @type {HTMLSelectElement} */ (type).value);
        text.hidden = !isText;
        file.hidden = isText;
    };
    type.addEventListener('change', change);
    change();
    body.append(type, text, file);
    body.hidden = false;
}

/** The request that a form's fields make. @param {HTMLFormElement} form */
function request(form) {
    let path = form.dataset.path ?? '/';
    const query = new URLSearchParams();
    const headers = new Headers();
    for (const field of form.querySelectorAll('[data-place]')) {
        const { name, value, dataset } = /** @type {HTMLInputElement} */ (field);
        if (dataset.place === 'path') path = path.replace(`{${name}}`, encodeURIComponent(value));
        else if (value !== '' && dataset.place === 'query') query.append(name, value);
        else if (value !== '') headers.set(name, value);
    }
    if (key.value) headers.set('Authorization', `Bearer ${key.value}`);
    return {
        url: String(query) ? `${path}?${query}` : path,
        init: { method: form.dataset.method, headers, body: content(form, headers) },
    };
}

/** The request's body; sets its type. @param {HTMLFormElement} form @param {Headers} headers */
function content(form, headers) {
    const type = /** @type {HTMLSelectElement | null} */ (form.querySelector('.body-type'))?.value;
    if (!type) return undefined;
    const text = /** @type {HTMLTextAreaElement} */ (form.querySelector('.body-text'));
    if (!text.hidden) {
        if (text.value === '') return undefined;
        headers.set('Content-Type', type);
        return text.value;
    }
    const file = /** @type {HTMLInputElement} */ (form.querySelector('.body-file')).files?.[0];
    if (!file) return undefined;
    if (type === 'multipart/form-data') {
        // The browser sets the type, with the boundary.
        const data = new FormData();
        data.append('file', file);
        return data;
    }
    headers.set('Content-Type', type);
    return file;
}

/** @param {HTMLFormElement} form @param {HTMLElement} result */
async function send(form, result) {
    for (const media of result.querySelectorAll('[src]')) URL.revokeObjectURL(/** @type {HTMLImageElement} */ (media).src);
    result.replaceChildren('Waiting for the answer…');
    const { url, init } = request(form);
    const start = performance.now();
    try {
        const response = await fetch(url, { ...init, cache: 'no-store' });
        const shown = await answer(response);
        const status = `${response.status} ${response.statusText} · ${Math.round(performance.now() - start)} ms`;
        const fields = [...response.headers].map(([name, value]) => `${name}: ${value}`).join('\n');
        result.replaceChildren(
            h('p', {}, h('b', { class: 'status' }, status), ` ${init.method} ${url}`),
            h('pre', { class: 'answer-headers' }, fields),
            ...shown,
        );
    } catch (error) {
        result.replaceChildren(`The request failed: ${error instanceof Error ? error.message : error}`);
    }
}

/** Elements that show an answer's content. @param {Response} response @returns {Promise<Node[]>} */
async function answer(response) {
    const type = response.headers.get('Content-Type') ?? '';
    if (/^(audio\/(?!.*mpegurl)|image\/)/.test(type)) {
        const blob = await response.blob();
        const tag = type.startsWith('image/') ? 'img' : 'audio';
        return [h(tag, { src: URL.createObjectURL(blob), ...(tag === 'audio' ? { controls: '' } : { alt: 'The answer' }) })];
    }
    if (!/json|^text\/|mpegurl|xml/.test(type)) {
        const { size } = await response.blob();
        return size ? [h('p', {}, `${size.toLocaleString()} bytes`)] : [];
    }
    let text = await response.text();
    if (/json/.test(type)) {
        try {
            text = JSON.stringify(JSON.parse(text), null, 2);
        } catch { /* Lines of JSON are shown as they are. */ }
    }
    const rest = text.length - SHOWN;
    return text
        ? [h(
            'pre',
            { class: 'answer' },
            rest > 0 ? `${text.slice(0, SHOWN)}\n… ${rest.toLocaleString()} more characters` : text,
        )]
        : [];
}

key.value = storedKey();
access.hidden = false;
access.addEventListener('submit', (event) => event.preventDefault());
filter.addEventListener('input', applyFilter);
for (const form of document.querySelectorAll('form[data-path]')) addControls(/** @type {HTMLFormElement} */ (form));
addEventListener('hashchange', openNamed);
openNamed();
