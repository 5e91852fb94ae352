package import HTTPServer

/// An error that operations may answer with. ``APIError`` declares each once: handlers throw it with a message for the
/// request, and the API description lists it with its meaning.
package struct APIError: Sendable, Hashable {
    package let status: HTTPStatus
    /// The `code` in the response, for programs.
    package let code: String
    /// When it occurs.
    package let meaning: String

    /// Declares an error.
    package init(_ status: HTTPStatus, _ code: String, _ meaning: String) {
        self.status = status
        self.code = code
        self.meaning = meaning
    }

    /// Returns the error for a request.
    /// - Parameters:
    ///   - message: What happened and what to do, for people; the meaning by default.
    ///   - field: The parameter or field that caused it.
    ///   - fields: Additional header fields of the response.
    package func callAsFunction(
        _ message: String? = nil, field: String? = nil, fields: HTTPFields = [:]
    ) -> HTTPError {
        HTTPError(status, code: code, message: message ?? meaning, field: field, fields: fields)
    }

    /// Returns the error with the meaning that it has for one operation.
    package func when(_ meaning: String) -> APIError { APIError(status, code, meaning) }

    /// The schema of all error responses.
    package static let schema: JSONSchema = [
        "error": [
            "code": .text("Stable error code.", example: "no_such_track"),
            "message": .text("Human-readable message: what happened and what to do."),
            "field": .text("The invalid parameter or field.").optional,
        ]
    ]
}
