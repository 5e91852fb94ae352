internal import Foundation

/// The settings that hold for a run of a program, and where each comes from: the command line, then the environment, then
/// the file, then the standard.
public struct SettingsInForce: Sendable {
    struct Value: Sendable {
        let text: String
        let origin: SettingOrigin
    }

    /// The program that they are for.
    public let program: SettingProgram
    /// The file that was read; nil where there is none.
    public let file: String?
    /// What is odd and keeps nothing from working, for a person.
    public let warnings: [String]
    private let values: [String: Value]

    private static let table = SettingsTable()
    /// Name of the file in the data folder.
    static let fileName = "stream-host.conf"

    /// Finds what holds.
    /// - Parameters:
    ///   - commandLine: by name, what the command line says: its texts, with the words that said so.
    ///   - environment: the program's variables. Empty ones say nothing.
    /// - Throws: everything that is no setting or no value of it.
    public init(
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

    /// What holds for a setting.
    public subscript<Value>(_ path: KeyPath<SettingsTable, Setting<Value>>) -> Value {
        let setting = Self.table[keyPath: path]
        // Texts were read once already: they are values.
        return values[setting.name].flatMap { try? setting.kind.read($0.text) } ?? setting.standard
    }

    /// Where it comes from.
    public func origin<Value>(_ path: KeyPath<SettingsTable, Setting<Value>>) -> SettingOrigin {
        values[Self.table[keyPath: path].name]?.origin ?? .standard
    }

    func value(_ row: any SettingRow) -> Value? { values[row.name] }

    /// The file that is named, or else the one of the data folder, if it is there.
    private static func file(_ values: [String: Value]) throws(SettingsError) -> SettingsFile? {
        if let named = values[table.config.name] { return try SettingsFile(path: named.text) }
        let folder = values[table.data.name]?.text ?? table.data.standard
        let path = "\(folder)/\(fileName)"
        return FileManager.default.fileExists(atPath: path) ? try SettingsFile(path: path) : nil
    }

    /// Values as they are found, and what is wrong with them. What is found first holds.
    private struct Gathering {
        let home: String?
        var values: [String: Value] = [:]
        var problems: [String] = []
        var warnings: [String] = []

        mutating func take(_ text: String, _ name: String, _ origin: SettingOrigin, folder: String?) {
            guard let row = SettingsTable.rows.first(where: { $0.name == name }) else {
                problems.append("\(origin): there is no setting \(name)")
                return
            }
            let path = row.isPath ? absolute(text, folder) : text
            do {
                let value = Value(text: try row.normalized(path), origin: origin)
                if values[name] == nil { values[name] = value }
            } catch {
                // A flag is named by its origin.
                let subject = if case .commandLine = origin { "" } else { "\(name) " }
                let colon = subject.isEmpty ? " " : ": "
                problems.append(
                    "\(origin)\(colon)\(subject)"
                        + (row.isSecret ? "is no value that this setting takes" : error.message))
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
            // Not an error: systems that start containers make variables of their own from names of services.
            for name in environment.keys.sorted()
            where name.hasPrefix(Setting<String>.prefix) && !known.contains(name) {
                warnings.append("the environment's \(name) is no setting")
            }
        }

        mutating func take(_ file: SettingsFile) {
            let folder = URL(filePath: file.path).deletingLastPathComponent().path(percentEncoded: false)
            for entry in file.entries {
                let origin = SettingOrigin.file(file.path, line: entry.line)
                let isNamed = values[table.config.name] != nil
                if entry.name == table.config.name || (entry.name == table.data.name && !isNamed) {
                    problems.append(
                        "\(origin): \(entry.name) is what this file was found by: it cannot be set in it")
                    continue
                }
                take(entry.value, entry.name, origin, folder: folder)
            }
            let secrets = SettingsTable.rows.filter(\.isSecret).map(\.name)
            if file.isOpenToOthers, file.entries.contains(where: { secrets.contains($0.name) }) {
                warnings.append(
                    "\(file.path) holds a secret and can be read by others: run `chmod 600 \(file.path)`")
            }
        }

        private func absolute(_ path: String, _ folder: String?) -> String {
            if path.hasPrefix("~/"), let home { return home + path.dropFirst() }
            guard let folder, !path.hasPrefix("/"), !path.isEmpty else { return path }
            return folder.hasSuffix("/") ? folder + path : "\(folder)/\(path)"
        }
    }
}
