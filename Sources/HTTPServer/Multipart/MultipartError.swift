/// The reason why content cannot be parsed as `multipart/form-data`.
public struct MultipartError: HTTPResponseError, Equatable, CustomStringConvertible {
    /// The kind of failure; further codes may be added.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The stable name of the code.
        public let rawValue: String
        /// Creates a code from its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The content is malformed or truncated.
        public static let malformed = Code(rawValue: "malformed_multipart")
        /// The content has too many parts, or headers that are too long.
        public static let tooLarge = Code(rawValue: "multipart_too_large")
    }

    /// The kind of failure.
    public let code: Code
    /// A message for the user.
    public let message: String

    /// Creates an error.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The message.
    public var description: String { message }

    /// Returns 413 if a limit is exceeded, otherwise 400.
    public func response(to request: HTTPRequest) -> HTTPResponse {
        HTTPError(code == .tooLarge ? .contentTooLarge : .badRequest, code: code.rawValue, message: message)
            .response(to: request)
    }
}
