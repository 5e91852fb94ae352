import { factorOf, gainOf } from '../queue/loudness.js';

/** The playback settings in the form the engine needs. */
export class PlaybackSettings {
    /** @param {any} settings a `Settings` */
    constructor(settings) {
        this.settings = settings;
    }

    /** @returns {import('../queue/transition.js').TransitionSettings & {normalization: 'auto' | 'track' | 'album' | 'off', targetLUFS: number}} */
    get transitions() {
        const get = (key, otherwise) => this.settings.get(`playback.${key}`) ?? otherwise;
        return {
            crossfadeSeconds: get('crossfade', true) ? Number(get('crossfadeSeconds', 0)) || 0 : 0,
            crossfadeStyle: get('crossfadeStyle', 'plan'),
            mixOnlyWhenItFits: Boolean(get('crossfadeOnlyWhenItFits', false)),
            skipSilence: Boolean(get('skipSilence', false)),
            gapless: get('gapless', true) !== false,
            normalization: get('normalization', 'off'),
            targetLUFS: Number(get('targetLUFS', -18)),
        };
    }

    /**
     * Returns the amplitude factor that brings a track to the target loudness.
     * @param {any} track
     * @param {boolean} isInAlbumOrder whether it plays next to its neighbour on the album
     */
    levelOf(track, isInAlbumOrder) {
        const { normalization, targetLUFS } = this.transitions;
        const automatic = isInAlbumOrder ? 'album' : 'track';
        return factorOf(gainOf(track, normalization === 'auto' ? automatic : normalization, targetLUFS));
    }

    /** Whether a setting affects levels. */
    static changesLevels(key) {
        return key === 'playback.normalization' || key === 'playback.targetLUFS';
    }

    /** Whether a setting affects transitions. */
    static changesTransitions(key) {
        return /^playback\.(crossfade|skipSilence|gapless|targetLUFS)/.test(key ?? '');
    }
}
