/// How a host keeps up with the listening data that it shares with other hosts.
public struct SharedListeningReport: Codable, Sendable, Equatable {
    /// The database, without a password.
    public var place: String
    /// Whether the database answered the last request.
    public var isReachable: Bool
    /// Why the database could not be used the last time; nil if it could.
    public var lastError: String?

    /// Creates a report of a host that has not reached the database yet.
    public init(place: String) {
        self.place = place
        isReachable = false
    }

    private enum CodingKeys: String, CodingKey {
        case place
        case isReachable = "is_reachable"
        case lastError = "last_error"
    }
}
