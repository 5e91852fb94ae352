import Foundation

/// The beats of a track in seconds, on an exact grid where the tempo is constant, following the music where not.
struct BeatTimeline {
    let beatSeconds: [Double]
    let bpm: Double
    let isConstant: Bool

    /// Beats within this many seconds of a grid are on it: the frames are 17 ms apart, players are not exact.
    private static let gridTolerance = 0.03
    /// A tempo counts as constant where this share of the beats, by strength, lies on one grid.
    private static let constantShare = 0.7
    /// Beats on either side that smooth a beat of a drifting tempo.
    private static let smoothingReach = 4

    init?(tracker: BeatTracker, periodFrames: Double, framesPerSecond: Double, latencySeconds: Double) {
        let chain = tracker.chain(period: periodFrames)
        // Before the first onset and after the last there is nothing to beat to.
        guard let audible = chain.audibleFrames else { return nil }
        let slack = 0.25 * periodFrames
        let start = (Double(audible.lowerBound) - slack) / framesPerSecond + latencySeconds
        let end = (Double(audible.upperBound) + slack) / framesPerSecond + latencySeconds
        let times = chain.beats.map { $0.position / framesPerSecond + latencySeconds }
        let weights = chain.beats.map { Double(max(0, $0.strength)) }
        guard let grid = BeatGrid(times: times, weights: weights) else { return nil }
        let share = grid.share(of: times, weights: weights, within: Self.gridTolerance)
        isConstant =
            share >= Self.constantShare && abs(grid.period * framesPerSecond / periodFrames - 1) < 0.08
        if isConstant {
            bpm = 60 / grid.period
            beatSeconds = grid.beats(from: max(0, start), through: end)
        } else {
            let smooth = Self.smoothed(times)
            bpm = 60 / smooth.medianPeriod
            beatSeconds = smooth.times.filter { $0 >= max(0, start) && $0 <= end }
        }
        guard beatSeconds.count >= 2 else { return nil }
    }

    /// Each beat moved onto the line through its neighbours, and the median of those lines' slopes.
    private static func smoothed(_ times: [Double]) -> (times: [Double], medianPeriod: Double) {
        var slopes: [Double] = []
        let moved = times.indices.map { i -> Double in
            let range = max(0, i - smoothingReach)...min(times.count - 1, i + smoothingReach)
            let line = Line(range.map { (Double($0 - i), times[$0], 1) })
            slopes.append(line.slope)
            return line.intercept
        }
        slopes.sort()
        return (moved, slopes[slopes.count / 2])
    }
}
