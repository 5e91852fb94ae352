/// The reason why a request to a Subsonic server failed. Contains no secret.
package struct SubsonicError: Error, Sendable, CustomStringConvertible {
    /// The kind of failure.
    package struct Code: Sendable, Hashable {
        private let name: String
        /// The settings lack the server's address or credentials, or they are invalid.
        package static let badSettings = Code(name: "badSettings")
        /// No answer came.
        package static let noAnswer = Code(name: "noAnswer")
        /// The answer is not a Subsonic server's.
        package static let foreignAnswer = Code(name: "foreignAnswer")
        /// The server refused the request.
        package static let refused = Code(name: "refused")
    }

    /// The kind of failure.
    package let code: Code
    /// A description for people.
    package let description: String
    /// Whether the same request may succeed later.
    package let isPassing: Bool

    init(_ code: Code, _ description: String, isPassing: Bool = false) {
        self.code = code
        self.description = description
        self.isPassing = isPassing
    }
}
