/// How a server listens and what it puts up with.
public struct ServerConfiguration: Sendable {
    /// A certificate and its key, both PEM files.
    public struct TLS: Sendable {
        /// The file of the certificate, with those that lead to its root.
        public var certificatePath: String
        /// The file of the private key.
        public var keyPath: String

        /// Names the files.
        public init(certificatePath: String, keyPath: String) {
            self.certificatePath = certificatePath
            self.keyPath = keyPath
        }
    }

    /// The addresses to listen on, IPv4 or IPv6, in numbers or as `localhost`. `::` takes IPv4 too. The default lets
    /// in only this machine.
    public var addresses = ["127.0.0.1"]
    /// The port; 0 takes a free one.
    public var port: UInt16 = 8420
    /// The threads that serve connections; nil means as many as there are cores.
    public var threadCount: Int?
    /// A certificate, where connections are to be encrypted.
    ///
    /// libmicrohttpd 0.9.75 forwards an encrypted WebSocket four bytes at a time: enough for commands and events, not
    /// for bulk. A proxy or tunnel in front of a plain server does better.
    public var tls: TLS?
    /// The most connections at once, at each address.
    public var connectionLimit = 4096
    /// The most connections at once from one client address; nil means no such limit.
    public var connectionLimitPerAddress: Int?
    /// The most bytes of a request's line and header fields together; above it the answer is 431 or 414.
    public var headerLimit = 16 * 1024
    /// How long a request's header may take to arrive, counted from the connection's start, in seconds. A client that
    /// sends it byte by byte is cut off then.
    public var headerTimeoutSeconds = 20
    /// How long a connection may rest between requests, in seconds.
    public var keepAliveSeconds = 75
    /// How long a connection may make no progress in either direction during a request, in seconds.
    public var idleTimeoutSeconds = 60
    /// The bytes of an upload that may wait in memory for the handler to read them.
    public var bodyBufferLimit = 256 * 1024
    /// The bytes of a streamed response that may wait in memory for the client to take them.
    public var streamBufferLimit = 256 * 1024
    /// Whether each response tells its identifier in `X-Request-Id`; one with a ``Repetition`` never does.
    public var sendsRequestID = true
    /// Is told of each request when it has ended; nil keeps no log.
    public var accessLog: (@Sendable (AccessLogEntry) -> Void)?
    /// Is told what the HTTP library complains of: malformed requests, mostly.
    public var diagnosticLog: (@Sendable (String) -> Void)?

    /// The defaults.
    public init() {}
}
