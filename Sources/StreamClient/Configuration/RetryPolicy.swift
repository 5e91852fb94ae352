/// Which failures are retried, and when.
public struct RetryPolicy: Sendable, Equatable {
    /// Seconds before each retry after an interrupted response, or while the server is busy.
    public var delays = [2.0, 5, 10]
    /// Seconds before each retry after a server error.
    public var serverErrorDelays = [5.0, 5, 5]
    /// Seconds between retries while the server is unreachable.
    public var unreachableDelay = 2.0
    /// Seconds for which an unreachable server is retried. Unlimited by default, since it may come back at any time.
    public var unreachablePatience = Double.infinity

    /// The values of the streaming specification.
    public init() {}

    /// Returns the number of seconds to wait before the next retry, or nil if the request must not be retried.
    /// - Parameters:
    ///   - error: the failure.
    ///   - attempt: number of earlier failures of the same kind since the last success. Requests without any response are one
    ///     kind, error responses and interrupted responses the other.
    ///   - isNeeded: whether playback is waiting for it. While buffered audio remains, retries continue at the last delay.
    public func delay(after error: PlaybackError, attempt: Int, isNeeded: Bool = true) -> Double? {
        guard error.isTransient else { return nil }
        if error.code == .noConnection {
            return Double(attempt) * unreachableDelay < unreachablePatience ? unreachableDelay : nil
        }
        let delays = error.code == .serverError ? serverErrorDelays : delays
        if attempt < delays.count { return delays[attempt] }
        return isNeeded ? nil : delays.last ?? unreachableDelay
    }
}
