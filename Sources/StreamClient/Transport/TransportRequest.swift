/// What is asked of a server.
public struct TransportRequest: Sendable, Equatable {
    /// The address, `http` or `https`.
    public var address: String
    /// The method, in capitals.
    public var method: String
    /// Header fields beside those that the transport adds by itself.
    public var fields: TransportFields
    /// What is sent along; nil for nothing.
    public var body: [UInt8]?
    /// The bytes wanted; nil for all. A server may pass over it and answer with all of them: 200 instead of 206.
    public var range: TransportRange?
    /// How many redirections are followed. Where it is 0, they are answers.
    public var redirectionLimit: Int
    /// Whether the content may be compressed on its way.
    public var acceptsCompression: Bool
    /// How long to wait.
    public var timeouts: TransportTimeouts

    /// Asks for an address.
    public init(
        _ address: String, method: String = "GET", fields: TransportFields = [:], body: [UInt8]? = nil,
        range: TransportRange? = nil, redirectionLimit: Int = 5, acceptsCompression: Bool = false,
        timeouts: TransportTimeouts = TransportTimeouts()
    ) {
        self.address = address
        self.method = method
        self.fields = fields
        self.body = body
        self.range = range
        self.redirectionLimit = redirectionLimit
        self.acceptsCompression = acceptsCompression
        self.timeouts = timeouts
    }
}
