import { SoundOutput } from '../output/sound-output.js';
import { StationDecoder } from './station-decoder.js';
import { endOf, StationTimeline } from './station-timeline.js';

/** Seconds between the sound and the newest audio that the host has: more than a segment and the interval of the questions. */
const LIVE_DISTANCE = 8;
/** Seconds that must be there before a station starts. */
const START_SECONDS = 5;
/** Seconds to schedule ahead. */
const AHEAD = 6;
/** Milliseconds between questions for new segments, and between looks at the schedule. */
const POLL = 1500;
const TICK = 100;

/**
 * @typedef {{id: number, name: string, homepage_url?: string}} Station
 * @typedef {{when: number, time: number, seconds: number, node: AudioBufferSourceNode}} Piece `when`: time of the audio clock,
 *     `time`: milliseconds since 1970
 */

/**
 * Plays a radio station through the host, which keeps its last hour. Positions are times: milliseconds since 1970.
 *
 * Dispatches `change` (station, state, title, recording) and `position`.
 */
export class RadioPlayer extends EventTarget {
    /** @type {Station | null} */
    station = null;
    timeline = new StationTimeline();
    /** The recording in progress. */
    recording = /** @type {any} */ (null);
    /** Why nothing is heard; may be empty. */
    message = '';

    #client;
    #decoder;
    #player;
    /** @type {SoundOutput | null} */
    #output = null;
    #isWanted = false;
    /** Changes whenever playback starts elsewhere, so that pending work is dropped. */
    #epoch = 0;
    #isLoading = false;
    /** The next audio to schedule; null before the station has started. */
    #cursor = /** @type {number | null} */ (null);
    /** When it is due on the audio clock. */
    #due = 0;
    /** @type {Piece[]} */
    #pieces = [];
    #leaving = new AbortController();
    #poll = 0;
    #tick = 0;
    #shown = '';

