/// Why the host cannot do what it is asked to.
public struct HostError: Error, Sendable, CustomStringConvertible {
    /// What went wrong; further codes may be added.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The stable name of the code.
        public let rawValue: String
        /// Takes a code by name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The file of secrets cannot be used.
        public static let secrets = Code(rawValue: "secrets")
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
