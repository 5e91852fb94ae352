/// What is tried again after a failure, and when.
public struct RetryPolicy: Sendable, Equatable {
    /// Seconds before each new attempt after a lost connection, a silent or a busy server.
    public var delays = [2.0, 5, 10]
    /// The same after a server's own error.
    public var serverErrorDelays = [5.0, 5, 5]
    /// Seconds between attempts while nobody is there.
    public var unreachableDelay = 2.0
    /// Seconds for which a network that is away is waited for.
    public var unreachablePatience = 300.0

    /// The values of the streaming specification.
    public init() {}

    /// Seconds before the next attempt; nil for none.
    /// - Parameters:
    ///   - error: what happened.
    ///   - attempt: attempts that failed since the last success, without this one.
    public func delay(after error: PlaybackError, attempt: Int) -> Double? {
        guard error.isTransient else { return nil }
        if error.code == .noConnection {
            return Double(attempt) * unreachableDelay < unreachablePatience ? unreachableDelay : nil
        }
        let delays = error.code == .serverError ? serverErrorDelays : delays
        return attempt < delays.count ? delays[attempt] : nil
    }
}
