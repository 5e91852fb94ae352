internal import Foundation

/// What holds and from where, as `config` shows it. Secrets are not in it.
public struct SettingsReport: Sendable {
    /// A setting.
    public struct Row: Sendable, Codable, Equatable {
        /// Its name: the key in the file.
        public let name: String
        /// Its value as text; `(set)` for a secret; nil for none.
        public let value: String?
        /// What holds where nobody says otherwise, for a person; nil for nothing.
        public let standard: String?
        /// `command_line`, `environment`, `file` or `standard`.
        public let source: String
        /// The flag, variable or line that says so.
        public let place: String?
        /// Its flag.
        public let flag: String
        /// Its variables of the environment.
        public let variables: [String]
        /// What it is.
        public let help: String
    }

    private struct Document: Codable {
        let file: String?
        let settings: [Row]
    }

    /// The settings of the program, in the table's order.
    public let rows: [Row]
    private let file: String?

    /// Takes what holds.
    public init(_ settings: SettingsInForce) {
        file = settings.file
        rows = SettingsTable.rows(of: settings.program).map { row in
            let value = settings.value(row)
            return Row(
                name: row.name,
                value: value.map { row.isSecret ? "(set)" : $0.text } ?? row.standardValue,
                standard: row.shownStandard,
                source: (value?.origin ?? .standard).kind, place: value?.origin.description,
                flag: "--\(row.name)", variables: row.variables.map(\.name), help: row.help)
        }
    }

    /// A table for a person.
    public var text: String {
        let cells = rows.map { row in
            (row.name, row.value ?? row.standard.map { "(\($0))" } ?? "-", row.place ?? row.source)
        }
        func width(_ column: (((String, String, String)) -> String)) -> Int {
            cells.map { column($0).count }.max() ?? 0
        }
        let (first, second) = (width(\.0), min(40, width(\.1)))
        let lines = cells.map { name, value, place in
            Self.padded(name, first) + "  " + Self.padded(value, second) + "  " + place
        }
        return ([file.map { "file: \($0)" } ?? "no file of settings"] + lines).joined(separator: "\n")
    }

    /// The same for a program.
    public func json() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
        return String(decoding: try encoder.encode(Document(file: file, settings: rows)), as: UTF8.self)
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }
}
