/// The change in steps of 1.505 dB that brings a track closest to a target loudness.
///
/// The result is within half a step of the target: 0.75 dB, unless limited by the peaks.
public struct NormalizedGain: Sendable, Hashable {
    /// The change.
    public let change: GainChange
    /// Whether the true peak limits the gain below the target.
    public let isLimitedByPeak: Bool

    /// Computes the change.
    /// - Parameters:
    ///   - targetLUFS: target integrated loudness (EBU R 128), in LUFS.
    ///   - integratedLUFS: measured integrated loudness in LUFS; nil for silence, which is not changed.
    ///   - truePeakDBTP: measured true peak in dBTP (ITU-R BS.1770); nil for silence.
    ///   - limitDBTP: maximum true peak after the change, in dBTP; nil for no limit. A peak above it is lowered even if the
    ///     target requires no change.
    public init(
        targetLUFS: Double, integratedLUFS: Double?, truePeakDBTP: Double?, limitDBTP: Double?
    ) {
        guard let integratedLUFS else {
            change = GainChange(steps: 0)
            isLimitedByPeak = false
            return
        }
        let wanted = Self.steps(targetLUFS - integratedLUFS, .toNearestOrAwayFromZero)
        var allowed = wanted
        if let limitDBTP, let truePeakDBTP {
            allowed = min(wanted, Self.steps(limitDBTP - truePeakDBTP, .down))
        }
        change = GainChange(steps: allowed)
        isLimitedByPeak = allowed < wanted
    }

    /// Converts a level difference to whole steps, limited to the range of the field.
    private static func steps(_ decibels: Double, _ rule: FloatingPointRoundingRule) -> Int {
        Int(max(-255, min(255, (decibels / GlobalGain.decibelsPerStep).rounded(rule))))
    }
}
