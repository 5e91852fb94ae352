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
        package static func json(_ name: String) -> Content { json(.named(name)) }
        package static func bytes(_ type: String) -> Content { Content(type: type, schema: nil) }
        package static func text(_ type: String) -> Content { Content(type: type, schema: .text()) }
    }

    package let status: HTTPStatus
    package let meaning: String
    package var contents: [Content] = []
    package var headers: [Header] = []
    /// Whether the response has an ETag, which conditional requests can use.
    package var hasEntityTag = false
    /// Whether the response supports range requests.
    package var allowsRanges = false

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

extension OpenAPIResponse {
    /// A JSON response with a schema of the document, by name.
    package static func json(_ name: String, _ meaning: String) -> OpenAPIResponse {
        json(.named(name), meaning)
    }

    /// A JSON response.
    package static func json(_ schema: JSONSchema, _ meaning: String) -> OpenAPIResponse {
        content(.json(schema), meaning)
    }

    /// A response with content of one or several media types.
    package static func content(_ contents: Content..., meaning: String) -> OpenAPIResponse {
        OpenAPIResponse(status: .ok, meaning: meaning, contents: contents)
    }

    /// A response with content of a media type.
    package static func content(_ content: Content, _ meaning: String) -> OpenAPIResponse {
        OpenAPIResponse(status: .ok, meaning: meaning, contents: [content])
    }

    /// 204: done, without content.
    package static func done(_ meaning: String) -> OpenAPIResponse {
        OpenAPIResponse(status: .noContent, meaning: meaning)
    }

    /// 201 with the path of the created object.
    package var created: OpenAPIResponse { with(.created, .location) }

    /// 202: the work goes on after the response.
    package var accepted: OpenAPIResponse { with(.accepted) }

    /// The response with an ETag.
    package var tagged: OpenAPIResponse {
        var response = self
        response.hasEntityTag = true
        return response
    }

    /// The response with support for range requests.
    package var ranged: OpenAPIResponse {
        var response = self
        response.allowsRanges = true
        return response
    }

    /// Returns the response with another status and additional header fields.
    package func with(_ status: HTTPStatus? = nil, _ headers: Header...) -> OpenAPIResponse {
        var response = OpenAPIResponse(
            status: status ?? self.status, meaning: meaning, contents: contents,
            headers: self.headers + headers)
        response.hasEntityTag = hasEntityTag
        response.allowsRanges = allowsRanges
        return response
    }

    /// Returns one response per status, which lists all error codes with that status.
    package static func errors(_ errors: [APIError]) -> [OpenAPIResponse] {
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
                contents: [.json("Error")], headers: headers)
        }
    }
}
