internal import Threads

/// Keeps requests a minimum time apart.
struct RequestPacing {
    /// Minimum time between the starts of two requests in seconds.
    let interval: Double
    private var next: ContinuousClock.Instant?

    init(interval: Double) { self.interval = interval }

    /// Blocks the thread until the next request may start.
    mutating func wait() {
        if let next, next > .now {
            let parts = ContinuousClock.now.duration(to: next).components
            DedicatedThread.sleep(seconds: Double(parts.seconds) + Double(parts.attoseconds) / 1e18)
        }
        next = .now + .seconds(interval)
    }
}
