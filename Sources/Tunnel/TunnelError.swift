/// The reason why there is no tunnel.
package struct TunnelError: Error, Sendable, CustomStringConvertible {
    /// The kind of failure; further codes may be added.
    package struct Code: RawRepresentable, Hashable, Sendable {
        /// The stable name of the code.
        package let rawValue: String
        /// Creates a code from its name.
        package init(rawValue: String) { self.rawValue = rawValue }

        /// cloudflared is not installed.
        package static let notInstalled = Code(rawValue: "notInstalled")
        /// A secret cannot be used.
        package static let secret = Code(rawValue: "secret")
        /// The program cannot be started.
        package static let cannotStart = Code(rawValue: "cannotStart")
    }

    /// The kind of failure.
    package let code: Code
    /// A description for people, with what to do.
    package let message: String

    /// Creates an error.
    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The message.
    package var description: String { message }
}
