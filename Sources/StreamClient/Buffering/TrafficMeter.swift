internal import Synchronization

/// Measures the network throughput: bytes received over the time spent waiting for them.
///
/// Time in which nothing is read does not count, so a full buffer does not look like a slow network. Concurrent transfers are
/// summed over the time in which at least one of them is waiting.
final class TrafficMeter: Sendable {
    private struct State {
        var estimate: BandwidthEstimate
        var bytes = 0
        /// The time up to which waiting has been counted.
        var counted = 0.0
        var waitedSeconds = 0.0
    }

    private let clock: PlaybackClock
    private let state: Mutex<State>

    init(clock: PlaybackClock, intervalSeconds: Double = BandwidthEstimate.intervalSeconds) {
        self.clock = clock
        state = Mutex(State(estimate: BandwidthEstimate(intervalSeconds: intervalSeconds)))
    }

    var now: Double { clock.seconds }

    /// Throughput in bits per second; nil before the first measurement.
    var bitsPerSecond: Double? { state.withLock { $0.estimate.bitsPerSecond } }

    /// Counts the time spent waiting for a response head.
    func waited(since start: Double) { received(0, since: start) }

    /// Counts received bytes and the time spent waiting for them.
    func received(_ count: Int, since start: Double) {
        let now = clock.seconds
        state.withLock { state in
            let from = max(start, state.counted)
            if now > from { state.waitedSeconds += now - from }
            state.counted = max(state.counted, now)
            state.estimate.add(bytes: count, seconds: max(0, now - from), at: now)
        }
    }
}
