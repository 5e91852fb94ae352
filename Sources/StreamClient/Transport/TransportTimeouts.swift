/// Timeouts of a request, in seconds.
public struct TransportTimeouts: Sendable, Equatable {
    /// Timeout for connecting.
    public var connect: Double
    /// Timeout for the response head, from the start of the request.
    public var response: Double
    /// Timeout between pieces of the body. Time in which the caller does not read does not count.
    public var idle: Double
    /// Timeout for the whole request; nil for no limit while data arrives.
    public var whole: Double?

    /// Creates timeouts from their parts.
    public init(connect: Double = 10, response: Double = 30, idle: Double = 30, whole: Double? = nil) {
        self.connect = connect
        self.response = response
        self.idle = idle
        self.whole = whole
    }
}
