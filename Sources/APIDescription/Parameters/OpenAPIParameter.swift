/// A parameter of an operation.
package struct OpenAPIParameter: Sendable, Encodable {
    /// Location of a parameter in a request.
    package enum Place: String, Sendable, Encodable {
        case path, query, header
    }

    package let name: String
    package let place: Place
    package let meaning: String
    package let schema: JSONSchema
    package var isRequired = false

    /// Memberwise initializer.
    package init(name: String, place: Place, meaning: String, schema: JSONSchema, isRequired: Bool = false) {
        self.name = name
        self.place = place
        self.meaning = meaning
        self.schema = schema
        self.isRequired = isRequired
    }

    /// A path parameter.
    package static func path(_ name: String, _ meaning: String, _ schema: JSONSchema) -> OpenAPIParameter {
        OpenAPIParameter(name: name, place: .path, meaning: meaning, schema: schema, isRequired: true)
    }

    /// A query parameter, optional by default.
    package static func query(
        _ name: String, _ meaning: String, _ schema: JSONSchema, isRequired: Bool = false
    ) -> OpenAPIParameter {
        OpenAPIParameter(
            name: name, place: .query, meaning: meaning, schema: schema, isRequired: isRequired)
    }

    /// Header fields for conditional requests (RFC 9110, section 13).
    package static let conditional = [
        OpenAPIParameter(
            name: "If-None-Match", place: .header,
            meaning: "ETags of cached copies: 304 if one of them is current.",
            schema: .text(example: "\"5f0c2d-frames-byte\"")),
        OpenAPIParameter(
            name: "If-Match", place: .header,
            meaning: "ETags of required states: 412 if none of them is current.",
            schema: .text(example: "*")),
    ]

    /// `If-Match` for a change.
    package static func ifMatch(isRequired: Bool) -> OpenAPIParameter {
        OpenAPIParameter(
            name: "If-Match", place: .header,
            meaning:
                "ETags of the states that the change applies to, `*` for any: 412 if none of them is current.",
            schema: .text(example: "*"), isRequired: isRequired)
    }

    /// Header fields for range requests (RFC 9110, section 14).
    package static let ranges = [
        OpenAPIParameter(
            name: "Range", place: .header,
            meaning: "The requested byte range. With several ranges, the whole content is sent.",
            schema: .text(example: "bytes=0-1023")),
        OpenAPIParameter(
            name: "If-Range", place: .header,
            meaning:
                "ETag of the copy that the range belongs to; if it is not current, the whole content is sent.",
            schema: .text()),
    ]

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: OpenAPIKey.self)
        try container.encode(name, forKey: "name")
        try container.encode(place, forKey: "in")
        try container.encode(meaning, forKey: "description")
        try container.encode(isRequired, forKey: "required")
        try container.encode(schema, forKey: "schema")
    }
}
