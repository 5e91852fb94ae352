/// The reason why a request got no answer. Contains no address, since addresses may hold secrets.
package struct HTTPClientError: Error, Sendable, CustomStringConvertible {
    /// The kind of failure.
    package struct Code: Sendable, Hashable {
        private let name: String
        /// The address is malformed or of an unsupported scheme.
        package static let badAddress = Code(name: "badAddress")
        /// The host is unreachable: unknown name or refused connection.
        package static let unreachable = Code(name: "unreachable")
        /// The connection closed before the answer was complete.
        package static let connectionLost = Code(name: "connectionLost")
        /// Too many redirections.
        package static let tooManyRedirections = Code(name: "tooManyRedirections")
        /// The caller cancelled the request.
        package static let cancelled = Code(name: "cancelled")
        /// The request timed out.
        package static let timedOut = Code(name: "timedOut")
        /// The answer exceeds the requested size limit.
        package static let tooLarge = Code(name: "tooLarge")
        /// The server's certificate is invalid, or the TLS handshake failed.
        package static let insecure = Code(name: "insecure")
        /// The server's address is not allowed by the request's policy.
        package static let forbiddenAddress = Code(name: "forbiddenAddress")
        /// The answer is not HTTP.
        package static let badAnswer = Code(name: "badAnswer")
    }

    /// The kind of failure.
    package let code: Code
    /// A description for people.
    package let description: String
}
