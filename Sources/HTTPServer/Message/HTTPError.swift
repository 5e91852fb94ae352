/// An error that defines its HTTP response.
package protocol HTTPResponseError: Error {
    /// Returns the response.
    func response(to request: HTTPRequest) -> HTTPResponse
}

/// An error response to a request.
///
/// The response's body is JSON: `{"error": {"code": "…", "message": "…", "field": "…"}}`; `field` is only present if a
/// parameter or field caused the error.
package struct HTTPError: HTTPResponseError, Equatable, CustomStringConvertible {
    /// The status of the response.
    package var status: HTTPStatus
    /// A stable identifier in snake_case, for use by programs.
    package var code: String
    /// A sentence for the user.
    package var message: String
    /// The parameter or field that caused the error.
    package var field: String?
    /// Additional header fields of the response.
    package var fields: HTTPFields

    /// Creates an error.
    package init(
        _ status: HTTPStatus, code: String, message: String, field: String? = nil, fields: HTTPFields = [:]
    ) {
        self.status = status
        self.code = code
        self.message = message
        self.field = field
        self.fields = fields
    }

    /// The status, code, message and field.
    package var description: String { "\(status) \(code): \(message)\(field.map { " (\($0))" } ?? "")" }

    /// Returns the error as JSON with its status.
    package func response(to request: HTTPRequest) -> HTTPResponse { plainResponse }

    /// The error as JSON with its status, independent of the request.
    var plainResponse: HTTPResponse {
        var json = "{\"error\":{\"code\":\(jsonString(code)),\"message\":\(jsonString(message))"
        if let field { json += ",\"field\":\(jsonString(field))" }
        json += "}}\n"
        var response = HTTPResponse.json(Array(json.utf8), status)
        for field in fields { response.fields.append(field) }
        return response
    }
}

/// Returns a text as a quoted JSON string (RFC 8259 §7).
func jsonString(_ text: String) -> String {
    var json = "\""
    for scalar in text.unicodeScalars {
        switch scalar {
        case "\"": json += "\\\""
        case "\\": json += "\\\\"
        case "\n": json += "\\n"
        case "\r": json += "\\r"
        case "\t": json += "\\t"
        case "\u{0}"..."\u{1F}":
            let digits = String(scalar.value, radix: 16)
            json += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        default: json.unicodeScalars.append(scalar)
        }
    }
    return json + "\""
}
