internal import HTTPServer

/// An answer of an operation.
struct OpenAPIResponse: Sendable, Encodable {
    /// A header field of an answer.
    struct Header: Sendable, Encodable {
        let name: String
        let meaning: String
        var schema = JSONSchema.text()

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: OpenAPIKey.self)
            try container.encode(meaning, forKey: "description")
            try container.encode(schema, forKey: "schema")
        }

        static let entityTag = Header(name: "ETag", meaning: "Names this state of the content.")
        static let location = Header(name: "Location", meaning: "Path of what was made.")
        static let contentRange = Header(
            name: "Content-Range", meaning: "Which bytes these are, and of how many.",
            schema: .text(matching: "^bytes ([0-9]+-[0-9]+|\\*)/[0-9]+$", example: "bytes 0-1023/5000"))
        static let retryAfter = Header(
            name: "Retry-After", meaning: "Seconds to wait before asking again.",
            schema: .integer(minimum: 1))
        static let authenticate = Header(name: "WWW-Authenticate", meaning: "The scheme that is asked for.")
    }

    /// A form that the content may have.
    struct Content: Sendable, Encodable {
        let type: String
        /// Nil for bytes that are no text.
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
