/// A request that a ``TransferLoop`` sends.
public struct TransferRequest: Sendable {
    /// The address, `http` or `https`.
    public var address: String
    /// The method, in upper case.
    public var method = "GET"
    /// Names and values of header fields.
    public var fields: [(name: String, value: String)] = []
    /// The request's body; nil if it has no body.
    public var body: [UInt8]?
    /// The requested byte range, as in a `Range` field after `bytes=`; nil for all bytes.
    public var range: String?
    /// Whether the server may compress the content.
    public var acceptsCompression = false
    /// The maximum number of redirections. `Authorization` fields are sent to the first server only.
    public var redirectionLimit = 0
    /// Timeout for connecting, in seconds.
    public var connectSeconds = 10.0
    /// Timeout for the head of the answer, from the start of the request, in seconds.
    public var responseSeconds = 30.0
    /// Timeout between two pieces of the content, in seconds. Time while paused does not count.
    public var idleSeconds = 30.0
    /// Timeout for the whole transfer, in seconds; nil for no limit while bytes arrive.
    public var totalSeconds: Double?
    /// Whether the server's certificate is verified.
    public var checksCertificates = true
    /// Path of the trusted certificates in PEM form; nil for the system's.
    public var certificateFile: String?

    /// Creates a request for an address.
    public init(address: String) { self.address = address }
}
