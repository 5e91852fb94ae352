/// The reason why a request to a Subsonic server failed. Contains no secret.
public struct SubsonicError: Error, Sendable, CustomStringConvertible {
    /// The kind of failure.
    public struct Code: Sendable, Hashable {
        private let name: String
        /// The settings lack the server's address or credentials, or they are invalid.
        public static let badSettings = Code(name: "badSettings")
        /// No answer came.
        public static let noAnswer = Code(name: "noAnswer")
        /// The answer is not a Subsonic server's.
        public static let foreignAnswer = Code(name: "foreignAnswer")
        /// The server refused the request.
        public static let refused = Code(name: "refused")
    }

    /// The kind of failure.
    public let code: Code
    /// A description for people.
    public let description: String
    /// Whether the same request may succeed later.
    public let isPassing: Bool

    init(_ code: Code, _ description: String, isPassing: Bool = false) {
        self.code = code
        self.description = description
        self.isPassing = isPassing
    }
}
