import Foundation

/// The beats of a track in seconds: on an exact grid if the tempo is constant, otherwise following the music.
struct BeatTimeline {
    private(set) var beatSeconds: [Double]
    /// Number of the tracked pulse that became the first beat; −1 if that beat is before the first pulse.
    private var firstPulse = 0
    let bpm: Double
    let isConstant: Bool
    /// Time of frame 0.
    private let latencySeconds: Double
    /// From shortly before the first audible onset to shortly after the last.
    private let audibleSeconds: ClosedRange<Double>

    /// Maximum distance of a beat from the grid in seconds: frames are 17 ms apart, and players are not exact.
    private static let gridTolerance = 0.03
    /// The same as a fraction of a part of the beat: if parts are short, few beats are near them by chance.
    private static let partTolerance = 0.15
    /// Minimum fraction of the beats, by strength, on one grid for the tempo to count as constant.
    private static let constantShare = 0.7
    /// Number of beats on either side used to smooth a beat of a drifting tempo.
    private static let smoothingReach = 4

    init?(tracker: BeatTracker, periodFrames: Double, framesPerSecond: Double, latencySeconds: Double) {
        self.latencySeconds = latencySeconds
        let chain = tracker.chain(period: periodFrames)
        // There are no beats before the first onset and after the last.
        guard let audible = chain.audibleFrames else { return nil }
        let slack = 0.25 * periodFrames
        let start = max(0, (Double(audible.lowerBound) - slack) / framesPerSecond + latencySeconds)
        let end = (Double(audible.upperBound) + slack) / framesPerSecond + latencySeconds
        audibleSeconds = start...max(start, end)
        let times = chain.beats.map { $0.position / framesPerSecond + latencySeconds }
        let weights = chain.beats.map { Double(max(0, $0.strength)) }
        let grid = Self.grid(times: times, weights: weights, period: periodFrames / framesPerSecond)
        isConstant = grid != nil
        if let grid {
            bpm = 60 / grid.period
            beatSeconds = grid.beats(from: start, through: end)
        } else {
            let smooth = Self.smoothed(times)
            bpm = 60 / smooth.medianPeriod
            beatSeconds = smooth.times.filter(audibleSeconds.contains)
        }
        guard beatSeconds.count >= 2 else { return nil }
    }

    /// Returns the beats as positions in the envelope.
    func beatFrames(framesPerSecond: Double) -> [Double] {
        beatSeconds.map { ($0 - latencySeconds) * framesPerSecond }
    }

    /// Moves all beats later by a fraction of the distance to the next beat, within the audible range.
    mutating func move(by fraction: Double) {
        guard fraction > 0, let first = beatSeconds.first, let last = beatSeconds.last else { return }
        let periods = zip(beatSeconds.dropFirst(), beatSeconds).map { $0 - $1 }
        guard let firstPeriod = periods.first, let lastPeriod = periods.last else { return }
        let moved =
            [first - (1 - fraction) * firstPeriod] + zip(beatSeconds, periods).map { $0 + fraction * $1 }
            + [last + fraction * lastPeriod]
        firstPulse = (moved.firstIndex(where: audibleSeconds.contains) ?? 0) - 1
        beatSeconds = moved.filter(audibleSeconds.contains)
    }

    /// Returns the index of the first beat that is a number of periods away from a tracked pulse.
    ///
    /// - Parameters:
    ///   - pulse: number of the pulse before beats were moved, from 0.
    ///   - period: number of beats, above 0.
    func beatIndex(ofPulse pulse: Int, period: Int) -> Int {
        let index = (pulse - firstPulse) % period
        return index < 0 ? index + period : index
    }

    /// Returns the grid of a constant tempo, or nil if the tempo drifts.
    ///
    /// Where the strongest onsets move from the beats to the off-beats, so does the chain. Such beats are on a grid of halves,
    /// quarters or thirds.
    private static func grid(times: [Double], weights: [Double], period: Double) -> BeatGrid? {
        for parts in [1, 2, 4, 3] {
            guard let grid = BeatGrid(times: times, weights: weights, parts: parts) else { return nil }
            let tolerance =
                parts == 1 ? gridTolerance : min(gridTolerance, partTolerance * period / Double(parts))
            let share = grid.share(of: times, weights: weights, within: tolerance)
            if share >= constantShare && abs(grid.period / period - 1) < 0.08 { return grid }
        }
        return nil
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
