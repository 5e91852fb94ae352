/** Maximum true peak after normalization, in dBTP: the ceiling of EBU R 128. */
export const PEAK_CEILING = -1;

/**
 * Returns the gain, in dB, that brings a track to a loudness without its peaks exceeding the ceiling.
 *
 * @param {any} track from the catalogue
 * @param {'off' | 'track' | 'album'} mode
 * @param {number} target in LUFS
 */
export function gainOf(track, mode, target) {
    if (mode !== 'track' && mode !== 'album') return 0;
    const ofAlbum = mode === 'album' && Number.isFinite(track.album_integrated_lufs);
    const loudness = ofAlbum ? track.album_integrated_lufs : track.integrated_lufs;
    if (!Number.isFinite(loudness)) return 0;
    const peak = (ofAlbum ? track.album_true_peak_dbtp : track.true_peak_dbtp) ?? track.sample_peak_dbfs;
    const wanted = target - loudness;
    // Without a peak, the headroom is unknown.
    return Number.isFinite(peak) ? Math.min(wanted, PEAK_CEILING - peak) : Math.min(wanted, 0);
}

/** Converts decibels to an amplitude factor. */
export function factorOf(decibels) {
    return 10 ** (decibels / 20);
}
