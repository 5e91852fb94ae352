internal import Foundation
package import MusicShared

/// Track reports as comma-separated values (RFC 4180): one row per track, columns named like the JSON keys.
package enum CSVTable {
    /// The header row.
    package static let header =
        TrackReport.CodingKeys.allCases.map(\.rawValue).joined(separator: ",") + "\r\n"

    /// Returns the row of a track.
    /// - Throws: an encoding error if a number is NaN or infinite.
    package static func row(_ report: TrackReport) throws -> String {
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
