internal import Foundation
internal import MusicShared

/// How much the level of a track is changed.
enum LevelRule {
    /// The highest true peak that a track is brought to, in dBTP (EBU R 128).
    private static let ceilingDBTP = -1.0
    /// The loudness that gains of ReplayGain 2.0 aim at, in LUFS.
    private static let replayGainLUFS = -18.0

    /// The factor of the amplitude.
    static func factor(
        _ normalization: PlaybackConfiguration.Normalization, _ facts: CrossfadeTrack?,
        tags: ReplayGainValues?
    ) -> Float {
        let decibels: Double? =
            switch normalization {
            case .off: nil
            case .track(let target):
                gain(facts?.loudness, target) ?? gain(tags?.trackGainDB, tags?.trackPeak, target)
            case .album(let target):
                gain(facts?.albumLoudness ?? facts?.loudness, target)
                    ?? gain(
                        tags?.albumGainDB ?? tags?.trackGainDB, tags?.albumPeak ?? tags?.trackPeak, target)
            }
        guard let decibels else { return 1 }
        return Float(pow(10, decibels / 20))
    }

    /// By measurements.
    private static func gain(_ loudness: CrossfadeTrack.Loudness?, _ target: Double) -> Double? {
        loudness.map { min(target - $0.integratedLUFS, ceilingDBTP - $0.truePeakDBTP) }
    }

    /// By tags. Without a peak a track is made quieter only.
    private static func gain(_ gain: Double?, _ peak: Double?, _ target: Double) -> Double? {
        guard let gain else { return nil }
        let wanted = gain + target - replayGainLUFS
        guard let peak, peak > 0 else { return min(0, wanted) }
        return min(wanted, ceilingDBTP - 20 * log10(peak))
    }
}
