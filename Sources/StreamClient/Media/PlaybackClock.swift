/// The clock used for waiting and measuring; replaceable so that tests need not wait.
public struct PlaybackClock: Sendable {
    private let elapsed: @Sendable () -> Duration
    private let wait: @Sendable (Duration) async throws -> Void

    /// Creates a playback clock from any clock.
    public init<C: Clock<Duration>>(_ clock: C) where C.Instant: Sendable {
        let start = clock.now
        elapsed = { start.duration(to: clock.now) }
        wait = { try await clock.sleep(for: $0) }
    }

    /// The system's continuous clock.
    public static let continuous = PlaybackClock(ContinuousClock())

    /// Seconds since this clock was created.
    public var seconds: Double { elapsed().inSeconds }

    /// Waits for the given number of seconds.
    /// - Throws: `CancellationError`.
    public func sleep(seconds: Double) async throws {
        if seconds > 0 { try await wait(.seconds(seconds)) }
    }
}

extension Duration {
    /// The duration in seconds.
    var inSeconds: Double {
        Double(components.seconds) + Double(components.attoseconds) / 1e18
    }
}
