internal import Analyzer
internal import Foundation

/// How ReplayGain tags are worked out, in the terms of rsgain.
public struct ReplayGainOptions: Sendable, Hashable {
    /// Which tracks share album values.
    public enum Albums: String, Sendable, Hashable, CaseIterable {
        /// Those of an album of the catalogue, by their tags.
        case tags
        /// Those of one folder.
        case folder
        /// None: album values are left as they are.
        case none
    }

    /// Which peak is written.
    public enum Peak: String, Sendable, Hashable, CaseIterable {
        /// The largest sample, as rsgain does unless told otherwise.
        case sample
        /// The true peak of BS.1770, as loudgain does.
        case truePeak = "true"
    }

    /// Whether a gain is lowered so that the peak stays below full scale.
    public enum ClipMode: String, Sendable, Hashable, CaseIterable {
        /// Never.
        case none
        /// Where the gain is positive.
        case positive
        /// Always.
        case always
    }

    /// Which tracks share album values.
    public var albums = Albums.tags
    /// Which peak is written.
    public var peak = Peak.sample
    /// Whether a gain is lowered for the sake of the peak.
    public var clipMode = ClipMode.none
    /// The loudness that gains lead to, in LUFS: −18 by ReplayGain 2.0.
    public var targetLUFS = -18.0
    /// Targets that may be asked for, as of rsgain.
    public static let targets = -30.0 ... -5.0
    /// Files that have values already are left alone, right or not.
    public var skipsExisting = false

    /// The options of ReplayGain 2.0.
    public init() {}

    /// The gain for a loudness, in dB; nil without loudness.
    func gain(_ lufs: Double?, peak: Double) -> Double? {
        guard let lufs else { return nil }
        let gain = targetLUFS - lufs
        guard peak > 0, clipMode == .always || clipMode == .positive && gain > 0 else { return gain }
        // A positive gain is lowered to none at most, unless peaks are to be kept below full scale whatever it takes.
        let limit = -20 * log10(peak)
        return min(gain, clipMode == .positive ? max(limit, 0) : limit)
    }
}
