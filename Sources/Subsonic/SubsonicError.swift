/// Why a Subsonic server did not do what it was asked. Tells no secret.
public struct SubsonicError: Error, Sendable, CustomStringConvertible {
    /// What kind of failure it is.
    public struct Code: Sendable, Hashable {
        private let name: String
        /// The settings do not say whom to ask, or how.
        public static let badSettings = Code(name: "badSettings")
        /// No answer came.
        public static let noAnswer = Code(name: "noAnswer")
        /// The answer is none of a Subsonic server.
        public static let foreignAnswer = Code(name: "foreignAnswer")
        /// The server said no.
        public static let refused = Code(name: "refused")
    }

    /// What kind of failure it is.
    public let code: Code
    /// For a person.
    public let description: String
    /// Whether the same may work later.
    public let isPassing: Bool

    init(_ code: Code, _ description: String, isPassing: Bool = false) {
        self.code = code
        self.description = description
        self.isPassing = isPassing
    }
}
