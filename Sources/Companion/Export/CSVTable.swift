package import LibraryStore

/// Track reports as comma-separated values (RFC 4180): one row per track, columns named like the JSON keys.
package enum CSVTable {
    /// The header row.
    package static let header = TrackField.reported.map(\.key).joined(separator: ",") + "\r\n"

    /// Returns the row of a track.
    package static func row(_ report: TrackReport) -> String {
        TrackField.reported.map { cell(report[$0.key]) }.joined(separator: ",") + "\r\n"
    }

    private static func cell(_ value: TrackValue?) -> String {
        switch value {
        case .text(let text): cell(text)
        case .texts(let list): cell(list.joined(separator: "; "))
        case .flag(let flag): "\(flag)"
        case .integer(let number): "\(number)"
        case .number(let number): cell(number)
        case .numbers(let numbers): cell(numbers.map(cell).joined(separator: "; "))
        case nil: ""
        }
    }

    /// A number as in JSON: a whole one without a decimal point.
    private static func cell(_ number: Double) -> String {
        number == number.rounded() && abs(number) < 1e15 ? "\(Int(number))" : "\(number)"
    }

    /// Returns a text as a cell, quoted if necessary.
    static func cell(_ text: String) -> String {
        // Scalars, not characters: CR LF, or a quote with an accent, is a single character.
        let scalars = text.unicodeScalars
        guard scalars.contains(where: { [",", "\"", "\r", "\n"].contains($0) }) else { return text }
        var quoted = String.UnicodeScalarView("\"".unicodeScalars)
        for scalar in scalars {
            if scalar == "\"" { quoted.append(scalar) }
            quoted.append(scalar)
        }
        quoted.append("\"")
        return String(quoted)
    }
}
