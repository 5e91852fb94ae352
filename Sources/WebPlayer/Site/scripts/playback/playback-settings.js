import { factorOf, gainOf } from './loudness.js';

/** The listener's settings as the engine reads them. */
export class PlaybackSettings {
    /** @param {any} settings a `Settings` */
    constructor(settings) {
        this.settings = settings;
    }

    /** @returns {import('./transition.js').TransitionSettings} */
    get transitions() {
        const get = (key, otherwise) => this.settings.get(`playback.${key}`) ?? otherwise;
        return {
            crossfadeSeconds: get('crossfade', true) ? Number(get('crossfadeSeconds', 0)) || 0 : 0, crossfadeStyle: get('crossfadeStyle', 'plan'),
            skipSilence: Boolean(get('skipSilence', false)), gapless: get('gapless', true) !== false,
            normalization: get('normalization', 'off'), targetLUFS: Number(get('targetLUFS', -18)),
        };
    }

    /** The factor that brings a track to the loudness that was chosen. */
    levelOf(track) {
        const { normalization, targetLUFS } = this.transitions;
        return factorOf(gainOf(track, normalization, targetLUFS));
    }

    /** Whether levels are others once a setting has changed. */
    static changesLevels(key) {
        return key === 'playback.normalization' || key === 'playback.targetLUFS';
    }

    /** Whether transitions are others once a setting has changed. */
    static changesTransitions(key) {
        return /^playback\.(crossfade|skipSilence|gapless|targetLUFS)/.test(key ?? '');
    }
}
