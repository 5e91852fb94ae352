/// Addresses, limits and timeouts of a server.
package struct ServerConfiguration: Sendable {
    /// A certificate and its key, both PEM files.
    package struct TLS: Sendable {
        /// The certificate file, including intermediate certificates.
        package var certificatePath: String
        /// The private key file.
        package var keyPath: String

        /// Creates a TLS configuration.
        package init(certificatePath: String, keyPath: String) {
            self.certificatePath = certificatePath
            self.keyPath = keyPath
        }
    }

    /// The addresses to listen on: IPv4, IPv6 or `localhost`. `::` also accepts IPv4. By default, only this machine can
    /// connect.
    package var addresses = ["127.0.0.1"]
    /// The port; 0 selects a free one.
    package var port: UInt16 = 8420
    /// Number of threads that serve connections; nil for the number of cores.
    package var threadCount: Int?
    /// The certificate, to serve HTTPS with TLS 1.2 or later.
    ///
    /// libmicrohttpd 0.9.75 forwards an encrypted WebSocket four bytes at a time: enough for commands and events, but not for
    /// bulk data. A proxy or tunnel in front of a plain server is faster.
    package var tls: TLS?
    /// Maximum number of connections per listening address. When it is reached, a new connection replaces an idle one of the
    /// client address that has the most; if no connection is idle, it waits.
    package var connectionLimit = 4096
    /// Maximum number of connections per client address (IPv6: per /64 network); nil for no limit. When it is reached, a new
    /// connection replaces the longest idle one of the address; if no connection is idle, it is closed.
    package var connectionLimitPerAddress: Int? = 1024
    /// IP addresses of trusted proxies. Their connections are not limited per address, and the client's address is the last
    /// one in `X-Forwarded-For` that is not a trusted proxy's.
    package var trustedProxies: Set<String> = []
    /// Maximum size of the request line and header fields in bytes; above it the response is 431 or 414.
    package var headerLimit = 16 * 1024
    /// Timeout for a request's header in seconds, from the start of the connection. It also closes connections of clients
    /// that send the header byte by byte.
    package var headerTimeoutSeconds = 20
    /// Seconds for which a connection may be idle between requests.
    package var keepAliveSeconds = 75
    /// Seconds without progress in either direction after which a request times out.
    package var idleTimeoutSeconds = 60
    /// Maximum number of upload bytes buffered until the handler reads them.
    package var bodyBufferLimit = 256 * 1024
    /// Maximum number of bytes of a streamed response buffered until the client receives them.
    package var streamBufferLimit = 256 * 1024
    /// Whether responses contain their identifier in `X-Request-Id`.
    package var sendsRequestID = true
    /// Called for each completed request; nil for no log.
    package var accessLog: (@Sendable (AccessLogEntry) -> Void)?
    /// Receives log messages of the HTTP library, mostly about malformed requests.
    package var diagnosticLog: (@Sendable (String) -> Void)?

    /// The default configuration.
    package init() {}
}
