/// A track as reported to the outside: a line of `analyze-cli --json`, a row of a table, the API's answers.
///
/// Values that a track does not have, such as the tempo of spoken word, are omitted.
package struct TrackReport: Encodable, Sendable {
    private var values: [String: TrackValue] = [:]

    /// Creates the report of a track of the library.
    /// - Parameter hasDetails: whether it has the long lists too, such as the times of all beats.
    package init(_ track: AnalysedTrack, hasDetails: Bool = false) {
        for field in TrackField.all
        where field.place == .reports || hasDetails && field.place == .details {
            values[field.key] = field.value(track)
        }
    }

    /// Creates a report with some values.
    /// - Parameter values: by the keys of ``TrackField``.
    package init(_ values: [String: TrackValue]) { self.values = values }

    /// The value of a field; nil if the track has none.
    package subscript(_ key: String) -> TrackValue? { values[key] }

    /// The text of a field; nil if the track has none.
    package func text(_ key: String) -> String? {
        guard case .text(let text)? = values[key] else { return nil }
        return text
    }

    /// The number of a field; nil if the track has none.
    package func number(_ key: String) -> Double? {
        switch values[key] {
        case .number(let number): number
        case .integer(let number): Double(number)
        default: nil
        }
    }

    /// Encodes the values as an object.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        for field in TrackField.all {
            let key = Key(stringValue: field.key)
            switch values[field.key] {
            case .text(let value): try container.encode(value, forKey: key)
            case .integer(let value): try container.encode(value, forKey: key)
            case .number(let value): try container.encode(value, forKey: key)
            case .flag(let value): try container.encode(value, forKey: key)
            case .texts(let value): try container.encode(value, forKey: key)
            case .numbers(let value): try container.encode(value, forKey: key)
            case nil: break
            }
        }
    }

    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}
