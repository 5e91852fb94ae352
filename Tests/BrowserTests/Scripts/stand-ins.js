/** What the parts of the page need of each other, for tests of one part: a host's client, settings, a player with a made clock. */

/** @param {number} milliseconds */
export const sleep = milliseconds => new Promise(resolve => setTimeout(resolve, milliseconds));

/** Waits for something to hold; a minute, and then says what never came. @param {() => any} holds @param {string} what */
export async function until(holds, what) {
    for (let tries = 0; tries < 3000; tries++) {
        const value = await holds();
        if (value) return value;
        await sleep(20);
    }
    throw new Error(`never came: ${what}`);
}

/** Puts one of the page's style files into force. @param {string} name */
export async function useStyle(name) {
    const link = document.head.appendChild(document.createElement('link'));
    link.rel = 'stylesheet';
    link.href = `/player/style/${name}.css`;
    await new Promise(resolve => { link.onload = resolve; });
}

/** Asks the host that served the page, with the key in the address. */
export class PlainClient {
    constructor(key = new URLSearchParams(location.search).get('key')) {
        this.key = key;
    }

    async fetch(path, init = {}) {
        const headers = { ...init.headers, ...(this.key ? { Authorization: `Bearer ${this.key}` } : {}) };
        const answer = await fetch(path, { ...init, headers });
        if (answer.ok) return answer;
        const kinds = { 401: 'unauthorized', 403: 'forbidden', 404: 'not-found', 409: 'conflict', 412: 'conflict' };
        const said = await answer.json().catch(() => null);
        throw Object.assign(new Error(said?.error?.message ?? `${answer.status}`), {
            kind: kinds[answer.status] ?? 'server', status: answer.status, code: said?.error?.code, field: said?.error?.field,
        });
    }

    async json(path, { query, method = 'GET', body, signal, headers } = {}) {
        const address = query ? `${path}?${new URLSearchParams(query)}` : path;
        const answer = await this.fetch(address, {
            method, signal, headers: body === undefined ? headers : { 'Content-Type': 'application/json', ...headers },
            body: body === undefined ? undefined : JSON.stringify(body),
        });
        return answer.status === 204 ? null : answer.json();
    }

    async bytes(path, { signal } = {}) {
        const answer = await this.fetch(path, { signal });
        return { status: answer.status, headers: answer.headers, buffer: await answer.arrayBuffer() };
    }
}

export class PlainSettings extends EventTarget {
    #values = new Map();

    get(key) {
        return this.#values.get(key);
    }

    set(key, value) {
        this.#values.set(key, value);
        this.dispatchEvent(Object.assign(new Event('change'), { key }));
    }
}

/** A player that plays nothing: its position is what it is told. */
export class SilentPlayer extends EventTarget {
    state = 'stopped';
    current = null;
    position = 0;
    duration = 0;
    buffered = [];
    transition = null;
    upcomingTransition = null;
    soughtTo = [];
    node = null;

    analyser() {
        return this.node;
    }

    show(track, state = 'playing') {
        this.current = track;
        this.duration = track?.duration_seconds ?? 0;
        this.position = 0;
        this.become(state);
        this.dispatchEvent(new Event('track'));
    }

    become(state) {
        this.state = state;
        this.dispatchEvent(new Event('state'));
    }

    seek(seconds) {
        this.soughtTo.push(seconds);
        this.position = seconds;
        this.dispatchEvent(new Event('position'));
    }
}
