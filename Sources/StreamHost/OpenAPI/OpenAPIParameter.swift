internal import MusicShared

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

    /// The state that a change is meant for.
    static func ifMatch(isRequired: Bool) -> OpenAPIParameter {
        OpenAPIParameter(
            name: "If-Match", place: .header,
            meaning:
                "Tags of the states that the change is meant for, `*` for any: 412 where none of them is current.",
            schema: .text(example: "*"), isRequired: isRequired)
    }

    /// Which page of a list is wanted.
    static func page(standard: Int = CatalogueLimits.standardPage) -> [OpenAPIParameter] {
        [
            query(
                "limit", "The most items.",
                JSONSchema(
                    kind: .integer(minimum: 1, maximum: CatalogueLimits.largestPage),
                    standard: .number(Double(standard)))),
            query(
                "offset", "How many items to leave out at the beginning.", .integer(maximum: Int(Int32.max))),
        ]
    }

    /// The order of a list.
    static func sort<Sort: RawRepresentable<String> & CaseIterable>(
        _ type: Sort.Type, _ meaning: String
    ) -> OpenAPIParameter {
        let names = Sort.allCases.map(\.rawValue)
        return query(
            "sort", "\(meaning) With a minus sign for the reverse.", .oneOf(names + names.map { "-\($0)" }))
    }

    /// The words of a search.
    static let search = query(
        "q", "Words to search for: each must begin a word of the item. White space alone is none.",
        .text(example: "night"))

    /// Something that a list is narrowed to.
    static func only(_ name: String, _ meaning: String) -> OpenAPIParameter {
        query(name, meaning, .integer(minimum: 1, maximum: Int(Int32.max)))
    }

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
