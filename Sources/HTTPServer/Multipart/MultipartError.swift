/// The reason why content cannot be parsed as `multipart/form-data`.
package struct MultipartError: HTTPResponseError, Equatable, CustomStringConvertible {
    /// The kind of failure; further codes may be added.
    package struct Code: RawRepresentable, Hashable, Sendable {
        /// The stable name of the code.
        package let rawValue: String
        /// Creates a code from its name.
        package init(rawValue: String) { self.rawValue = rawValue }

        /// The content is malformed or truncated.
        package static let malformed = Code(rawValue: "malformed_multipart")
        /// The content has too many parts, or headers that are too long.
        package static let tooLarge = Code(rawValue: "multipart_too_large")
    }

    /// The kind of failure.
    package let code: Code
    /// A message for the user.
    package let message: String

    /// Creates an error.
    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The message.
    package var description: String { message }

    /// Returns 413 if a limit is exceeded, otherwise 400.
    package func response(to request: HTTPRequest) -> HTTPResponse {
        HTTPError(code == .tooLarge ? .contentTooLarge : .badRequest, code: code.rawValue, message: message)
            .response(to: request)
    }
}
