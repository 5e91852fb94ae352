/// The reason why a request got no answer. Contains no address, since addresses may hold secrets.
public struct HTTPClientError: Error, Sendable, CustomStringConvertible {
    /// The kind of failure.
    public struct Code: Sendable, Hashable {
        private let name: String
        /// The address is malformed or of an unsupported scheme.
        public static let badAddress = Code(name: "badAddress")
        /// The host is unreachable: unknown name or refused connection.
        public static let unreachable = Code(name: "unreachable")
        /// The connection closed before the answer was complete.
        public static let connectionLost = Code(name: "connectionLost")
        /// Too many redirections.
        public static let tooManyRedirections = Code(name: "tooManyRedirections")
        /// The caller cancelled the request.
        public static let cancelled = Code(name: "cancelled")
        /// The request timed out.
        public static let timedOut = Code(name: "timedOut")
        /// The answer exceeds the requested size limit.
        public static let tooLarge = Code(name: "tooLarge")
        /// The server's certificate is invalid, or the TLS handshake failed.
        public static let insecure = Code(name: "insecure")
        /// The answer is not HTTP.
        public static let badAnswer = Code(name: "badAnswer")
    }

    /// The kind of failure.
    public let code: Code
    /// A description for people.
    public let description: String
}
