package import HTTPServer

/// A response of an operation.
package struct OpenAPIResponse: Sendable, Encodable {
    /// A header field of a response.
    package struct Header: Sendable, Encodable {
        package let name: String
        package let meaning: String
        package var schema = JSONSchema.text()

        /// Memberwise initializer.
        package init(name: String, meaning: String, schema: JSONSchema = .text()) {
            self.name = name
            self.meaning = meaning
            self.schema = schema
        }

        package func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: OpenAPIKey.self)
            try container.encode(meaning, forKey: "description")
            try container.encode(schema, forKey: "schema")
        }

        package static let entityTag = Header(name: "ETag", meaning: "Identifies this state of the content.")
        package static let location = Header(name: "Location", meaning: "Path of the created object.")
        package static let contentRange = Header(
            name: "Content-Range", meaning: "The byte range of this part, and the total size.",
            schema: .text(matching: "^bytes ([0-9]+-[0-9]+|\\*)/[0-9]+$", example: "bytes 0-1023/5000"))
        package static let retryAfter = Header(
            name: "Retry-After", meaning: "Seconds to wait before retrying.",
            schema: .integer(minimum: 1))
        package static let authenticate = Header(
            name: "WWW-Authenticate", meaning: "The required authentication scheme.")
    }

    /// A media type of the content with its schema.
    package struct Content: Sendable, Encodable {
        package let type: String
        /// Nil for binary content.
        package let schema: JSONSchema?

        /// Memberwise initializer.
        package init(type: String, schema: JSONSchema?) {
            self.type = type
            self.schema = schema
        }

        package func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: OpenAPIKey.self)
            try container.encodeIfPresent(schema, forKey: "schema")
        }

        package static func json(_ schema: JSONSchema) -> Content {
            Content(type: "application/json", schema: schema)
        }
        package static func bytes(_ type: String) -> Content { Content(type: type, schema: nil) }
        package static func text(_ type: String) -> Content { Content(type: type, schema: .text()) }
    }

    package let status: HTTPStatus
    package let meaning: String
    package var contents: [Content] = []
    package var headers: [Header] = []

    /// Memberwise initializer.
    package init(status: HTTPStatus, meaning: String, contents: [Content] = [], headers: [Header] = []) {
        self.status = status
        self.meaning = meaning
        self.contents = contents
        self.headers = headers
    }

    package func encode(to encoder: any Encoder) throws {
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
