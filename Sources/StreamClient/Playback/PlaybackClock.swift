/// The clock that playback waits and measures by: any clock, so that tests need not wait.
public struct PlaybackClock: Sendable {
    private let elapsed: @Sendable () -> Duration
    private let wait: @Sendable (Duration) async throws -> Void

    /// Goes by a clock.
    public init<C: Clock<Duration>>(_ clock: C) where C.Instant: Sendable {
        let start = clock.now
        elapsed = { start.duration(to: clock.now) }
        wait = { try await clock.sleep(for: $0) }
    }

    /// The machine's clock.
    public static let continuous = PlaybackClock(ContinuousClock())

    /// Seconds since the clock was taken up.
    public var seconds: Double { elapsed().inSeconds }

    /// Waits.
    /// - Throws: `CancellationError`.
    public func sleep(seconds: Double) async throws {
        if seconds > 0 { try await wait(.seconds(seconds)) }
    }
}

extension Duration {
    /// In seconds.
    var inSeconds: Double {
        Double(components.seconds) + Double(components.attoseconds) / 1e18
    }
}
