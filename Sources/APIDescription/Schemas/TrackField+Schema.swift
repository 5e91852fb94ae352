package import LibraryStore

extension TrackField {
    /// The schema of a track's full report, including its beats.
    package static let reportSchema = JSONSchema.object(
        all.filter { $0.place != .storage }.map(\.property), "Tags and measurements of a track.")

    /// Returns the report's properties with the given names, in the report's order, for schemas that share them.
    package static func properties(named names: [String]) -> [JSONSchema.Property] {
        all.filter { names.contains($0.key) }.map(\.property)
    }

    private var property: JSONSchema.Property {
        JSONSchema.Property(name: key, schema: schema, isRequired: isAlways)
    }

    private var schema: JSONSchema {
        switch kind {
        case .text(let example): return .text(meaning, example: example)
        case .pattern(let pattern, let example): return .text(matching: pattern, meaning, example: example)
        case .choice(let words): return .oneOf(words, meaning)
        case .integer(let range):
            return .integer(
                meaning, minimum: range.lowerBound == .min ? nil : range.lowerBound,
                maximum: range.upperBound == .max ? nil : range.upperBound)
        case .flag: return .flag(meaning)
        case .texts: return .array(of: .text(), meaning, minimumCount: 1)
        case .numbers: return .array(of: .number(), meaning)
        case .number(let unit, let range, let example):
            let isPositive = range.lowerBound == .leastNonzeroMagnitude
            return .number(
                meaning + Self.ending(unit, range), minimum: isPositive ? 0 : Self.finite(range.lowerBound),
                maximum: Self.finite(range.upperBound), isOpenBelow: isPositive, example: example)
        }
    }

    /// The end of a description whose meaning is not a sentence: the unit of times, the range of shares.
    private static func ending(_ unit: Unit, _ range: ClosedRange<Double>) -> String {
        switch unit {
        case .seconds, .exactSeconds: range.lowerBound == 0 ? ", in seconds." : ""
        case .share: ", 0…1."
        default: ""
        }
    }

    private static func finite(_ bound: Double) -> Double? { bound.isFinite ? bound : nil }
}

extension JSONSchema {
    package static let audioHash = text(
        matching: "^[0-9a-f]{32}$", "Hash of the audio; identical for copies that differ only in their tags.",
        example: "5f0c2d4be1a09c77d3e1f0a1b2c3d4e5")
    package static let camelotKey = text(
        matching: "^(1[0-2]|[1-9])[AB]$", "Key on the Camelot wheel.", example: "11A")
}
