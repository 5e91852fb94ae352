/// The reason why a request to a host failed or its response cannot be used.
public struct ClientError: Error, Sendable, CustomStringConvertible {
    /// The kind of failure; further codes may be added.
    public struct Code: Sendable, Hashable {
        private let name: String
        /// No response was received: see ``ClientError/transport``.
        public static let noAnswer = Code(name: "noAnswer")
        /// The host rejected the API key, app password or password.
        public static let unauthorized = Code(name: "unauthorized")
        /// The host uses a different protocol version.
        public static let versionMismatch = Code(name: "versionMismatch")
        /// The server is not a music host.
        public static let notAHost = Code(name: "notAHost")
        /// The requested item does not exist.
        public static let notFound = Code(name: "notFound")
        /// The host rejected the request or failed: see ``ClientError/status``.
        public static let refused = Code(name: "refused")
        /// No host is configured.
        public static let noHost = Code(name: "noHost")
        /// The local copy of the library is missing or damaged.
        public static let badCopy = Code(name: "badCopy")
        /// A local file cannot be read or written.
        public static let storage = Code(name: "storage")
        /// The caller cancelled the request.
        public static let cancelled = Code(name: "cancelled")
    }

    /// The kind of failure.
    public let code: Code
    /// A message for the user. Does not contain API keys.
    public let description: String
    /// Why no response was received; nil if there was one.
    public let transport: TransportError?
    /// The HTTP status of the response; nil if there was none.
    public let status: Int?

    /// Creates an error from its parts.
    public init(
        _ code: Code, _ description: String, transport: TransportError? = nil, status: Int? = nil
    ) {
        self.code = code
        self.description = description
        self.transport = transport
        self.status = status
    }

    /// Creates an error for a request without a response.
    public init(_ error: TransportError) {
        self.init(
            error.code == .cancelled ? .cancelled : .noAnswer, error.description, transport: error)
    }

    /// Whether a retry may succeed later, or at another address of the host.
    public var isTransient: Bool {
        transport?.isTransient ?? status.map { [429, 500, 502, 503, 504].contains($0) } ?? false
    }
}
