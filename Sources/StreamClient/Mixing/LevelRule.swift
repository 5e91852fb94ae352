internal import Foundation
internal import MusicShared

/// Determines the level of a track. Created when the track is queued for loading, so that queue edits do not change the level
/// of audio that is playing.
struct LevelRule {
    /// The maximum true peak of a track after normalization, in dBTP (EBU R 128).
    private static let ceilingDBTP = -1.0
    /// The reference loudness of ReplayGain 2.0, in LUFS.
    private static let replayGainLUFS = -18.0

    /// Track or album normalization, or none.
    private var normalization = PlaybackConfiguration.Normalization.off
    private var facts: CrossfadeTrack?
    /// The gain factor of the track that this one continues.
    private var continued: Float?

    /// A rule that leaves levels unchanged.
    init() {}

    /// - Parameters:
    ///   - isWithinAlbum: whether a neighbour in the queue is also the track's neighbour on its album.
    ///   - former: the track played before it without a break, and its gain factor.
    init(
        _ normalization: PlaybackConfiguration.Normalization, _ item: PlayableItem, isWithinAlbum: Bool,
        after former: (item: PlayableItem, factor: Float)?
    ) {
        facts = item.facts
        guard case .automatic(let target) = normalization else {
            self.normalization = normalization
            return
        }
        self.normalization = isWithinAlbum ? .album(targetLUFS: target) : .track(targetLUFS: target)
        if let former, item.continues(former.item) { continued = former.factor }
    }

    /// Returns the amplitude factor.
    /// - Parameter tags: ReplayGain tags of the file, used if there are no measurements.
    func factor(tags: ReplayGainValues?) -> Float {
        // Keep the level of the previous track throughout an album; do not raise it beyond what the track's peak allows.
        if let continued { return min(continued, max(1, Self.factor(room(tags) ?? .infinity))) }
        let decibels: Double? =
            switch normalization {
            case .off: nil
            case .track(let target), .automatic(let target):
                Self.gain(facts?.loudness, target) ?? Self.gain(tags?.trackGainDB, tags?.trackPeak, target)
            case .album(let target):
                Self.gain(facts?.albumLoudness ?? facts?.loudness, target)
                    ?? Self.gain(
                        tags?.albumGainDB ?? tags?.trackGainDB, tags?.albumPeak ?? tags?.trackPeak, target)
            }
        return decibels.map(Self.factor) ?? 1
    }

    /// The gain in dB that brings the track's peak to the ceiling; nil if the peak is unknown.
    private func room(_ tags: ReplayGainValues?) -> Double? {
        if let peak = facts?.loudness?.truePeakDBTP { return Self.ceilingDBTP - peak }
        return tags?.trackPeak.flatMap { $0 > 0 ? Self.ceilingDBTP - 20 * log10($0) : nil }
    }

    private static func factor(_ decibels: Double) -> Float { Float(pow(10, decibels / 20)) }

    /// Returns the gain in dB from measurements.
    private static func gain(_ loudness: CrossfadeTrack.Loudness?, _ target: Double) -> Double? {
        loudness.map { min(target - $0.integratedLUFS, ceilingDBTP - $0.truePeakDBTP) }
    }

    /// Returns the gain in dB from tags. Without a peak value, a track is only attenuated.
    private static func gain(_ gain: Double?, _ peak: Double?, _ target: Double) -> Double? {
        guard let gain else { return nil }
        let wanted = gain + target - replayGainLUFS
        guard let peak, peak > 0 else { return min(0, wanted) }
        return min(wanted, ceilingDBTP - 20 * log10(peak))
    }
}
