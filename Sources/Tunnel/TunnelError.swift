/// The reason why there is no tunnel.
public struct TunnelError: Error, Sendable, CustomStringConvertible {
    /// The kind of failure; further codes may be added.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The stable name of the code.
        public let rawValue: String
        /// Creates a code from its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// cloudflared is not installed.
        public static let notInstalled = Code(rawValue: "notInstalled")
        /// A secret cannot be used.
        public static let secret = Code(rawValue: "secret")
        /// The program cannot be started.
        public static let cannotStart = Code(rawValue: "cannotStart")
    }

    /// The kind of failure.
    public let code: Code
    /// A description for people, with what to do.
    public let message: String

    /// Creates an error.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The message.
    public var description: String { message }
}
