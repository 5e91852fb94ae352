internal import MusicShared

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

    /// The track ID in a path.
    package static let trackID = path("id", "Track ID.", .identifier(example: 1))

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

    /// The page of a list to return.
    package static func page(standard: Int = CatalogueLimits.defaultPage) -> [OpenAPIParameter] {
        [
            query(
                "limit", "Maximum number of items.",
                JSONSchema(
                    kind: .integer(minimum: 1, maximum: CatalogueLimits.largestPage),
                    standard: .number(Double(standard)))),
            query(
                "offset", "Number of items to skip.", .integer(maximum: Int(Int32.max))),
        ]
    }

    /// The sort order of a list.
    package static func sort<Sort: RawRepresentable<String> & CaseIterable>(
        _ type: Sort.Type, _ meaning: String
    ) -> OpenAPIParameter {
        let names = Sort.allCases.map(\.rawValue)
        return query(
            "sort", "\(meaning) A leading minus sign reverses it.", .oneOf(names + names.map { "-\($0)" }))
    }

    /// The search text.
    package static let search = query(
        "q",
        "Search text: each of its words must be the beginning of a word in the item; accents, case and order are ignored. If "
            + "fewer than ten items match, words of five letters or more may have one typo. White space alone is ignored.",
        .text(example: "night"))

    /// A filter by ID.
    package static func only(_ name: String, _ meaning: String) -> OpenAPIParameter {
        query(name, meaning, .integer(minimum: 1, maximum: Int(Int32.max)))
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
