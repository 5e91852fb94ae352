package import HTTPServer

/// An error that an operation may return.
package struct OpenAPIError: Sendable {
    package let status: HTTPStatus
    /// The `code` in the response.
    package let code: String
    /// When it occurs.
    package let meaning: String

    /// Memberwise initializer.
    package init(status: HTTPStatus, code: String, meaning: String) {
        self.status = status
        self.code = code
        self.meaning = meaning
    }

    /// The schema of all error responses.
    package static let schema = JSONSchema.object([
        .always(
            "error",
            .object([
                .always(
                    "code",
                    .text("Stable error code.", example: "no_such_track")),
                .always("message", .text("Human-readable message: what happened and what to do.")),
                .maybe("field", .text("The invalid parameter or field.")),
            ]))
    ])

    package static let noTrack = OpenAPIError(
        status: .notFound, code: "no_such_track", meaning: "There is no track with this ID.")
    package static let noPath = OpenAPIError(
        status: .notFound, code: "not_found", meaning: "The path does not exist.")
    package static let badParameter = OpenAPIError(
        status: .unprocessableContent, code: "invalid_parameter",
        meaning: "A parameter is malformed or out of range.")
    package static let missingParameter = OpenAPIError(
        status: .badRequest, code: "missing_parameter", meaning: "A required parameter is missing.")
    package static let badPath = OpenAPIError(
        status: .badRequest, code: "malformed_path", meaning: "The path is not percent-encoded UTF-8.")
    /// Reasons why a track's file cannot be sent.
    package static let file = [
        OpenAPIError(
            status: .notFound, code: "file_missing", meaning: "The file is missing or cannot be opened."),
        OpenAPIError(
            status: .conflict, code: "file_changed",
            meaning: "The file has changed since it was analysed; it is being analysed again."),
        OpenAPIError(
            status: .conflict, code: "analysis_damaged",
            meaning: "The stored analysis cannot be read; the file is being analysed again."),
    ]
    package static let unknownParameter = OpenAPIError(
        status: .badRequest, code: "unknown_parameter",
        meaning: "The query has an unknown parameter.")
    package static let diskFull = OpenAPIError(
        status: .insufficientStorage, code: "no_space", meaning: "The host's disk is full.")
    package static let databaseDamaged = OpenAPIError(
        status: .internalServerError, code: "database_damaged",
        meaning: "A database of the host is damaged; see its log for details.")
    /// The object that the path refers to does not exist. ``resolved(for:)`` makes it specific to the kind of
    /// object.
    package static let nothing = OpenAPIError(
        status: .notFound, code: "not_found", meaning: "There is no object with this ID.")

    /// Returns the error for the kind of object that a path refers to; unchanged if the path has no ID.
    package func resolved(for path: String) -> OpenAPIError {
        guard code == Self.nothing.code, meaning == Self.nothing.meaning,
            let kind = ResourceKind.all.first(where: { path.contains(":\($0.parameter)") })
        else { return self }
        return OpenAPIError(
            status: .notFound, code: kind.errorCode, meaning: "There is no \(kind.name) with this ID.")
    }
    /// Errors of JSON request bodies.
    package static let body = [
        OpenAPIError(
            status: .badRequest, code: "malformed_json", meaning: "The content is not a JSON object."),
        OpenAPIError(status: .badRequest, code: "missing_field", meaning: "A required field is missing."),
        OpenAPIError(
            status: .unprocessableContent, code: "invalid_field",
            meaning: "A field has an invalid value."),
        OpenAPIError(
            status: .badRequest, code: "unknown_field", meaning: "The content has an unknown field."),
        OpenAPIError(
            status: .unsupportedMediaType, code: "json_expected",
            meaning: "The Content-Type is not JSON."),
        OpenAPIError(
            status: .contentTooLarge, code: "content_too_large", meaning: "The content is too large."),
    ]
    package static let access = [
        OpenAPIError(
            status: .forbidden, code: "foreign_page",
            meaning: "The host requires no key, and the request comes from a page of another site."),
        OpenAPIError(
            status: .forbidden, code: "foreign_name",
            meaning: "The host requires no key, and the Host header is not a local name."),
        OpenAPIError(status: .unauthorized, code: "missing_key", meaning: "No key was sent."),
        OpenAPIError(
            status: .unauthorized, code: "wrong_key",
            meaning: "The API key, app password or token is invalid or has expired."),
        OpenAPIError(
            status: .tooManyRequests, code: "too_many_failures",
            meaning: "This address has sent too many invalid keys."),
    ]
    package static let role = OpenAPIError(
        status: .forbidden, code: "role_required",
        meaning: "The caller's account does not have the role that the operation needs.")
    package static let precondition = OpenAPIError(
        status: .preconditionFailed, code: "precondition_failed",
        meaning: "The content has changed (ETag mismatch).")
    package static let range = OpenAPIError(
        status: .rangeNotSatisfiable, code: "range_not_satisfiable",
        meaning: "The range is outside of the content.")

    /// Returns one response per status, which lists all error codes with that status.
    package static func responses(_ errors: [OpenAPIError]) -> [OpenAPIResponse] {
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
