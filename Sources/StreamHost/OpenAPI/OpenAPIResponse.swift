internal import HTTPServer

/// A response of an operation.
struct OpenAPIResponse: Sendable, Encodable {
    /// A header field of a response.
    struct Header: Sendable, Encodable {
        let name: String
        let meaning: String
        var schema = JSONSchema.text()

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: OpenAPIKey.self)
            try container.encode(meaning, forKey: "description")
            try container.encode(schema, forKey: "schema")
        }

        static let entityTag = Header(name: "ETag", meaning: "Identifies this state of the content.")
        static let location = Header(name: "Location", meaning: "Path of the created object.")
        static let contentRange = Header(
            name: "Content-Range", meaning: "The byte range of this part, and the total size.",
            schema: .text(matching: "^bytes ([0-9]+-[0-9]+|\\*)/[0-9]+$", example: "bytes 0-1023/5000"))
        static let retryAfter = Header(
            name: "Retry-After", meaning: "Seconds to wait before retrying.",
            schema: .integer(minimum: 1))
        static let authenticate = Header(
            name: "WWW-Authenticate", meaning: "The required authentication scheme.")
    }

    /// A media type of the content with its schema.
    struct Content: Sendable, Encodable {
        let type: String
        /// Nil for binary content.
        let schema: JSONSchema?

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: OpenAPIKey.self)
            try container.encodeIfPresent(schema, forKey: "schema")
        }

        static func json(_ schema: JSONSchema) -> Content {
            Content(type: "application/json", schema: schema)
        }
        static func bytes(_ type: String) -> Content { Content(type: type, schema: nil) }
        static func text(_ type: String) -> Content { Content(type: type, schema: .text()) }
    }

    let status: HTTPStatus
    let meaning: String
    var contents: [Content] = []
    var headers: [Header] = []

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: OpenAPIKey.self)
        try container.encode(meaning, forKey: "description")
        if !headers.isEmpty {
            try container.encode(
                Dictionary(uniqueKeysWithValues: headers.map { ($0.name, $0) }), forKey: "headers")
        }
        if !contents.isEmpty {
            try container.encode(
                Dictionary(uniqueKeysWithValues: contents.map { ($0.type, $0) }), forKey: "content")
        }
    }
}
