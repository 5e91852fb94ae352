import { button, element } from './element.js';
import { countText, sizeText, stretchText } from './sizes.js';

/** Milliseconds between two looks. */
const INTERVAL = 4000;

/** How the host is: what it holds and does, where it is reached, the key, and who is connected. */
export class StatusPanel {
    title = 'Host';
    #client;
    #events;
    #facts = element('dl.manage-facts');
    #reach = element('dl.manage-facts');
    #clients = element('div.manage-list', { role: 'list' });
    #note = element('p.manage-note', { role: 'status' });
    #key = element('code.manage-key');
    #isKeyShown = false;
    #timer = 0;
    #onNews = () => this.#look();

    constructor({ client, events }) {
        this.#client = client;
        this.#events = events;
        this.element = element(
            'div.manage-panel', {}, this.#note,
            element('section.manage-card', {}, element('h3', { textContent: 'The host' }), this.#facts),
            element('section.manage-card', {}, element('h3', { textContent: 'Where it is reached' }), this.#reach),
            element('section.manage-card', {}, element('h3', { textContent: 'Key' }), this.#keyBox()),
            element('section.manage-card', {}, element('h3', { textContent: 'Connected clients' }), this.#clients));
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
            ['Program', health.version],
            ['Running for', health.uptime_seconds === undefined ? '' : stretchText(health.uptime_seconds)],
            ['Tracks', health.track_count?.toLocaleString()],
            ['With a profile', health.profile_count?.toLocaleString()],
            ['With frames', `${(health.vis_cache_size ?? 0).toLocaleString()} (${sizeText(health.vis_cache_bytes ?? 0)})`],
            ['Waiting for analysis', health.queue_length?.toLocaleString()],
            ['Analysed since the start', health.analyses
                && `${health.analyses.done_count.toLocaleString()}, ${health.analyses.failed_count.toLocaleString()} failed`],
            ['Navidrome', health.navidrome && `${health.navidrome.state}, ${countText(health.navidrome.scan_count, 'scan')}`
                + `${health.navidrome.last_error ? `: ${health.navidrome.last_error}` : ''}`],
        ]);
        const { tunnel } = health;
        fill(this.#reach, [
            ['Here', location.origin],
            ['From outside', tunnel ? tunnel.url ?? `tunnel ${tunnel.state}` : 'no tunnel (start the host with --tunnel quick)'],
            ['Tunnel', tunnel && `${tunnel.mode}, ${tunnel.state}`
                + `${tunnel.restart_count > 0 ? `, started again ${countText(tunnel.restart_count, 'time')}` : ''}`
                + `${tunnel.message ? `: ${tunnel.message}` : ''}`],
        ]);
        const rows = clients.map(client => element(
            'div.manage-row', { role: 'listitem' },
            element('div.manage-row-text', {},
                element('strong', { textContent: client.app_version }),
                element('span', { textContent: `${client.address} · for ${stretchText(client.connected_seconds)}` })),
            element('span.manage-badge', {
                textContent: client.playback?.trackId === undefined ? 'idle'
                    : `${client.playback.isPlaying ? 'plays' : 'holds'} track ${client.playback.trackId}`,
            })));
        this.#clients.replaceChildren(...(rows.length > 0 ? rows : [element('p.manage-empty', { textContent: 'Nobody at the moment.' })]));
    }

    #keyBox() {
        const show = button('Show', () => {
            this.#isKeyShown = !this.#isKeyShown;
            show.textContent = this.#isKeyShown ? 'Hide' : 'Show';
            this.#showKey();
        });
        this.#showKey();
        return element('div.manage-keybox', {}, this.#key, show, element('p.manage-hint', {
            textContent: 'Whoever has it can hear and change everything. “stream-host key regenerate” makes a new one, and '
                + 'every device has to be given that.',
        }));
    }

    #showKey() {
        const { key } = this.#client;
        this.#key.textContent = !key ? 'none is needed here' : this.#isKeyShown ? key : '•'.repeat(16);
    }
}

/** @param {HTMLElement} list @param {[string, string | undefined][]} facts */
function fill(list, facts) {
    list.replaceChildren(...facts.filter(([, value]) => value).flatMap(([name, value]) => [
        element('dt', { textContent: name }), element('dd', { textContent: value }),
    ]));
}
