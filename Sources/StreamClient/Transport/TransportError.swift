/// Why there is no answer, or no more of it. Tells no address: addresses may hold secrets.
public struct TransportError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What kind of failure it is.
    public struct Code: Sendable, Hashable {
        private let name: String
        /// The address is none that can be asked.
        public static let badAddress = Code(name: "badAddress")
        /// Nobody is there: the name is unknown, or the connection is refused.
        public static let unreachable = Code(name: "unreachable")
        /// The connection ended before the answer did.
        public static let connectionLost = Code(name: "connectionLost")
        /// Nothing came for too long.
        public static let timedOut = Code(name: "timedOut")
        /// The answer is larger than was asked for.
        public static let tooLarge = Code(name: "tooLarge")
        /// The server's certificate does not hold, or no encryption comes about.
        public static let insecure = Code(name: "insecure")
        /// What was answered is no HTTP.
        public static let badAnswer = Code(name: "badAnswer")
        /// The server sends elsewhere again and again.
        public static let tooManyRedirections = Code(name: "tooManyRedirections")
        /// Who asked does not want the answer any more.
        public static let cancelled = Code(name: "cancelled")
    }

    /// What kind of failure it is.
    public let code: Code
    /// For a person.
    public let description: String

    /// Puts the parts together.
    public init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }

    /// Whether the same request may well succeed a little later.
    public var isTransient: Bool {
        [.unreachable, .connectionLost, .timedOut].contains(code)
    }
}
