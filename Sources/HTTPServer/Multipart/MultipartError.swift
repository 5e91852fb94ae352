/// Why content cannot be read as `multipart/form-data`.
public struct MultipartError: HTTPResponseError, Equatable, CustomStringConvertible {
    /// The kind of failure; further codes may be added.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The stable name of the code.
        public let rawValue: String
        /// Takes a code by name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The content is not in the form that it is said to be in, or ends too early.
        public static let malformed = Code(rawValue: "malformed_multipart")
        /// It has more parts, or longer headers, than is put up with.
        public static let tooLarge = Code(rawValue: "multipart_too_large")
    }

    /// The kind of failure.
    public let code: Code
    /// What is wrong, for a person to read.
    public let message: String

    /// Makes an error.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The message.
    public var description: String { message }

    /// 400, or 413 beyond a limit.
    public func response(to request: HTTPRequest) -> HTTPResponse {
        HTTPError(code == .tooLarge ? .contentTooLarge : .badRequest, code: code.rawValue, message: message)
            .response(to: request)
    }
}
