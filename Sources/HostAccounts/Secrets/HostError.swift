/// An error of the host.
package struct HostError: Error, Sendable, CustomStringConvertible {
    /// The kind of error; more codes may be added.
    package struct Code: RawRepresentable, Hashable, Sendable {
        /// The stable name of the code.
        package let rawValue: String
        /// Creates a code from its name.
        package init(rawValue: String) { self.rawValue = rawValue }

        /// The secrets file cannot be used.
        package static let secrets = Code(rawValue: "secrets")
        /// The password is too short or too long.
        package static let badPassword = Code(rawValue: "bad_password")
        /// The name of an app or client cannot be used.
        package static let badName = Code(rawValue: "bad_name")
        /// The name is in use already.
        package static let nameTaken = Code(rawValue: "name_taken")
    }

    /// The kind of error.
    package let code: Code
    /// Human-readable description, including what to do.
    package let message: String

    /// Creates an error.
    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The message.
    package var description: String { message }
}
