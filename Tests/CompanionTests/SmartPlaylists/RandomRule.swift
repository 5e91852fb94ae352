import LibraryStore
import MusicShared
import TestSupport

/// Makes up rules over the fields of ``KnownTrack``.
enum RandomRule {
    private static let names = [
        "title", "album", "genre", "year", "compilation", "bpm", "key", "loudness", "duration", "filePath",
        "loved",
        "rating", "playCount", "lastPlayed",
    ]

    static func group(depth: Int, _ random: inout SeededGenerator) -> SmartRule {
        var rules: [SmartRule] = []
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            if depth > 1, Int.random(in: 0..<4, using: &random) == 0 {
                rules.append(group(depth: depth - 1, &random))
            } else if let field = names.randomElement(using: &random).flatMap(SmartField.named),
                let comparison = field.operators.randomElement(using: &random)
            {
                rules.append(condition(field, comparison, &random))
            }
        }
        return Bool.random(using: &random) ? .all(rules) : .any(rules)
    }

    static func condition(
        _ field: SmartField, _ comparison: SmartRule.Operator, _ random: inout SeededGenerator
    ) -> SmartRule {
        let value: SmartRule.Value =
            switch (comparison, field.kind) {
            case (.isMissing, _), (.isPresent, _): .flag(Bool.random(using: &random))
            case (.inTheLast, _), (.notInTheLast, _): .number(Double(Int.random(in: 0...30, using: &random)))
            case (.inTheRange, .number):
                .list([number(field.name, &random), number(field.name, &random)])
            case (.inTheRange, _): .list([day(&random), day(&random)])
            case (_, .text): text(field, comparison, &random)
            case (_, .number): number(field.name, &random)
            case (_, .flag): .flag(Bool.random(using: &random))
            case (_, .date): day(&random)
            }
        return .condition(comparison, field: field.name, value: value)
    }

    private static func text(
        _ field: SmartField, _ comparison: SmartRule.Operator, _ random: inout SeededGenerator
    ) -> SmartRule.Value {
        if let choice = field.choices?.randomElement(using: &random) { return .text(choice) }
        let word =
            (KnownTrack.words + ["ROCK", "jazz", "folder 1/7.MP3"]).randomElement(using: &random) ?? ""
        let scalars = Array(word.unicodeScalars)
        guard comparison != .is, comparison != .isNot else { return .text(word) }
        var part = String.UnicodeScalarView()
        let start = Int.random(in: 0..<scalars.count, using: &random)
        part.append(contentsOf: scalars[start..<Int.random(in: start + 1...scalars.count, using: &random)])
        return .text(String(part))
    }

    private static func number(_ name: String, _ random: inout SeededGenerator) -> SmartRule.Value {
        let range: ClosedRange<Int> =
            switch name {
            case "year": 1988...1998
            case "bpm": 55...125
            case "loudness": -21 ... -4
            case "duration": 50...410
            default: 0...6
            }
        return .number(Double(Int.random(in: range, using: &random)))
    }

    /// Days of the weeks before ``KnownTrack/now``, 15 June 2025.
    private static func day(_ random: inout SeededGenerator) -> SmartRule.Value {
        let day = Int.random(in: 1...30, using: &random)
        return .text("2025-\(Bool.random(using: &random) ? "05" : "06")-\(day < 10 ? "0" : "")\(day)")
    }
}