    /**
     * @param {object} parts
     * @param {any} parts.client a `HostClient`
     * @param {import('../control/player.js').Player} parts.player paused while a station plays; its volume is used
     */
    constructor({ client, player }) {
        super();
        this.#client = client;
        this.#player = player;
        this.#decoder = new StationDecoder(player.engine.decoder);
        player.addEventListener('state', () => {
            if (this.station && player.line.isWanted) this.stop();
        });
        player.addEventListener('volume', () => this.#applyVolume());
    }

    // ---- What is heard

    /** 'stopped', 'loading', 'playing' or 'paused'. */
    get state() {
        if (!this.station) return 'stopped';
        if (!this.#isWanted) return 'paused';
        return this.#heard ? 'playing' : 'loading';
    }

    get #heard() {
        const now = this.#output?.context?.currentTime ?? 0;
        return this.#pieces.find((piece) => piece.when <= now && now < piece.when + piece.seconds);
    }

    /** The time of the audio that is heard, or that will be heard next. */
    get position() {
        const heard = this.#heard;
        if (heard) return heard.time + ((this.#output?.context.currentTime ?? 0) - heard.when) * 1000;
        return this.#pieces[0]?.time ?? this.#cursor ?? this.timeline.end;
    }

    /** The title of what is heard; empty without one. */
    get title() {
        return this.timeline.titleAt(this.position);
    }

    /** Whether it is as close to the present as possible. */
    get isLive() {
        return this.state === 'playing' && this.timeline.end - this.position < (LIVE_DISTANCE + 6) * 1000;
    }

    // ---- Controls

    /** Plays a station, at the present. @param {Station} station */
    play(station) {
        if (this.station?.id === station.id) return this.resume();
        this.stop();
        this.#player.pause();
        this.station = station;
        this.#isWanted = true;
        this.#leaving = new AbortController();
        this.#tick = setInterval(() => this.#look(), TICK);
        this.#ask(this.#epoch);
        this.#change();
    }

    pause() {
        if (!this.station) return;
        this.#isWanted = false;
        this.#output?.fall();
        this.#change();
    }

    /** Continues where it was paused. */
    resume() {
        if (!this.station) return;
        this.#player.pause();
        this.#isWanted = true;
        this.#output?.rise();
        this.#look();
        this.#change();
    }

    toggle() {
        if (this.#isWanted) this.pause();
        else this.resume();
    }

    stop() {
        if (!this.station) return;
        this.station = null;
        this.#isWanted = false;
        this.#leaving.abort();
        clearTimeout(this.#poll);
        clearInterval(this.#tick);
        this.#drop();
        this.#cursor = null;
        this.timeline = new StationTimeline();
        this.recording = null;
        this.message = '';
        this.#output?.close();
        this.#output = null;
        this.#change();
    }

    /** Plays from a time on. @param {number} time */
    seek(time) {
        const { timeline } = this;
        if (!timeline.segments.length) return;
        this.#drop();
        this.#cursor = Math.min(Math.max(time, timeline.start), Math.max(timeline.beforeEnd(LIVE_DISTANCE), timeline.start));
        this.#look();
        this.dispatchEvent(new Event('position'));
    }

    /** @param {number} seconds negative to go back */
    skip(seconds) {
        this.seek(this.position + seconds * 1000);
    }

    /** Returns to the present. */
    goLive() {
        if (!this.#isWanted) this.resume();
        this.seek(this.timeline.end);
    }

    /** Starts or ends the recording of the station. @param {boolean} isOn */
    async record(isOn) {
        const { station } = this;
        if (!station) return;
        const path = `/stations/${station.id}/recording`;
        const answer = await this.#client.json(path, { method: isOn ? 'PUT' : 'DELETE' });
        if (this.station !== station) return;
        this.recording = isOn ? answer : null;
        this.#change();
    }

    // ---- The timeline

    async #ask(epoch) {
        const { signal } = this.#leaving;
        const { station } = this;
        if (!station) return;
        try {
            const answer = await this.#client.json(`/stations/${station.id}/timeline`, {
                query: { after: this.timeline.lastNumber },
                signal,
            });
            if (signal.aborted) return;
            this.timeline.add(answer);
            this.recording = answer.recording ?? null;
            this.message = answer.message ?? '';
        } catch (error) {
            if (signal.aborted) return;
            this.message = error?.message ?? '';
        }
        this.#poll = setTimeout(() => this.#ask(epoch), POLL);
        this.#change();
        this.#look();
    }

    // ---- The sound

    #applyVolume() {
        if (!this.#output) return;
        this.#output.volume = this.#player.volume;
        this.#output.muted = this.#player.muted;
    }

    /** Opens the output at the station's sample rate, so that nothing is resampled. @param {number} rate */
    #open(rate) {
        const output = new SoundOutput({ volume: this.#player.volume });
        output.need(rate);
        this.#output = output;
        this.#applyVolume();
        output.rise();
        return output;
    }

    /** Schedules what is due, and reports changes. */
    #look() {
        const { timeline } = this;
        if (!this.station) return;
        if (this.#isWanted && timeline.segments.length) {
            if (this.#cursor === null && timeline.seconds >= START_SECONDS) this.#cursor = timeline.beforeEnd(LIVE_DISTANCE);
            if (this.#cursor !== null) this.#load();
        }
        const now = this.#output?.context.currentTime ?? 0;
        this.#pieces = this.#pieces.filter((piece) => piece.when + piece.seconds > now);
        this.dispatchEvent(new Event('position'));
        this.#change();
    }

    async #load() {
        if (this.#isLoading) return;
        const epoch = this.#epoch;
        const { signal } = this.#leaving;
        const segment = this.timeline.at(this.#cursor ?? 0);
        if (!segment) return;
        const output = this.#output ?? this.#open(segment.sample_rate_hz);
        const { context } = output;
        if (this.#due > context.currentTime + AHEAD) return;
        this.#isLoading = true;
        try {
            const path = `/stations/${this.station?.id}/segments/${segment.number}.${segment.format}`;
            const { buffer } = await this.#client.bytes(path, { signal });
            const sound = await this.#decoder.decode(new Uint8Array(buffer), segment, context.sampleRate);
            if (epoch === this.#epoch && !signal.aborted) this.#schedule(segment, sound, output);
        } catch (error) {
            if (signal.aborted) return;
            this.message = error?.message ?? '';
            // A segment that is gone, or cannot be decoded, is left out; otherwise the connection comes back.
            if (epoch === this.#epoch && (error?.kind === 'decoding' || error?.status === 404)) this.#cursor = endOf(segment);
        } finally {
            this.#isLoading = false;
        }
    }

    /**
     * @param {import('./station-timeline.js').StationSegment} segment
     * @param {Float32Array[]} sound
     * @param {SoundOutput} output
     */
    #schedule(segment, sound, output) {
        const { context, mix } = output;
        const cursor = this.#cursor ?? segment.start_ms;
        // Rounding of times does not cut off samples of a segment that follows another one.
        const offset = cursor - segment.start_ms > 5 ? (cursor - segment.start_ms) / 1000 : 0;
        const node = context.createBufferSource();
        const rate = context.sampleRate;
        node.buffer = new AudioBuffer({ length: sound[0].length, numberOfChannels: sound.length, sampleRate: rate });
        sound.forEach((samples, channel) => node.buffer.copyToChannel(samples, channel));
        node.connect(mix);
        const when = Math.max(this.#due, context.currentTime + 0.05);
        node.start(when, offset);
        const seconds = sound[0].length / rate - offset;
        this.#pieces.push({ when, time: segment.start_ms + offset * 1000, seconds, node });
        this.#due = when + seconds;
        this.#cursor = endOf(segment);
    }

    /** Stops what is scheduled. */
    #drop() {
        this.#epoch++;
        for (const { node } of this.#pieces) node.stop();
        this.#pieces = [];
        this.#due = 0;
    }

    #change() {
        const { station, state, title, message, isLive, recording } = this;
        const shown = JSON.stringify([station?.id, station?.name, state, title, message, isLive, recording]);
        if (shown === this.#shown) return;
        this.#shown = shown;
        this.dispatchEvent(new Event('change'));
    }
}
