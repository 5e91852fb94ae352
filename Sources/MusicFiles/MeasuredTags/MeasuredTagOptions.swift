internal import MusicalStructure
internal import Analyzer
internal import Foundation

/// Which measurements are written to tags, and how: ReplayGain in the terms of rsgain, and on request tempo and key.
package struct MeasuredTagOptions: Sendable, Hashable {
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

    /// How a key is written.
    package enum KeyNotation: String, Sendable, Hashable, CaseIterable {
        /// As ID3v2 specifies it: "F#m".
        case musical
        /// On the Camelot wheel: "11A".
        case camelot

        /// The text for a key.
        func text(_ key: MusicalKey) -> String {
            switch self {
            case .musical: key.tagText
            case .camelot: key.camelot
            }
        }
    }

    /// Whether to write ReplayGain.
    package var hasReplayGain = true
    /// Whether to write the tempo.
    package var hasTempo = false
    /// The notation of the key to write; nil to leave keys as they are.
    package var key: KeyNotation?
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

    /// Creates the options of ReplayGain 2.0, without tempo and key.
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
