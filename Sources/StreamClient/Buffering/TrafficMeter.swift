internal import Synchronization

/// Measures how fast the network is: bytes over the time in which they were waited for.
///
/// Time in which nobody reads does not count, so that a full buffer does not look like a slow network. What many transfers
/// bring at once adds up over the time in which any of them waits.
final class TrafficMeter: Sendable {
    private struct State {
        var estimate: BandwidthEstimate
        var bytes = 0
        /// Up to when waiting has been counted.
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

    /// Bits per second; nil as long as nothing was measured.
    var bitsPerSecond: Double? { state.withLock { $0.estimate.bitsPerSecond } }

    /// An answer's head was waited for.
    func waited(since start: Double) { received(0, since: start) }

    /// Bytes were waited for.
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
