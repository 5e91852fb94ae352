/// A schema of JSON values (JSON Schema 2020-12), limited to what the API needs.
package struct JSONSchema: Sendable, Encodable {
    /// The allowed type of value.
    package indirect enum Kind: Sendable {
        /// An object with these properties and no others.
        case object([Property])
        /// An object with arbitrary property names.
        case map(JSONSchema)
        case array(JSONSchema, minimumCount: Int?, maximumCount: Int?)
        case string(Text)
        case integer(minimum: Int?, maximum: Int?)
        case number(Limits)
        case boolean
        /// Binary data.
        case bytes
        /// Any object.
        case anything
        /// A schema defined in the document, by name.
        case reference(String)
    }

    /// Constraints of a string.
    package enum Text: Sendable {
        case any
        case oneOf([String])
        /// Strings that match a regular expression (ECMA-262), optionally with a maximum length.
        case pattern(String, maximumLength: Int? = nil)
    }

    /// The range of a number.
    package struct Limits: Sendable {
        package var minimum: Double?
        package var maximum: Double?
        /// Whether the minimum itself is excluded.
        package var isOpenBelow = false

        /// Memberwise initializer.
        package init(minimum: Double? = nil, maximum: Double? = nil, isOpenBelow: Bool = false) {
            self.minimum = minimum
            self.maximum = maximum
            self.isOpenBelow = isOpenBelow
        }
    }

    /// A property of an object.
    package struct Property: Sendable {
        package let name: String
        package let schema: JSONSchema
        package var isRequired = true

        /// Memberwise initializer.
        package init(name: String, schema: JSONSchema, isRequired: Bool = true) {
            self.name = name
            self.schema = schema
            self.isRequired = isRequired
        }
    }

    package let kind: Kind
    /// Description, including the unit.
    package var meaning: String?
    /// Default value.
    package var standard: JSONExample?
    /// Example values.
    package var examples: [JSONExample] = []
    /// Whether null is also allowed.
    package var allowsNull = false
    /// Whether an object with this schema as a property may omit it.
    package var isOptional = false

    /// Memberwise initializer.
    package init(
        kind: Kind, meaning: String? = nil, standard: JSONExample? = nil, examples: [JSONExample] = [],
        allowsNull: Bool = false
    ) {
        self.kind = kind
        self.meaning = meaning
        self.standard = standard
        self.examples = examples
        self.allowsNull = allowsNull
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: OpenAPIKey.self)
        try container.encodeIfPresent(meaning, forKey: "description")
        try container.encodeIfPresent(standard, forKey: "default")
        if !examples.isEmpty { try container.encode(examples, forKey: "examples") }
        switch kind {
        case .object(let properties):
            try encodeType("object", &container)
            try container.encode(
                Dictionary(uniqueKeysWithValues: properties.map { ($0.name, $0.schema) }),
                forKey: "properties")
            let required = properties.filter(\.isRequired).map(\.name)
            if !required.isEmpty { try container.encode(required, forKey: "required") }
            try container.encode(false, forKey: "additionalProperties")
        case .map(let value):
            try encodeType("object", &container)
            try container.encode(value, forKey: "additionalProperties")
        case .array(let element, let minimumCount, let maximumCount):
            try encodeType("array", &container)
            try container.encode(element, forKey: "items")
            try container.encodeIfPresent(minimumCount, forKey: "minItems")
            try container.encodeIfPresent(maximumCount, forKey: "maxItems")
        case .string(let text):
            try encodeType("string", &container)
            switch text {
            case .any: break
            case .oneOf(let values): try container.encode(values, forKey: "enum")
            case .pattern(let pattern, let maximumLength):
                try container.encode(pattern, forKey: "pattern")
                try container.encodeIfPresent(maximumLength, forKey: "maxLength")
            }
        case .integer(let minimum, let maximum):
            try encodeType("integer", &container)
            try container.encodeIfPresent(minimum, forKey: "minimum")
            try container.encodeIfPresent(maximum, forKey: "maximum")
        case .number(let limits):
            try encodeType("number", &container)
            try container.encodeIfPresent(
                limits.minimum, forKey: limits.isOpenBelow ? "exclusiveMinimum" : "minimum")
            try container.encodeIfPresent(limits.maximum, forKey: "maximum")
        case .anything: try encodeType("object", &container)
        case .boolean: try encodeType("boolean", &container)
        case .bytes:
            try encodeType("string", &container)
            try container.encode("binary", forKey: "format")
            try container.encode("application/octet-stream", forKey: "contentMediaType")
        case .reference(let name):
            let reference = "#/components/schemas/\(name)"
            guard allowsNull else { return try container.encode(reference, forKey: "$ref") }
            var choices = container.nestedUnkeyedContainer(forKey: "anyOf")
            try choices.encode(["$ref": reference])
            try choices.encode(["type": "null"])
        }
    }

    private func encodeType(_ name: String, _ container: inout KeyedEncodingContainer<OpenAPIKey>) throws {
        if allowsNull {
            try container.encode([name, "null"], forKey: "type")
        } else {
            try container.encode(name, forKey: "type")
        }
    }
}

extension JSONSchema: ExpressibleByDictionaryLiteral {
    /// The schema of an object with these properties.
    package init(dictionaryLiteral properties: (String, JSONSchema)...) {
        self.init(
            kind: .object(
                properties.map { name, schema in
                    Property(name: name, schema: schema, isRequired: !schema.isOptional)
                }))
    }

