internal import Foundation
public import MusicShared

/// Track reports as comma-separated values (RFC 4180), one row a track, columns named as the keys of the JSON form.
public enum CSVTable {
    /// The first row.
    public static let header =
        TrackReport.CodingKeys.allCases.map(\.rawValue).joined(separator: ",") + "\r\n"

    /// The row of a track.
    /// - Throws: an encoding error for numbers that are no numbers.
    public static func row(_ report: TrackReport) throws -> String {
        let data = try JSONEncoder().encode(report)
        let object = try JSONSerialization.jsonObject(with: data) as? [String: Any] ?? [:]
        let cells = TrackReport.CodingKeys.allCases.map { key in
            switch object[key.rawValue] {
            case let text as String: cell(text)
            case let list as [String]: cell(list.joined(separator: "; "))
            case let flag as Bool where key == .isSilent: "\(flag)"
            case let number as NSNumber: number.stringValue
            default: ""
            }
        }
        return cells.joined(separator: ",") + "\r\n"
    }

    /// A text as a cell, in quotes where it needs them.
    static func cell(_ text: String) -> String {
        // Scalars, not characters: a line feed after a carriage return, or a quote under an accent, is another character.
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
