internal import Foundation

/// The effective settings of a program run, and the source of each: command line, environment, file or default, in this order
/// of precedence.
package struct EffectiveSettings: Sendable {
    struct Value: Sendable {
        let text: String
        let origin: SettingOrigin
    }

    /// The program.
    package let program: SettingProgram
    /// The settings file that was read, if any.
    package let file: String?
    /// Warnings for the user.
    package let warnings: [String]
    private let values: [String: Value]

    private static let table = SettingsTable()
    /// Name of the settings file in the data folder.
    static let fileName = "stream-host.conf"

    /// Collects the settings from all sources.
    /// - Parameters:
    ///   - commandLine: the values given on the command line by setting name, with the flag or operand that set them.
    ///   - environment: the environment variables. Empty ones are ignored.
    /// - Throws: all unknown settings and invalid values.
    package init(
        program: SettingProgram, commandLine: [String: (text: String, word: String)],
        environment: [String: String]
    ) throws(SettingsError) {
        var gathering = Gathering(home: environment["HOME"])
        for (name, given) in commandLine.sorted(by: { $0.key < $1.key }) {
            gathering.take(given.text, name, .commandLine(given.word), folder: nil)
        }
        gathering.take(environment)
        let file = try Self.file(gathering.values)
        if let file { gathering.take(file) }
        if !gathering.problems.isEmpty { throw SettingsError(problems: gathering.problems) }
        self.program = program
        self.file = file?.path
        warnings = gathering.warnings
        values = gathering.values
    }

    /// The effective value of a setting.
    package subscript<Value>(_ path: KeyPath<SettingsTable, Setting<Value>>) -> Value {
        let setting = Self.table[keyPath: path]
        // The texts have been validated before, so parsing succeeds.
        return values[setting.name].flatMap { try? setting.kind.read($0.text) } ?? setting.defaultValue
    }

    /// Returns the source of a setting's value.
    package func origin<Value>(_ path: KeyPath<SettingsTable, Setting<Value>>) -> SettingOrigin {
        values[Self.table[keyPath: path].name]?.origin ?? .defaultValue
    }

    func value(_ row: any SettingRow) -> Value? { values[row.name] }

    /// Reads the configured file, or else the one in the data folder if it exists.
    private static func file(_ values: [String: Value]) throws(SettingsError) -> SettingsFile? {
        if let named = values[table.config.name] { return try SettingsFile(path: named.text) }
        let folder = values[table.data.name]?.text ?? table.data.defaultValue
        let path = "\(folder)/\(fileName)"
        return FileManager.default.fileExists(atPath: path) ? try SettingsFile(path: path) : nil
    }

    /// Collects values and problems. The first value found for a setting wins.
    private struct Gathering {
        let home: String?
        var values: [String: Value] = [:]
        var problems: [String] = []
        var warnings: [String] = []

        mutating func take(_ text: String, _ name: String, _ origin: SettingOrigin, folder: String?) {
            guard let row = SettingsTable.rows.first(where: { $0.name == name }) else {
                problems.append("\(origin): unknown setting \(name)")
                return
            }
            let path = row.isPath ? absolute(text, folder) : text
            do {
                let value = Value(text: try row.normalized(path), origin: origin)
                if values[name] == nil { values[name] = value }
            } catch {
                // The origin of a command-line value already names the setting.
                let subject = if case .commandLine = origin { "" } else { "\(name) " }
                let colon = subject.isEmpty ? " " : ": "
                problems.append(
                    "\(origin)\(colon)\(subject)"
                        + (row.isSecret ? "has an invalid value" : error.message))
            }
        }

        mutating func take(_ environment: [String: String]) {
            var known: Set<String> = []
            for row in SettingsTable.rows {
                for variable in row.variables {
                    known.insert(variable.name)
                    guard let text = environment[variable.name], !text.isEmpty else { continue }
                    take(variable.value(text), row.name, .environment(variable.name), folder: nil)
                }
            }
            // Not an error: container runtimes set variables derived from service names.
            for name in environment.keys.sorted()
            where name.hasPrefix(Setting<String>.prefix) && !known.contains(name) {
                warnings.append("unknown setting in the environment: \(name)")
            }
        }

        mutating func take(_ file: SettingsFile) {
            let folder = URL(filePath: file.path).deletingLastPathComponent().path(percentEncoded: false)
            for entry in file.entries {
                let origin = SettingOrigin.file(file.path, line: entry.line)
                let isNamed = values[table.config.name] != nil
                if entry.name == table.config.name || (entry.name == table.data.name && !isNamed) {
                    problems.append(
                        "\(origin): \(entry.name) selects the settings file and cannot be set in it")
                    continue
                }
                take(entry.value, entry.name, origin, folder: folder)
            }
            let secrets = SettingsTable.rows.filter(\.isSecret).map(\.name)
            if file.isOpenToOthers, file.entries.contains(where: { secrets.contains($0.name) }) {
                warnings.append(
                    "\(file.path) contains a secret but others can read it; run `chmod 600 \(file.path)`")
            }
        }

        private func absolute(_ path: String, _ folder: String?) -> String {
            if path.hasPrefix("~/"), let home { return home + path.dropFirst() }
            guard let folder, !path.hasPrefix("/"), !path.isEmpty else { return path }
            return folder.hasSuffix("/") ? folder + path : "\(folder)/\(path)"
        }
    }
}
