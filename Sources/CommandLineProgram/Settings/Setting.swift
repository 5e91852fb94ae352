/// A setting: one row of ``SettingsTable``. Its flag, environment variable, key in the file and line in the help are all
/// derived from it.
package struct Setting<Value: Sendable>: Sendable {
    /// The key in the file. The flag is `--name`, the environment variable `STREAM_HOST_NAME`.
    package let name: String
    /// A short description.
    package let help: String
    /// The default value.
    package let defaultValue: Value
    /// Description of a default that depends on the machine or the program.
    let defaultText: String?
    let section: SettingSection
    let programs: Set<SettingProgram>
    let isSecret: Bool
    /// Environment variables with the same meaning in related programs.
    let aliases: [SettingVariable]
    let kind: SettingKind<Value>

    /// Creates a setting that always has a value.
    init(
        _ name: String, _ kind: SettingKind<Value>, defaultValue: Value, defaultText: String? = nil,
        section: SettingSection, programs: Set<SettingProgram> = [.host], aliases: [SettingVariable] = [],
        isSecret: Bool = false, help: String
    ) {
        self.name = name
        self.kind = kind
        self.defaultValue = defaultValue
        self.defaultText = defaultText
        self.section = section
        self.programs = programs
        self.aliases = aliases
        self.isSecret = isSecret
        self.help = help
    }

    /// Creates a setting without a default.
    init<Wrapped: Sendable>(
        _ name: String, _ kind: SettingKind<Wrapped>, defaultText: String? = nil, section: SettingSection,
        programs: Set<SettingProgram> = [.host], aliases: [SettingVariable] = [], isSecret: Bool = false,
        help: String
    ) where Value == Wrapped? {
        self.init(
            name, kind.optional(), defaultValue: nil, defaultText: defaultText, section: section,
            programs: programs, aliases: aliases, isSecret: isSecret, help: help)
    }
}

/// A program that reads the settings.
package enum SettingProgram: Sendable, Hashable {
    /// `stream-host`.
    case host
    /// `analyze-cli`.
    case analyzer
}

/// A section of the help.
enum SettingSection: String, CaseIterable, Sendable {
    case folders = "Folders"
    case network = "Network and access"
    case following = "Several hosts"
    case reach = "Discovery and tunnels"
    case work = "Analysis"
    case radio = "Radio"
    case jukebox = "Jukebox"
    case navidrome = "Navidrome"
    case acoustID = "AcoustID"
    case logs = "Logs and metrics"
}

/// An environment variable.
struct SettingVariable: Sendable {
    let name: String
    /// Whether the variable names a file whose folder is the value.
    var isFileInFolder = false

    /// Converts the text of the variable to the text of the setting.
    func value(_ text: String) -> String {
        guard isFileInFolder else { return text }
        guard let slash = text.lastIndex(of: "/") else { return "." }
        return slash == text.startIndex ? "/" : String(text[..<slash])
    }
}

/// A type-erased ``Setting``.
protocol SettingRow: Sendable {
    var name: String { get }
    var help: String { get }
    var section: SettingSection { get }
    var programs: Set<SettingProgram> { get }
    var isSecret: Bool { get }
    var isPath: Bool { get }
    var placeholder: String? { get }
    /// The environment variables, in order of precedence.
    var variables: [SettingVariable] { get }
    /// The default as it would be written in the file; nil if there is no default.
    var defaultValueText: String? { get }
    /// The default as shown in the help; nil if there is no default.
    var shownDefault: String? { get }
    /// Parses a value and returns it in normalized form.
    func normalized(_ text: String) throws(SettingValueError) -> String
}

extension Setting: SettingRow {
    /// The common prefix of the environment variables.
    static var prefix: String { "STREAM_HOST_" }

    var isPath: Bool { kind.isPath }
    var placeholder: String? { kind.placeholder }

    var variables: [SettingVariable] {
        let own = Self.prefix + name.uppercased().map { $0 == "-" ? "_" : String($0) }.joined()
        return [SettingVariable(name: own)] + aliases
    }

    var defaultValueText: String? { kind.show(defaultValue) }
    var shownDefault: String? { defaultText ?? kind.show(defaultValue) }

    func normalized(_ text: String) throws(SettingValueError) -> String {
        let value = try kind.read(text)
        return kind.show(value) ?? ""
    }
}
