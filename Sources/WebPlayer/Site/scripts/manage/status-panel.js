import { textButton } from '../views/parts/buttons.js';
import { confirmed } from '../views/parts/dialog.js';
import { h } from '../views/parts/dom.js';
import { emptyRow, listRow, rowList, settingsGroup } from '../views/parts/setting-rows.js';
import { counted, sizeText, stretchText } from '../views/parts/texts.js';

/** Polling interval in milliseconds. */
const INTERVAL = 4000;

/** Status of the host: its contents and activity, its addresses, the API key and the connected clients. */
export class StatusPanel {
    title = 'Host';
    #client;
    #events;
    #facts = h('dl.manage-facts');
    #reach = h('dl.manage-facts');
    #clients = rowList('Connected clients');
    #unavailable = rowList('Unavailable folders');
    #unavailableCard;
    /** The folders shown. An unchanged list is not redrawn, because that would lose the focus. */
    #shownUnavailable = '';
    #note = h('p.manage-note', { role: 'status' });
    #key = h('code.manage-key');
    #isKeyShown = false;
    #timer = 0;
    #onNews = () => this.#look();

    constructor({ client, events }) {
        this.#client = client;
        this.#events = events;
        this.#unavailableCard = settingsGroup(
            'Unavailable folders',
            h('p.manage-hint', {
                textContent: 'These folders are missing or cannot be read. Their tracks stay in the library until the folders ' +
                    'are available again, or until you confirm the removal.',
            }),
            this.#unavailable,
        );
        this.#unavailableCard.hidden = true;
        this.element = h(
            'div.manage-panel',
            {},
            this.#note,
            this.#unavailableCard,
            settingsGroup('Host', h('div.settings-box.manage-pad', null, this.#facts)),
            settingsGroup('Addresses', h('div.settings-box.manage-pad', null, this.#reach)),
            settingsGroup('API key', this.#keyBox()),
            settingsGroup('Connected clients', this.#clients),
        );
    }

    open() {
        this.#events?.addEventListener('open', this.#onNews);
        this.#look();
    }

    close() {
        clearTimeout(this.#timer);
        this.#events?.removeEventListener('open', this.#onNews);
    }

    async #look() {
        clearTimeout(this.#timer);
        try {
            const [health, { clients }] = await Promise.all([this.#client.json('/health'), this.#client.json('/clients')]);
            this.#show(health, clients);
            this.#note.textContent = '';
        } catch (error) {
            this.#note.textContent = error.message;
        }
        if (this.element.isConnected) this.#timer = setTimeout(() => this.#look(), INTERVAL);
    }

    #show(health, clients) {
        fill(this.#facts, [
            ['Version', health.version],
            ['Uptime', health.uptime_seconds === undefined ? '' : stretchText(health.uptime_seconds)],
            ['Tracks', health.track_count?.toLocaleString()],
            ['Profiles', health.profile_count?.toLocaleString()],
            ['Spectra', `${(health.vis_cache_size ?? 0).toLocaleString()} (${sizeText(health.vis_cache_bytes ?? 0)})`],
            ['Analysis queue', health.queue_length?.toLocaleString()],
            [
                'Analysed since start',
                health.analyses &&
                `${health.analyses.done_count.toLocaleString()}, ${health.analyses.failed_count.toLocaleString()} failed`,
            ],
            [
                'Navidrome',
                health.navidrome && `${health.navidrome.state}, ${counted(health.navidrome.scan_count, 'scan')}` +
                    `${health.navidrome.last_error ? `: ${health.navidrome.last_error}` : ''}`,
            ],
        ]);
        this.#showUnavailable(health.unavailable_folders ?? []);
        const { tunnel } = health;
        fill(this.#reach, [
            ['This page', location.origin],
            ['Public', tunnel ? tunnel.url ?? `tunnel ${tunnel.state}` : 'no tunnel (start the host with --tunnel quick)'],
            [
                'Tunnel',
                tunnel && `${tunnel.mode}, ${tunnel.state}` +
                    `${tunnel.restart_count > 0 ? `, restarted ${counted(tunnel.restart_count, 'time')}` : ''}` +
                    `${tunnel.message ? `: ${tunnel.message}` : ''}`,
            ],
        ]);
        const rows = clients.map((client) =>
            listRow(
                client.app_version,
                [`${client.address} · for ${stretchText(client.connected_seconds)}`],
                h('span.manage-badge', {
                    textContent: client.playback?.track_id === undefined
                        ? 'idle'
                        : `${client.playback.is_playing ? 'playing' : 'paused on'} track ${client.playback.track_id}`,
                }),
            )
        );
        this.#clients.replaceChildren(...(rows.length > 0 ? rows : [emptyRow('No clients connected.')]));
    }

    /** @param {{ relative_path: string, track_count: number, message: string }[]} folders */
    #showUnavailable(folders) {
        const shown = JSON.stringify(folders);
        if (shown === this.#shownUnavailable) return;
        this.#shownUnavailable = shown;
        this.#unavailableCard.hidden = folders.length === 0;
        this.#unavailable.replaceChildren(...folders.map((folder) => {
            const tracks = counted(folder.track_count, 'track');
            return listRow(
                folder.relative_path === '.' ? 'The music folder' : folder.relative_path,
                [`${folder.message} · ${tracks}`],
                textButton('Confirm removal…', () => this.#askRemoval(folder.relative_path, tracks), { kind: 'is-danger' }),
            );
        }));
    }

    /** @param {string} path @param {string} tracks how many tracks are removed */
    async #askRemoval(path, tracks) {
        const text = 'Their stars, plays and playlist entries stay stored, and return with the files.';
        if (await confirmed(`Remove ${tracks}?`, text, 'Remove')) await this.#confirmRemoval(path);
    }

    /** Asks the host to remove the missing tracks of a folder from the library. @param {string} path */
    async #confirmRemoval(path) {
        try {
            const { removed_count: count } = await this.#client.json('/library/unavailable-folders/confirm', {
                method: 'POST',
                body: { relative_paths: [path] },
                timeout: 600_000,
            });
            await this.#look();
            this.#note.textContent = `${counted(count, 'track')} removed from the library.`;
        } catch (error) {
            this.#note.textContent = error.message;
        }
    }

    #keyBox() {
        const show = textButton('Show', () => {
            this.#isKeyShown = !this.#isKeyShown;
            show.textContent = this.#isKeyShown ? 'Hide' : 'Show';
            this.#showKey();
        });
        this.#showKey();
        const list = rowList('API key');
        list.append(listRow(
            this.#key,
            [
                'Anyone with this key can play and change everything. “stream-host key regenerate” creates a new key, which ' +
                'every device then needs.',
            ],
            show,
        ));
        return list;
    }

    #showKey() {
        const { key } = this.#client;
        this.#key.textContent = !key ? 'no key required' : this.#isKeyShown ? key : '•'.repeat(16);
    }
}

/** @param {HTMLElement} list @param {[string, string | undefined][]} facts */
function fill(list, facts) {
    list.replaceChildren(
        ...facts.filter(([, value]) => value).flatMap(([name, value]) => [
            h('dt', { textContent: name }),
            h('dd', { textContent: value }),
        ]),
    );
}
