/// The change that brings a track nearest to a target loudness in steps of 1.505 dB.
///
/// Half a step is the farthest that the result may lie from the target: 0.75 dB, unless the peaks do not allow it.
public struct NormalizedGain: Sendable, Hashable {
    /// The change.
    public let change: GainChange
    /// Whether the true peak kept it below what the target asks for.
    public let isLimitedByPeak: Bool

    /// Computes the change.
    /// - Parameters:
    ///   - targetLUFS: integrated loudness to come to (EBU R 128), in LUFS.
    ///   - integratedLUFS: integrated loudness as it is, in LUFS; nil for silence, which is left as it is.
    ///   - truePeakDBTP: true peak as it is, in dBTP (ITU-R BS.1770); nil for silence.
    ///   - limitDBTP: what the true peak may come to, in dBTP; nil for no limit. A peak above it is lowered even where the target
    ///     asks for no change.
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

    /// A difference of levels in whole steps; no more than a field holds.
    private static func steps(_ decibels: Double, _ rule: FloatingPointRoundingRule) -> Int {
        Int(max(-255, min(255, (decibels / GlobalGain.decibelsPerStep).rounded(rule))))
    }
}
