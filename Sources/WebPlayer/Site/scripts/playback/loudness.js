/** What a track's peaks stay below, in dBTP: the ceiling of EBU R 128. */
export const PEAK_CEILING = -1;

/**
 * The gain that brings a track to a loudness without its peaks going above the ceiling, in dB.
 *
 * @param {any} track as the catalogue gives it
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
    // Without a peak nothing is known of the room above.
    return Number.isFinite(peak) ? Math.min(wanted, PEAK_CEILING - peak) : Math.min(wanted, 0);
}

/** The factor of an amplitude for decibels. */
export function factorOf(decibels) {
    return 10 ** (decibels / 20);
}
