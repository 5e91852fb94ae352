import { textButton } from '../views/parts/buttons.js';
import { confirmed } from '../views/parts/dialog.js';
import { h } from '../views/parts/dom.js';
import { markBusy, placeholder, UNKNOWN } from '../views/parts/placeholder.js';
import { emptyRow, listRow, rowList, settingsGroup } from '../views/parts/setting-rows.js';
import { numberText, sizeText, stretchText } from '../views/parts/texts.js';
import { t } from '../texts/text.js';

/** Polling interval in milliseconds. */
const INTERVAL = 4000;

/** Status of the host: its contents and activity, its addresses, the API key and the connected clients. */
export class StatusPanel {
    title = t('Host');
    #client;
    #events;
    #facts = h('dl.manage-facts');
    #reach = h('dl.manage-facts');
    #clients = rowList(t('Connected clients'));
    #unavailable = rowList(t('Unavailable folders'));
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
            t('Unavailable folders'),
            h('p.manage-hint', {
                textContent: t(
                    'These folders are missing or cannot be read. Their tracks stay in the library until the folders are available again, or until you confirm the removal.',
                ),
            }),
            this.#unavailable,
        );
        this.#unavailableCard.hidden = true;
        this.element = h(
            'div.manage-panel',
            {},
            this.#note,
            this.#unavailableCard,
            settingsGroup(t('Host'), h('div.settings-box.manage-pad', null, this.#facts)),
            settingsGroup(t('Addresses'), h('div.settings-box.manage-pad', null, this.#reach)),
            settingsGroup(t('API key'), this.#keyBox()),
            settingsGroup(t('Connected clients'), this.#clients),
        );
        this.#expect();
    }

    open() {
        this.#events?.addEventListener('open', this.#onNews);
        this.#look();
    }

    close() {
        clearTimeout(this.#timer);
        this.#events?.removeEventListener('open', this.#onNews);
    }

    /** Reserves the place of what every host reports. */
    #expect() {
        markBusy(this.element, true);
        const names = [
            t('Version'),
            t('Uptime'),
            t('Tracks'),
            t('Profiles'),
            t('Spectra'),
            t('Analysis queue'),
            t('Analysed since start'),
        ];
        fill(this.#facts, names.map((name) => [name, UNKNOWN]));
        fill(this.#reach, [[t('This page'), location.origin], [t('Public'), UNKNOWN]]);
        this.#clients.replaceChildren(placeholder('setting'));
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
        markBusy(this.element, false);
        if (this.element.isConnected) this.#timer = setTimeout(() => this.#look(), INTERVAL);
    }

    #show(health, clients) {
        fill(this.#facts, [
            [t('Version'), health.version],
            [t('Uptime'), health.uptime_seconds === undefined ? '' : stretchText(health.uptime_seconds)],
            [t('Tracks'), numberText(health.track_count)],
            [t('Profiles'), numberText(health.profile_count)],
            [t('Spectra'), `${numberText(health.vis_cache_size ?? 0)} (${sizeText(health.vis_cache_bytes ?? 0)})`],
            [t('Analysis queue'), numberText(health.queue_length)],
            [
                t('Analysed since start'),
                health.analyses &&
                t('{done}, {failed} failed', { done: health.analyses.done_count, failed: health.analyses.failed_count }),
            ],
            [
                'Navidrome',
                health.navidrome && [
                    t('{state}, {count} scans', { state: health.navidrome.state, count: health.navidrome.scan_count }),
                    health.navidrome.last_error,
                ].filter(Boolean).join(': '),
            ],
        ]);
        this.#showUnavailable(health.unavailable_folders ?? []);
        const { tunnel } = health;
        fill(this.#reach, [
            [t('This page'), location.origin],
            [
                t('Public'),
                tunnel
                    ? tunnel.url ?? t('tunnel {state}', { state: tunnel.state })
                    : t('no tunnel (start the host with --tunnel quick)'),
            ],
            [
                t('Tunnel'),
                tunnel && [
                    [
                        tunnel.mode,
                        tunnel.state,
                        tunnel.restart_count > 0 && t('restarted {count} times', { count: tunnel.restart_count }),
                    ].filter(Boolean).join(', '),
                    tunnel.message,
                ].filter(Boolean).join(': '),
            ],
        ]);
        const rows = clients.map((client) =>
            listRow(
                client.app_version,
                [t('{address} · for {duration}', { address: client.address, duration: stretchText(client.connected_seconds) })],
                h('span.manage-badge', {
                    textContent: client.playback?.track_id === undefined
                        ? t('idle')
                        : client.playback.is_playing
                        ? t('playing track {id}', { id: String(client.playback.track_id) })
                        : t('paused on track {id}', { id: String(client.playback.track_id) }),
                }),
            )
        );
        this.#clients.replaceChildren(...(rows.length > 0 ? rows : [emptyRow(t('No clients connected.'))]));
    }

    /** @param {{ relative_path: string, track_count: number, message: string }[]} folders */
    #showUnavailable(folders) {
        const shown = JSON.stringify(folders);
        if (shown === this.#shownUnavailable) return;
        this.#shownUnavailable = shown;
        this.#unavailableCard.hidden = folders.length === 0;
        this.#unavailable.replaceChildren(...folders.map((folder) => {
            const tracks = t('{count} tracks', { count: folder.track_count });
            return listRow(
                folder.relative_path === '.' ? t('The music folder') : folder.relative_path,
                [`${folder.message} · ${tracks}`],
                textButton(t('Confirm removal…'), () => this.#askRemoval(folder.relative_path, folder.track_count), {
                    kind: 'is-danger',
                }),
            );
        }));
    }

    /** @param {string} path @param {number} count how many tracks are removed */
    async #askRemoval(path, count) {
        const text = t('Their stars, plays and playlist entries stay stored, and return with the files.');
        if (await confirmed(t('Remove {count} tracks?', { count }), text, t('Remove'))) await this.#confirmRemoval(path);
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
            this.#note.textContent = t('{count} tracks removed from the library.', { count });
        } catch (error) {
            this.#note.textContent = error.message;
        }
    }

    #keyBox() {
        const show = textButton(t('Show'), () => {
            this.#isKeyShown = !this.#isKeyShown;
            show.textContent = this.#isKeyShown ? t('Hide') : t('Show');
            this.#showKey();
        });
        this.#showKey();
        const list = rowList(t('API key'));
        list.append(listRow(
            this.#key,
            [
                t('Anyone with this key can play and change everything. “stream-host key regenerate” creates a new key, which every device then needs.'),
            ],
            show,
        ));
        return list;
    }

    #showKey() {
        const { key } = this.#client;
        this.#key.textContent = !key ? t('no key required') : this.#isKeyShown ? key : '•'.repeat(16);
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
