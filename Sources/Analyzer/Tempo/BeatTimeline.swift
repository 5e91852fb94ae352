import Foundation

/// The beats of a track in seconds: on an exact grid if the tempo is constant, otherwise following the music.
struct BeatTimeline {
    let beatSeconds: [Double]
    let bpm: Double
    let isConstant: Bool

    /// Maximum distance of a beat from the grid in seconds: frames are 17 ms apart, and players are not exact.
    private static let gridTolerance = 0.03
    /// Minimum fraction of the beats, by strength, on one grid for the tempo to count as constant.
    private static let constantShare = 0.7
    /// Number of beats on either side used to smooth a beat of a drifting tempo.
    private static let smoothingReach = 4

    init?(tracker: BeatTracker, periodFrames: Double, framesPerSecond: Double, latencySeconds: Double) {
        let chain = tracker.chain(period: periodFrames)
        // There are no beats before the first onset and after the last.
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

    /// Returns each beat moved onto the line through its neighbours, and the median slope of those lines.
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