    /// Returns the schema of an object that has the properties of both.
    package static func + (first: JSONSchema, second: JSONSchema) -> JSONSchema {
        JSONSchema(kind: .object(first.properties + second.properties))
    }

    /// The properties of an object; none for other schemas.
    package var properties: [Property] { if case .object(let properties) = kind { properties } else { [] } }
}

extension JSONSchema {
    /// Returns the schema of an object with a description.
    package static func object(_ object: JSONSchema, _ meaning: String) -> JSONSchema {
        var schema = object
        schema.meaning = meaning
        return schema
    }

    package static func map(of value: JSONSchema, _ meaning: String? = nil) -> JSONSchema {
        JSONSchema(kind: .map(value), meaning: meaning)
    }

    package static func array(
        of element: JSONSchema, _ meaning: String? = nil, minimumCount: Int? = nil, maximumCount: Int? = nil
    ) -> JSONSchema {
        JSONSchema(
            kind: .array(element, minimumCount: minimumCount, maximumCount: maximumCount), meaning: meaning)
    }

    package static func text(_ meaning: String? = nil, example: String? = nil) -> JSONSchema {
        JSONSchema(
            kind: .string(.any), meaning: meaning, examples: example.map { [.text($0)] } ?? [])
    }

    package static func text(
        matching pattern: String, _ meaning: String? = nil, maximumLength: Int? = nil, example: String? = nil
    ) -> JSONSchema {
        JSONSchema(
            kind: .string(.pattern(pattern, maximumLength: maximumLength)), meaning: meaning,
            examples: example.map { [.text($0)] } ?? [])
    }

    package static func oneOf(_ values: [String], _ meaning: String? = nil, standard: String? = nil)
        -> JSONSchema
    {
        JSONSchema(kind: .string(.oneOf(values)), meaning: meaning, standard: standard.map { .text($0) })
    }

    /// The names of a type's cases.
    package static func oneOf<Case: RawRepresentable<String> & CaseIterable>(
        _ type: Case.Type, _ meaning: String? = nil, standard: Case? = nil
    ) -> JSONSchema {
        oneOf(Case.allCases.map(\.rawValue), meaning, standard: standard?.rawValue)
    }

    package static func integer(
        _ meaning: String? = nil, minimum: Int? = 0, maximum: Int? = nil, example: Int? = nil
    ) -> JSONSchema {
        JSONSchema(
            kind: .integer(minimum: minimum, maximum: maximum), meaning: meaning,
            examples: example.map { [.number(Double($0))] } ?? [])
    }

    /// The schema of an ID in the library: an integer that every JSON reader represents exactly.
    package static func identifier(_ meaning: String? = nil, example: Int? = nil) -> JSONSchema {
        integer(
            meaning, minimum: identifiers.lowerBound, maximum: identifiers.upperBound, example: example)
    }

    /// The range of valid IDs.
    package static let identifiers = 1...(1 << 53 - 1)

    package static func number(
        _ meaning: String? = nil, minimum: Double? = nil, maximum: Double? = nil,
        isOpenBelow: Bool = false, standard: Double? = nil, example: Double? = nil
    ) -> JSONSchema {
        JSONSchema(
            kind: .number(Limits(minimum: minimum, maximum: maximum, isOpenBelow: isOpenBelow)),
            meaning: meaning, standard: standard.map { .number($0) },
            examples: example.map { [.number($0)] } ?? [])
    }

    /// A non-negative time or duration in seconds.
    package static func seconds(_ meaning: String, example: Double? = nil) -> JSONSchema {
        number("\(meaning), in seconds.", minimum: 0, example: example)
    }

    /// A fraction or confidence from 0 to 1.
    package static func share(_ meaning: String) -> JSONSchema {
        number("\(meaning), 0…1.", minimum: 0, maximum: 1)
    }

    package static func bytes(_ meaning: String) -> JSONSchema { JSONSchema(kind: .bytes, meaning: meaning) }

    /// A point in time, in seconds since 1970.
    package static func time(_ meaning: String) -> JSONSchema {
        number("\(meaning), in seconds since 1970.", example: 1_763_742_000)
    }

    package static func flag(_ meaning: String) -> JSONSchema { JSONSchema(kind: .boolean, meaning: meaning) }

    /// The schema as a property that an object may omit.
    package var optional: JSONSchema {
        var schema = self
        schema.isOptional = true
        return schema
    }

    /// A page of a list.
    package static func page(of item: JSONSchema) -> JSONSchema {
        .object(
            [
                "items": .array(of: item, "Up to `limit` items, starting at `offset`."),
                "total": .integer("Number of items in the whole list."),
                "limit": .integer("The requested maximum number of items.", minimum: 1),
                "offset": .integer("Number of items before this page."),
            ], "A page of a list.")
    }

    /// A file that could not be processed.
    package static let fileFailure: JSONSchema = [
        "relative_path": .text("Path relative to the music folder."),
        "code": .text("Stable error code.", example: "no_audio"),
        "message": .text("Human-readable reason."),
    ]

    /// The schema with null allowed.
    package var orNull: JSONSchema {
        var schema = self
        schema.allowsNull = true
        return schema
    }

    package static func named(_ name: String) -> JSONSchema { JSONSchema(kind: .reference(name)) }
}
