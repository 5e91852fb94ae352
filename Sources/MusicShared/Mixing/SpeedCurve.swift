internal import Foundation

/// The position in the incoming track of a mix at each moment: at the mix's speed through the overlap, then with a speed that
/// returns to 1 linearly in time, then at its own speed.
public struct SpeedCurve: Sendable, Equatable {
    private let entry: Double
    private let ratio: Double
    /// Durations in seconds of the overlap and of the return.
    private let overlap: Double
    private let back: Double

    /// Creates the curve of a plan. Without a mix the speed is 1.
    public init(_ plan: CrossfadePlan) {
        entry = plan.cueInSeconds
        overlap = plan.overlapSeconds
        ratio = plan.mix?.ratio ?? 1
        guard let mix = plan.mix, ratio > 0 else {
            back = 0
            return
        }
        back = max(0, mix.returnEndSeconds - mix.returnStartSeconds) / ((ratio + 1) / 2)
    }

    /// Returns the position in the track, in seconds, a time after the start of the mix.
    public func position(afterSeconds time: Double) -> Double {
        if time <= overlap { return entry + ratio * time }
        let end = entry + ratio * overlap
        let passed = time - overlap
        if passed <= back { return end + ratio * passed + (1 - ratio) * passed * passed / (2 * back) }
        return end + back * (ratio + 1) / 2 + passed - back
    }

    /// Time after the start of the mix at which the track has its own speed again, in seconds.
    public var endSeconds: Double { overlap + back }
}
