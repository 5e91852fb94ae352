/// The reason why there is no tunnel.
struct TunnelError: Error, Sendable, CustomStringConvertible {
    /// The kind of failure; further codes may be added.
    struct Code: RawRepresentable, Hashable, Sendable {
        /// The stable name of the code.
        let rawValue: String
        /// Creates a code from its name.
        init(rawValue: String) { self.rawValue = rawValue }

        /// cloudflared is not installed.
        static let notInstalled = Code(rawValue: "notInstalled")
        /// A secret cannot be used.
        static let secret = Code(rawValue: "secret")
        /// The program cannot be started.
        static let cannotStart = Code(rawValue: "cannotStart")
    }

    /// The kind of failure.
    let code: Code
    /// A description for people, with what to do.
    let message: String

    /// Creates an error.
    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The message.
    var description: String { message }
}
