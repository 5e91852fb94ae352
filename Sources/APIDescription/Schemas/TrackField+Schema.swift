package import LibraryStore

extension TrackField {
    /// The schema of a track's full report, including its beats.
    package static let reportSchema = JSONSchema.object(
        object(of: all.filter { $0.place != .storage }), "Tags and measurements of a track.")

    /// Returns the schema of an object with the fields of the given keys, in the report's order.
    package static func object(of keys: String...) -> JSONSchema {
        object(of: all.filter { keys.contains($0.key) })
    }

    /// Returns the schema of an object with those fields that are keys of a type.
    /// - Parameter always: the keys that every object of the type has, beside those that every track has.
    package static func object<Key: CodingKey & CaseIterable>(
        of type: Key.Type, always: [Key] = []
    ) -> JSONSchema {
        let keys = Set(type.allCases.map(\.stringValue))
        return object(of: all.filter { keys.contains($0.key) }, always: Set(always.map(\.stringValue)))
    }

    private static func object(of fields: [TrackField], always: Set<String> = []) -> JSONSchema {
        JSONSchema(
            kind: .object(
                fields.map {
                    JSONSchema.Property(
                        name: $0.key, schema: $0.schema, isRequired: $0.isAlways || always.contains($0.key))
                }))
    }

    fileprivate var schema: JSONSchema {
        switch kind {
        case .text(let example): return .text(meaning, example: example)
        case .pattern(let pattern, let example): return .text(matching: pattern, meaning, example: example)
        case .choice(let words): return .oneOf(words, meaning)
        case .integer(let range):
            return .integer(
                meaning, minimum: range.lowerBound == .min ? nil : range.lowerBound,
                maximum: range.upperBound == .max ? nil : range.upperBound)
        case .flag: return .flag(meaning)
        case .texts(let canBeEmpty):
            return .array(of: .text(), meaning, minimumCount: canBeEmpty ? nil : 1)
        case .numbers: return .array(of: .number(), meaning)
        case .number(_, let range, let example):
            let isPositive = range.lowerBound == .leastNonzeroMagnitude
            return .number(
                meaning, minimum: isPositive ? 0 : Self.finite(range.lowerBound),
                maximum: Self.finite(range.upperBound), isOpenBelow: isPositive, example: example)
        }
    }

    private static func finite(_ bound: Double) -> Double? { bound.isFinite ? bound : nil }
}

extension JSONSchema {
    package static let audioHash = TrackField.audioHash.schema
    package static let camelotKey = TrackField.camelotKey.schema
}
