internal import HTTPServer

/// A way in which an operation may fail.
struct OpenAPIError: Sendable {
    let status: HTTPStatus
    /// The `code` in the answer.
    let code: String
    /// When it happens.
    let meaning: String

    /// The schema of every error's content.
    static let schema = JSONSchema.object([
        .always(
            "error",
            .object([
                .always(
                    "code",
                    .text("Name of the error, for programs.", example: "no_such_track")),
                .always("message", .text("What happened and what to do, for a person.")),
                .maybe("field", .text("The parameter or field at fault.")),
            ]))
    ])

    static let noTrack = OpenAPIError(
        status: .notFound, code: "no_such_track", meaning: "There is no track of this number.")
    static let noPath = OpenAPIError(
        status: .notFound, code: "not_found", meaning: "The path names nothing.")
    static let badParameter = OpenAPIError(
        status: .badRequest, code: "invalid_parameter",
        meaning: "A parameter cannot be read or is out of range.")
    static let missingParameter = OpenAPIError(
        status: .badRequest, code: "missing_parameter", meaning: "A parameter is missing.")
    static let badPath = OpenAPIError(
        status: .badRequest, code: "malformed_path", meaning: "The path is no percent-encoded UTF-8.")
    /// What may keep a track's file from being sent.
    static let file = [
        OpenAPIError(
            status: .notFound, code: "file_missing", meaning: "The file is gone or cannot be opened."),
        OpenAPIError(
            status: .conflict, code: "file_changed",
            meaning: "The file is not the one that was analysed; it is being analysed again."),
        OpenAPIError(
            status: .conflict, code: "analysis_damaged",
            meaning: "The stored analysis cannot be read; the file is being analysed again."),
    ]
    static let unknownParameter = OpenAPIError(
        status: .badRequest, code: "unknown_parameter",
        meaning: "The query has a parameter that the route does not know.")
    static let nothing = OpenAPIError(
        status: .notFound, code: "not_found", meaning: "There is nothing of this number.")
    /// What may be wrong with JSON that a client sends.
    static let body = [
        OpenAPIError(status: .badRequest, code: "malformed_json", meaning: "The content is no JSON object."),
        OpenAPIError(status: .badRequest, code: "missing_field", meaning: "A field is missing."),
        OpenAPIError(
            status: .badRequest, code: "invalid_field", meaning: "A field has a value that it cannot have."),
        OpenAPIError(status: .badRequest, code: "unknown_field", meaning: "There is no such field."),
        OpenAPIError(
            status: .unsupportedMediaType, code: "json_expected",
            meaning: "The content is not said to be JSON."),
        OpenAPIError(
            status: .contentTooLarge, code: "content_too_large", meaning: "The content is too large."),
    ]
    static let access = [
        OpenAPIError(
            status: .forbidden, code: "foreign_page",
            meaning: "The host asks for no key, and a page of another site made the request."),
        OpenAPIError(
            status: .forbidden, code: "foreign_name",
            meaning: "The host asks for no key, and was asked by a name that is not local."),
        OpenAPIError(status: .unauthorized, code: "missing_key", meaning: "No key was sent."),
        OpenAPIError(
            status: .unauthorized, code: "wrong_key", meaning: "The key or token is wrong or has run out."),
        OpenAPIError(
            status: .tooManyRequests, code: "too_many_failures",
            meaning: "This address has sent too many wrong keys."),
    ]
    static let precondition = OpenAPIError(
        status: .preconditionFailed, code: "precondition_failed", meaning: "`If-Match` names another state.")
    static let range = OpenAPIError(
        status: .rangeNotSatisfiable, code: "range_not_satisfiable",
        meaning: "No byte of the range exists.")

    /// The answers that errors make: one a status, which tells of all its codes.
    static func responses(_ errors: [OpenAPIError]) -> [OpenAPIResponse] {
        Dictionary(grouping: errors, by: \.status).map { status, errors in
            let headers: [OpenAPIResponse.Header] =
                switch status {
                case .unauthorized: [.authenticate]
                case .tooManyRequests, .serviceUnavailable: [.retryAfter]
                case .rangeNotSatisfiable: [.contentRange]
                default: []
                }
            return OpenAPIResponse(
                status: status,
                meaning: errors.map { "`\($0.code)`: \($0.meaning)" }.joined(separator: "\n\n"),
                contents: [.json(.named("Error"))], headers: headers)
        }
    }
}
