internal import Foundation

/// The effective settings and their sources, as shown by `config`. Secrets are not included.
package struct SettingsReport: Sendable {
    /// One setting.
    package struct Row: Sendable, Codable, Equatable {
        /// Name of the setting, as in the file.
        package let name: String
        /// The value as text; `(set)` for a secret; nil if there is no value.
        package let value: String?
        /// The default as shown in the help; nil if there is no default.
        package let defaultValue: String?
        /// `command_line`, `environment`, `file`, or `standard` for the default.
        package let source: String
        /// The flag, environment variable or line that sets the value.
        package let place: String?
        /// The flag.
        package let flag: String
        /// The environment variables.
        package let variables: [String]
        /// The description.
        package let help: String

        private enum CodingKeys: String, CodingKey {
            case name, value
            case defaultValue = "standard"
            case source, place, flag, variables, help
        }
    }

    private struct Document: Codable {
        let file: String?
        let settings: [Row]
    }

    /// The settings of the program, in the table's order.
    package let rows: [Row]
    private let file: String?

    /// Creates a report of the effective settings.
    package init(_ settings: EffectiveSettings) {
        file = settings.file
        rows = SettingsTable.rows(of: settings.program).map { row in
            let value = settings.value(row)
            return Row(
                name: row.name,
                value: value.map { row.isSecret ? "(set)" : $0.text } ?? row.defaultValueText,
                defaultValue: row.shownDefault,
                source: (value?.origin ?? .defaultValue).kind, place: value?.origin.description,
                flag: "--\(row.name)", variables: row.variables.map(\.name), help: row.help)
        }
    }

    /// A table for users.
    package var text: String {
        let cells = rows.map { row in
            (
                row.name, row.value ?? row.defaultValue.map { "(\($0))" } ?? "-",
                row.place ?? "\(SettingOrigin.defaultValue)"
            )
        }
        func width(_ column: (((String, String, String)) -> String)) -> Int {
            cells.map { column($0).count }.max() ?? 0
        }
        let (first, second) = (width(\.0), min(40, width(\.1)))
        let lines = cells.map { name, value, place in
            Self.padded(name, first) + "  " + Self.padded(value, second) + "  " + place
        }
        return ([file.map { "file: \($0)" } ?? "no settings file"] + lines).joined(separator: "\n")
    }

    /// Returns the report as JSON.
    package func json() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
        return String(decoding: try encoder.encode(Document(file: file, settings: rows)), as: UTF8.self)
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }
}
