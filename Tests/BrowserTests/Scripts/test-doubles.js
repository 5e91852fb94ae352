/** Stand-ins for tests of single parts of the page: a client of the host, settings, and a player with a simulated clock. */

// The types of the real classes: `scripts/check-page` fails if a stand-in lacks a member, or has one of another type.
/** @typedef {import('../../../Sources/WebPlayer/Site/scripts/host/host-client.js').Client} Client */
/** @typedef {import('../../../Sources/WebPlayer/Site/scripts/host/host-client.js').RequestOptions} RequestOptions */
/** @typedef {import('../../../Sources/WebPlayer/Site/scripts/host/settings.js').Settings} Settings */
/** @typedef {import('../../../Sources/WebPlayer/Site/scripts/playback/control/player.js').Player} Player */
/** @typedef {import('../../../Sources/WebPlayer/Site/scripts/visualizer/visualizer.js').VisualizedPlayer} VisualizedPlayer */
/** @typedef {Pick<Player, Exclude<keyof VisualizedPlayer, 'queue'>>} PlayedPart what visualizer, seek bar and lyrics use */

const scripts = `${location.origin}/player/scripts`;
const [{ HostClient }, { Settings }, { Player }, { describedTransition }] = await Promise.all(
    ['host/host-client', 'host/settings', 'playback/control/player', 'playback/decks/deck-line'].map((name) =>
        import(`${scripts}/${name}.js`)
    ),
);

/** @param {number} milliseconds */
export const sleep = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Polls until a condition holds. @param {() => any} holds @param {string} what */
export async function until(holds, what, seconds = 200) {
    const end = performance.now() + seconds * 1000;
    for (;;) {
        const value = await holds();
        if (value) return value;
        if (performance.now() > end) throw new Error(`timed out waiting for: ${what}`);
        await sleep(20);
    }
}

/** Loads one of the page's style sheets. @param {string} name */
export async function useStyle(name) {
    const link = document.head.appendChild(document.createElement('link'));
    link.rel = 'stylesheet';
    link.href = `/player/style/${name}.css`;
    await new Promise((resolve) => {
        link.onload = resolve;
    });
}

/**
 * A client of the host that served the page, by default with the key from the URL.
 * @implements {Pick<Client, 'key' | 'fetch' | 'json' | 'bytes'>}
 */
export class PlainClient {
    constructor(key = new URLSearchParams(location.search).get('key')) {
        this.key = key ?? '';
    }

    /** @param {string} path @param {RequestInit} init */
    async fetch(path, init = {}) {
        const headers = { ...init.headers, ...(this.key ? { Authorization: `Bearer ${this.key}` } : {}) };
        const answer = await fetch(path, { ...init, headers });
        if (answer.ok) return answer;
        const kinds = { 401: 'unauthorized', 403: 'forbidden', 404: 'not-found', 409: 'conflict', 412: 'conflict' };
        const said = await answer.json().catch(() => null);
        throw Object.assign(new Error(said?.error?.message ?? `${answer.status}`), {
            kind: kinds[answer.status] ?? 'server',
            status: answer.status,
            code: said?.error?.code,
            field: said?.error?.field,
        });
    }

    /** @param {string} path @param {RequestOptions} options */
    async json(path, { query, method = 'GET', body, signal, headers } = {}) {
        const address = query ? `${path}?${new URLSearchParams(/** @type {any} */ (query))}` : path;
        const answer = await this.fetch(address, {
            method,
            signal,
            headers: body === undefined ? headers : { 'Content-Type': 'application/json', ...headers },
            body: body === undefined ? undefined : JSON.stringify(body),
        });
        return answer.status === 204 ? null : answer.json();
    }

    /** @param {string} path @param {{signal?: AbortSignal}} options */
    async bytes(path, { signal } = {}) {
        const answer = await this.fetch(path, { signal });
        return { status: answer.status, headers: answer.headers, buffer: await answer.arrayBuffer() };
    }
}

/** @implements {Pick<Settings, 'get' | 'set' | keyof EventTarget>} */
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

/**
 * A player without audio; tests set its position.
 * @implements {PlayedPart}
 */
export class SilentPlayer extends EventTarget {
    /** @type {Player['state']} */
    state = 'stopped';
    current = null;
    position = 0;
    duration = 0;
    buffered = [];
    transition = null;
    plannedTransition = null;
    soughtTo = [];
    node = null;

    analyser() {
        return this.node;
    }

    /** Describes a transition as the player does, from a plan in seconds. */
    transitionBetween(from, to, { kind, start, exit, entry = 0 }) {
        return describedTransition({ track: from, index: { rate: 1 } }, { track: to }, {
            kind,
            startSample: start,
            exitSample: exit,
            entry,
        });
    }

    /** Sets the transition from the current track to the next. */
    plan(from, to, plan) {
        this.plannedTransition = this.transitionBetween(from, to, plan);
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

/** Members that only the tests use, by stand-in. */
const OWN = {
    PlainClient: [],
    PlainSettings: [],
    SilentPlayer: ['soughtTo', 'node', 'transitionBetween', 'plan', 'show', 'become'],
};

/**
 * Returns the members of test-doubles that the real classes lack, so that a rename there is noticed.
 * @returns {string[]}
 */
export function strayMembers() {
    const membersOf = (object) => {
        const names = new Set(Object.getOwnPropertyNames(object));
        for (let each = Object.getPrototypeOf(object); each && each !== Object.prototype; each = Object.getPrototypeOf(each)) {
            for (const name of Object.getOwnPropertyNames(each)) names.add(name);
        }
        return names;
    };
    const client = new HostClient({ key: 'k' });
    const settings = new Settings({ getItem: () => null, setItem() {} });
    const player = new Player({ client, settings });
    const pairs = [[new PlainClient('k'), client], [new PlainSettings(), settings], [new SilentPlayer(), player]];
    const stray = pairs.flatMap(([standIn, real]) => {
        const known = membersOf(real);
        const { name } = standIn.constructor;
        return [...membersOf(standIn)].filter((member) => !known.has(member) && !OWN[name].includes(member)).map((member) =>
            `${name}.${member}`
        );
    });
    player.close();
    return stray;
}
