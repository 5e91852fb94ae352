/// A request that a ``TransferLoop`` sends.
package struct TransferRequest: Sendable {
    /// The address, `http` or `https`.
    package var address: String
    /// The method, in upper case.
    package var method = "GET"
    /// Names and values of header fields.
    package var fields: [(name: String, value: String)] = []
    /// The request's body; nil if it has no body.
    package var body: [UInt8]?
    /// A file that is sent with the method PUT; if nil, ``body`` is sent.
    package var file: TransferFile?
    /// The requested byte range, as in a `Range` field after `bytes=`; nil for all bytes.
    package var range: String?
    /// Whether the server may compress the content.
    package var acceptsCompression = false
    /// The maximum number of redirections. `Authorization` fields are sent to the first server only.
    package var redirectionLimit = 0
    /// Timeout for connecting, in seconds.
    package var connectSeconds = 10.0
    /// Timeout for the head of the answer, from the start of the request or the last piece of a file, in seconds.
    package var responseSeconds = 30.0
    /// Timeout between two pieces of the content, in seconds. Time while paused does not count.
    package var idleSeconds = 30.0
    /// Timeout for the whole transfer, in seconds; nil for no limit while bytes arrive.
    package var totalSeconds: Double?
    /// Whether the server's certificate is verified.
    package var checksCertificates = true
    /// Signs the request for an object store; nil for a request without a signature.
    package var signature: RequestSignature?
    /// Path of the trusted certificates in PEM form; nil for the system's.
    package var certificateFile: String?

    /// The addresses that may be connected to, also after redirections; nil for all. It is checked for each connection, after the
    /// name was resolved, so that a name cannot change its address in between. Proxies are not used then.
    ///
    /// A loop reuses its connections: send all requests with the same policy through one loop of their own.
    package var policy: AddressPolicy?

    /// Creates a request for an address.
    package init(address: String) { self.address = address }
}
