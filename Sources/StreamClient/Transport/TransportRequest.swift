/// An HTTP request.
public struct TransportRequest: Sendable, Equatable {
    /// The URL, `http` or `https`.
    public var address: String
    /// The method, in upper case.
    public var method: String
    /// Header fields in addition to those that the transport adds.
    public var fields: TransportFields
    /// The request body, if any.
    public var body: [UInt8]?
    /// The requested bytes; nil for all. A server may ignore it and return everything, with status 200 instead of 206.
    public var range: TransportRange?
    /// Maximum number of redirects followed. If 0, redirects are returned as responses.
    public var redirectionLimit: Int
    /// Whether the response may be compressed.
    public var acceptsCompression: Bool
    /// The timeouts.
    public var timeouts: TransportTimeouts

    /// Creates a request.
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
