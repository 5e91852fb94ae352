/// An error that knows the response it should be answered with.
public protocol HTTPResponseError: Error {
    /// The response.
    func response(to request: HTTPRequest) -> HTTPResponse
}

/// A request that cannot be fulfilled, and what the client is told about it.
///
/// The response's body is JSON: `{"error": {"code": "…", "message": "…", "field": "…"}}`, `field` only where one is at
/// fault.
public struct HTTPError: HTTPResponseError, Equatable, CustomStringConvertible {
    /// The status of the response.
    public var status: HTTPStatus
    /// A short name in snake_case that programs can tell errors apart by.
    public var code: String
    /// A sentence for a person.
    public var message: String
    /// The parameter or field at fault.
    public var field: String?
    /// Further header fields of the response.
    public var fields: HTTPFields

    /// Makes an error.
    public init(
        _ status: HTTPStatus, code: String, message: String, field: String? = nil, fields: HTTPFields = [:]
    ) {
        self.status = status
        self.code = code
        self.message = message
        self.field = field
        self.fields = fields
    }

    /// The status, code, message and field.
    public var description: String { "\(status) \(code): \(message)\(field.map { " (\($0))" } ?? "")" }

    /// The error as JSON with its status.
    public func response(to request: HTTPRequest) -> HTTPResponse {
        var json = "{\"error\":{\"code\":\(jsonString(code)),\"message\":\(jsonString(message))"
        if let field { json += ",\"field\":\(jsonString(field))" }
        json += "}}\n"
        var response = HTTPResponse.json(Array(json.utf8), status)
        for field in fields { response.fields.append(field) }
        return response
    }
}

/// Text as a JSON string with its quotes (RFC 8259 §7).
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
