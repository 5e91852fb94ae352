/// How long a request waits for each of its steps, in seconds.
public struct TransportTimeouts: Sendable, Equatable {
    /// For a connection.
    public var connect: Double
    /// For the head of the answer, from the start.
    public var response: Double
    /// For the next bytes of the content. Time in which nobody reads does not count.
    public var idle: Double
    /// For all of it; nil for as long as bytes arrive.
    public var whole: Double?

    /// Puts the parts together.
    public init(connect: Double = 10, response: Double = 30, idle: Double = 30, whole: Double? = nil) {
        self.connect = connect
        self.response = response
        self.idle = idle
        self.whole = whole
    }
}
