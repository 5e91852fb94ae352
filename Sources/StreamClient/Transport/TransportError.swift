/// The reason why a response is missing or incomplete. Never contains URLs, since they may hold secrets.
public struct TransportError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kind of failure.
    public struct Code: Sendable, Hashable {
        private let name: String
        /// Invalid URL.
        public static let badAddress = Code(name: "badAddress")
        /// The server is unreachable: the name is unknown, or the connection was refused.
        public static let unreachable = Code(name: "unreachable")
        /// The connection was closed before the response was complete.
        public static let connectionLost = Code(name: "connectionLost")
        /// No data arrived within the timeout.
        public static let timedOut = Code(name: "timedOut")
        /// The response exceeds the size limit.
        public static let tooLarge = Code(name: "tooLarge")
        /// The server's certificate is invalid, or TLS failed.
        public static let insecure = Code(name: "insecure")
        /// The response is not valid HTTP.
        public static let badAnswer = Code(name: "badAnswer")
        /// Too many redirects.
        public static let tooManyRedirections = Code(name: "tooManyRedirections")
        /// The caller cancelled the request.
        public static let cancelled = Code(name: "cancelled")
    }

    /// The kind of failure.
    public let code: Code
    /// A message for the user.
    public let description: String

    /// Creates an error from its parts.
    public init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }

    /// Whether the same request may succeed later.
    public var isTransient: Bool {
        [.unreachable, .connectionLost, .timedOut].contains(code)
    }
}
