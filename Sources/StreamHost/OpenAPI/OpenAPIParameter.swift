/// A parameter of an operation.
struct OpenAPIParameter: Sendable, Encodable {
    /// Where it stands in a request.
    enum Place: String, Sendable, Encodable {
        case path, query, header
    }

    let name: String
    let place: Place
    let meaning: String
    let schema: JSONSchema
    var isRequired = false

    /// A part of the path.
    static func path(_ name: String, _ meaning: String, _ schema: JSONSchema) -> OpenAPIParameter {
        OpenAPIParameter(name: name, place: .path, meaning: meaning, schema: schema, isRequired: true)
    }

    /// A query parameter that may be left out, unless it is told to be required.
    static func query(
        _ name: String, _ meaning: String, _ schema: JSONSchema, isRequired: Bool = false
    ) -> OpenAPIParameter {
        OpenAPIParameter(
            name: name, place: .query, meaning: meaning, schema: schema, isRequired: isRequired)
    }

    /// The track that a path is about.
    static let trackID = path("id", "Number of the track.", .identifier(example: 1))

    /// Fields by which a client that has a copy asks whether it is current (RFC 9110, section 13).
    static let conditional = [
        OpenAPIParameter(
            name: "If-None-Match", place: .header,
            meaning: "Tags of the copies at hand: 304 where one of them is current.",
            schema: .text(example: "\"5f0c2d-frames-byte\"")),
        OpenAPIParameter(
            name: "If-Match", place: .header,
            meaning: "Tags of states that are wanted: 412 where none of them is current.",
            schema: .text(example: "*")),
    ]

    /// Fields that ask for a part (RFC 9110, section 14).
    static let ranges = [
        OpenAPIParameter(
            name: "Range", place: .header,
            meaning: "The part that is wanted, in bytes: one range, else the whole is sent.",
            schema: .text(example: "bytes=0-1023")),
        OpenAPIParameter(
            name: "If-Range", place: .header,
            meaning: "The tag of the copy that the part is for: the whole is sent where it is another.",
            schema: .text()),
    ]

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: OpenAPIKey.self)
        try container.encode(name, forKey: "name")
        try container.encode(place, forKey: "in")
        try container.encode(meaning, forKey: "description")
        try container.encode(isRequired, forKey: "required")
        try container.encode(schema, forKey: "schema")
    }
}
