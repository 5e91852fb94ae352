internal import Foundation

/// Measures the stage times of one thread: one stage is active at any moment.
final class StageTimer {
    private let times: StageTimes
    private var nanoseconds = [UInt64](repeating: 0, count: StageTimes.Stage.allCases.count)
    private var stage: StageTimes.Stage
    private var start: UInt64

    init(_ stage: StageTimes.Stage, into times: StageTimes) {
        self.stage = stage
        self.times = times
        start = Self.now()
    }

    /// Switches to another stage.
    /// - Returns: the previous stage, to switch back to.
    @discardableResult
    func enter(_ next: StageTimes.Stage) -> StageTimes.Stage {
        let now = Self.now()
        nanoseconds[stage.rawValue] += now - start
        start = now
        defer { stage = next }
        return stage
    }

    /// Adds the times to the totals.
    func end() {
        enter(stage)
        times.add(nanoseconds)
        for index in nanoseconds.indices { nanoseconds[index] = 0 }
    }

    private static func now() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}
