/// An error of the host.
public struct HostError: Error, Sendable, CustomStringConvertible {
    /// The kind of error; more codes may be added.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The stable name of the code.
        public let rawValue: String
        /// Creates a code from its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The secrets file cannot be used.
        public static let secrets = Code(rawValue: "secrets")
        /// The password is too short or too long.
        public static let badPassword = Code(rawValue: "bad_password")
        /// The name of an app or client cannot be used.
        public static let badName = Code(rawValue: "bad_name")
        /// The name is in use already.
        public static let nameTaken = Code(rawValue: "name_taken")
    }

    /// The kind of error.
    public let code: Code
    /// Human-readable description, including what to do.
    public let message: String

    /// Creates an error.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The message.
    public var description: String { message }
}
