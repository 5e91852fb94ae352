/// What a transfer asks a server for.
public struct TransferRequest: Sendable {
    /// The address, `http` or `https`.
    public var address: String
    /// The method, in capitals.
    public var method = "GET"
    /// Names and values of header fields.
    public var fields: [(name: String, value: String)] = []
    /// What is sent to the server; nil for nothing.
    public var body: [UInt8]?
    /// The bytes asked for, as in a `Range` field after `bytes=`; nil for all.
    public var range: String?
    /// Whether the content may be compressed on its way.
    public var acceptsCompression = false
    /// How many redirections are followed. Fields of authorisation go to the first server only.
    public var redirectionLimit = 0
    /// How long a connection may take to come about, in seconds.
    public var connectSeconds = 10.0
    /// How long the head of the answer may take, from the start, in seconds.
    public var responseSeconds = 30.0
    /// How long nothing may arrive amid the content, in seconds. Time while paused does not count.
    public var idleSeconds = 30.0
    /// How long all of it may take, in seconds; nil for as long as bytes arrive.
    public var totalSeconds: Double?
    /// Whether a server has to prove who it is.
    public var checksCertificates = true
    /// File of the certificates that prove it, in PEM form; nil for those the machine trusts.
    public var certificateFile: String?

    /// Asks for an address.
    public init(address: String) { self.address = address }
}
