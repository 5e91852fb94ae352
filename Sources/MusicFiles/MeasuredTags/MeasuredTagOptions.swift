internal import Analyzer
internal import Foundation

/// Options for computing ReplayGain tags, in the terms of rsgain.
package struct ReplayGainOptions: Sendable, Hashable {
    /// How tracks are grouped into albums.
    package enum Albums: String, Sendable, Hashable, CaseIterable {
        /// By album of the catalogue, according to the tags.
        case tags
        /// By folder.
        case folder
        /// Not at all: album values are not changed.
        case none
    }

    /// The peak to write.
    package enum Peak: String, Sendable, Hashable, CaseIterable {
        /// The sample peak, the default of rsgain.
        case sample
        /// The true peak of BS.1770, as loudgain does.
        case truePeak = "true"
    }

    /// Whether a gain is reduced so that the peak stays below full scale.
    package enum ClipMode: String, Sendable, Hashable, CaseIterable {
        /// Never.
        case none
        /// If the gain is positive.
        case positive
        /// Always.
        case always
    }

    /// How tracks are grouped into albums.
    package var albums = Albums.tags
    /// The peak to write.
    package var peak = Peak.sample
    /// Whether a gain is reduced to prevent clipping.
    package var clipMode = ClipMode.none
    /// The target loudness in LUFS: −18 in ReplayGain 2.0.
    package var targetLUFS = -18.0
    /// The range of allowed targets, as in rsgain.
    package static let targets = -30.0 ... -5.0
    /// Whether to skip files that already have values, correct or not.
    package var skipsExisting = false

    /// Creates the options of ReplayGain 2.0.
    package init() {}

    /// Returns the gain for a loudness, in dB; nil if there is no loudness.
    func gain(_ lufs: Double?, peak: Double) -> Double? {
        guard let lufs else { return nil }
        let gain = targetLUFS - lufs
        guard peak > 0, clipMode == .always || clipMode == .positive && gain > 0 else { return gain }
        // A positive gain is reduced to 0 at most, unless clipping must always be prevented.
        let limit = -20 * log10(peak)
        return min(gain, clipMode == .positive ? max(limit, 0) : limit)
    }
}
