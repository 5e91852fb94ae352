/// Why a host did not give what was wanted, or what was given cannot be used.
public struct ClientError: Error, Sendable, CustomStringConvertible {
    /// What kind of failure it is; further codes may be added.
    public struct Code: Sendable, Hashable {
        private let name: String
        /// No answer came: see ``ClientError/transport``.
        public static let noAnswer = Code(name: "noAnswer")
        /// The host wants another key.
        public static let unauthorized = Code(name: "unauthorized")
        /// The host speaks another version of the protocol.
        public static let versionMismatch = Code(name: "versionMismatch")
        /// Who answers is no host of ours.
        public static let notAHost = Code(name: "notAHost")
        /// There is no such thing.
        public static let notFound = Code(name: "notFound")
        /// The host refused the request, or failed: see ``ClientError/status``.
        public static let refused = Code(name: "refused")
        /// There is no host to ask.
        public static let noHost = Code(name: "noHost")
        /// The copy of the library is missing or damaged.
        public static let badCopy = Code(name: "badCopy")
        /// A file of the client's own cannot be read or written.
        public static let storage = Code(name: "storage")
        /// Who asked does not want it any more.
        public static let cancelled = Code(name: "cancelled")
    }

    /// What kind of failure it is.
    public let code: Code
    /// For a person. Holds no key.
    public let description: String
    /// Why no answer came, where none did.
    public let transport: TransportError?
    /// The status of the answer, where one came.
    public let status: Int?

    /// Puts the parts together.
    public init(
        _ code: Code, _ description: String, transport: TransportError? = nil, status: Int? = nil
    ) {
        self.code = code
        self.description = description
        self.transport = transport
        self.status = status
    }

    /// No answer, and why.
    public init(_ error: TransportError) {
        self.init(
            error.code == .cancelled ? .cancelled : .noAnswer, error.description, transport: error)
    }

    /// Whether the same may well succeed a little later, or at another address of the host.
    public var isTransient: Bool {
        transport?.isTransient ?? status.map { [429, 500, 502, 503, 504].contains($0) } ?? false
    }
}
