/// Why there can be no tunnel.
public struct TunnelError: Error, Sendable, CustomStringConvertible {
    /// What went wrong; further codes may be added.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The stable name of the code.
        public let rawValue: String
        /// Takes a code by name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The program that makes tunnels is not there.
        public static let notInstalled = Code(rawValue: "notInstalled")
        /// A secret cannot be used.
        public static let secret = Code(rawValue: "secret")
        /// The program cannot be run.
        public static let cannotStart = Code(rawValue: "cannotStart")
    }

    /// What went wrong.
    public let code: Code
    /// What happened and what to do, for a person.
    public let message: String

    /// Puts the parts together.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The message.
    public var description: String { message }
}
