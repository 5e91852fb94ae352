/// How long to wait between attempts while a service fails.
package struct RetryDelays: Sendable {
    /// Seconds after the first failure.
    package var first = 5.0
    /// The longest delay in seconds.
    package var longest = 3600.0
    /// Seconds between two attempts to send plays beyond a daily limit.
    package var postponed = 3600.0

    /// Delays for a service on the internet.
    package init() {}

    /// Returns the delay after a number of failures in a row: doubled each time up to the longest, and shortened at random
    /// by up to half, so that hosts that failed together do not return together.
    func seconds(afterFailures count: Int) -> Double {
        var delay = first
        for _ in 1..<max(count, 1) where delay < longest { delay *= 2 }
        return min(delay, longest) * Double.random(in: 0.5...1)
    }
}
