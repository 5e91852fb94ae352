/// How type descriptions are written in one output format.
package struct ReferenceStyle: Sendable {
    /// Writes literal text.
    package let text: @Sendable (String) -> String
    /// Writes a value or pattern, in the font of code.
    package let code: @Sendable (String) -> String
    /// Writes a link to a schema.
    package let link: @Sendable (_ schema: String) -> String
}

extension JSONSchema {
    /// A property of an object, or of an object inside it.
    package struct Row: Sendable {
        /// Names from the outside in, with dots between them and `[]` after arrays.
        package let name: String
        package let schema: JSONSchema
        package let isRequired: Bool
    }

    /// All properties, those of unnamed inner objects included; empty for other schemas.
    package var rows: [Row] { rows(below: "") }

    private func rows(below prefix: String) -> [Row] {
        switch kind {
        case .object(let properties):
            properties.flatMap { property in
                let name = prefix.isEmpty ? property.name : "\(prefix).\(property.name)"
                return [Row(name: name, schema: property.schema, isRequired: property.isRequired)]
                    + property.schema.rows(below: name)
            }
        case .array(let element, _, _): element.rows(below: prefix + "[]")
        default: []
        }
    }

    /// The type in words, such as "array of Track" or "integer, 1 to 500".
    package func typeText(_ style: ReferenceStyle) -> String {
        kindText(style) + (allowsNull ? style.text(" or null") : "")
    }

    private func kindText(_ style: ReferenceStyle) -> String {
        switch kind {
        case .object, .anything: return style.text("object")
        case .map(let value): return style.text("object of ") + value.typeText(style)
        case .array(let element, let minimum, let maximum):
            return style.text("array of ") + element.typeText(style)
                + style.text(Self.countText(minimum, maximum))
        case .string(.oneOf(let values)): return values.map(style.code).joined(separator: style.text(", "))
        case .string: return style.text("string")
        case .integer(let minimum, let maximum):
            let upper = maximum.flatMap { $0 >= Int(Int32.max) ? nil : $0 }
            return style.text("integer" + Self.rangeText(minimum.map(String.init), upper.map(String.init)))
        case .number(let limits):
            let range = Self.rangeText(limits.minimum.map(Self.shortText), limits.maximum.map(Self.shortText))
            return style.text(
                "number" + (limits.isOpenBelow ? range.replacing("from", with: "above") : range))
        case .boolean: return style.text("boolean")
        case .bytes: return style.text("bytes")
        case .reference(let name): return style.link(name)
        }
    }

    /// Pattern, default and example, each as a sentence.
    package func notes(_ style: ReferenceStyle) -> [String] {
        var all: [String] = []
        if case .string(.pattern(let pattern, let maximumLength)) = kind {
            all.append(style.text("Pattern: ") + style.code(pattern) + style.text("."))
            if let maximumLength { all.append(style.text("At most \(maximumLength) characters.")) }
        }
        if let standard {
            all.append(style.text("Default: ") + style.code(standard.shortText) + style.text("."))
        }
        if let example = examples.first {
            all.append(style.text("Example: ") + style.code(example.shortText) + style.text("."))
        }
        return all
    }

    private static func rangeText(_ minimum: String?, _ maximum: String?) -> String {
        switch (minimum, maximum) {
        case (let minimum?, let maximum?): ", from \(minimum) to \(maximum)"
        case (let minimum?, nil): ", from \(minimum)"
        case (nil, let maximum?): ", up to \(maximum)"
        case (nil, nil): ""
        }
    }

    private static func countText(_ minimum: Int?, _ maximum: Int?) -> String {
        switch (minimum, maximum) {
        case (let minimum?, let maximum?) where minimum == maximum: ", \(minimum) items"
        case (let minimum?, let maximum?): ", \(minimum) to \(maximum) items"
        case (let minimum?, nil): ", at least \(minimum)"
        case (nil, let maximum?): ", at most \(maximum)"
        case (nil, nil): ""
        }
    }

    /// A number without a fraction that is zero.
    package static func shortText(_ number: Double) -> String {
        Int(exactly: number).map(String.init) ?? "\(number)"
    }
}

extension JSONExample {
    /// The value as text.
    package var shortText: String {
        switch self {
        case .text(let text): text
        case .number(let number): JSONSchema.shortText(number)
        }
    }
}
