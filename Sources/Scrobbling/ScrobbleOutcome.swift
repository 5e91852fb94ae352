/// The result of sending plays to a service.
package enum ScrobbleOutcome: Sendable, Equatable {
    /// The service has dealt with them.
    /// - Parameters:
    ///   - rejected: positions of plays that it does not take, whenever they are sent.
    ///   - postponed: positions of plays to send again later, such as those beyond a daily limit.
    ///   - pauseSeconds: how long to wait before the next request, as the service asks for.
    case accepted(rejected: [Int] = [], postponed: [Int] = [], pauseSeconds: Double? = nil)
    /// The service does not take the request as it is: one of its plays has a value that it does not allow.
    case malformed(String)
    /// A passing failure: the same plays are sent again.
    /// - Parameter seconds: how long to wait, as the service asks for; nil if it says nothing.
    case failed(String, retryAfter: Double? = nil)
    /// The service refuses the access until the user connects it again.
    case refused(String)
}

/// A service that plays are sent to, with the user's access to it.
package protocol ScrobbleService: Sendable {
    /// The greatest number of plays in one request.
    var batchLimit: Int { get }
    /// Tracks must be longer than this, in seconds.
    var minimumSeconds: Double { get }
    /// Sends plays, the oldest first.
    func submit(_ listens: [Listen]) async -> ScrobbleOutcome
    /// Shows that a track is being played.
    func announce(_ listen: Listen) async -> ScrobbleOutcome
}
