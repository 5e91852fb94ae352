/// A rule of a smart playlist: a condition, or a group of rules.
///
/// In JSON it is written as in Navidrome's `.nsp` files: `{"is": {"loved": true}}`, `{"any": […]}`.
public indirect enum SmartRule: Sendable, Equatable {
    /// Matches if all rules do.
    case all([SmartRule])
    /// Matches if at least one rule does.
    case any([SmartRule])
    /// Compares a field of the track with a value.
    case condition(Operator, field: String, value: Value)

    /// How a condition compares.
    ///
    /// Each negative operator matches exactly the tracks that its positive one does not, also those without a value.
    public enum Operator: String, Sendable, CaseIterable {
        /// Equal. The case of Latin letters is ignored; for dates: on this day.
        case `is`
        /// Not equal.
        case isNot
        /// Greater than.
        case gt
        /// Less than.
        case lt
        /// The text has the value as a part.
        case contains
        /// The text does not have the value as a part.
        case notContains
        /// The text starts with the value.
        case startsWith
        /// The text ends with the value.
        case endsWith
        /// Between two values, both included.
        case inTheRange
        /// Before a day, not including it. The same as ``lt`` for numbers.
        case before
        /// On a day or after it. The same as ``gt`` for numbers.
        case after
        /// Within a number of days until today.
        case inTheLast
        /// Not within a number of days until today.
        case notInTheLast
        /// In another playlist; the field is `id`.
        case inPlaylist
        /// Not in another playlist; the field is `id`.
        case notInPlaylist
        /// The track has no value, if the condition's value is true; else it has one.
        case isMissing
        /// The track has a value, if the condition's value is true; else it has none.
        case isPresent
    }

    /// The value of a condition.
    public enum Value: Sendable, Equatable {
        /// A text, or a day as `2024-05-31`.
        case text(String)
        /// A number.
        case number(Double)
        /// True or false.
        case flag(Bool)
        /// The bounds of a range.
        case list([Value])
    }
}

extension SmartRule.Value: Codable {
    /// Decodes a text, a number, true or false, or a list of these.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        // A number must not be read as true or false, so this is first.
        if let flag = try? container.decode(Bool.self) {
            self = .flag(flag)
        } else if let number = try? container.decode(Double.self) {
            self = .number(number)
        } else if let text = try? container.decode(String.self) {
            self = .text(text)
        } else {
            self = .list(try container.decode([Self].self))
        }
    }

    /// Encodes the value; a whole number without decimals.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .text(let text): try container.encode(text)
        case .flag(let flag): try container.encode(flag)
        case .list(let values): try container.encode(values)
        case .number(let number):
            if let whole = Int(exactly: number) {
                try container.encode(whole)
            } else {
                try container.encode(number)
            }
        }
    }
}
