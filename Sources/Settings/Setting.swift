/// A setting: a row of ``SettingsTable``. Its flag, its variable of the environment, its key in the file and its line of the
/// help all come from here.
public struct Setting<Value: Sendable>: Sendable {
    /// The key in the file. The flag is `--name`, the variable `STREAM_HOST_NAME`.
    public let name: String
    /// What it is, in a few words.
    public let help: String
    /// What holds where nobody says otherwise.
    public let standard: Value
    /// How the standard is told where it depends on the machine or the program.
    let standardText: String?
    let section: SettingSection
    let programs: Set<SettingProgram>
    let isSecret: Bool
    /// Variables of the environment that other programs of the kind know the same thing by.
    let aliases: [SettingVariable]
    let kind: SettingKind<Value>

    /// A setting that always has a value.
    init(
        _ name: String, _ kind: SettingKind<Value>, standard: Value, standardText: String? = nil,
        section: SettingSection, programs: Set<SettingProgram> = [.host], aliases: [SettingVariable] = [],
        isSecret: Bool = false, help: String
    ) {
        self.name = name
        self.kind = kind
        self.standard = standard
        self.standardText = standardText
        self.section = section
        self.programs = programs
        self.aliases = aliases
        self.isSecret = isSecret
        self.help = help
    }

    /// A setting that may be left open.
    init<Wrapped: Sendable>(
        _ name: String, _ kind: SettingKind<Wrapped>, standardText: String? = nil, section: SettingSection,
        programs: Set<SettingProgram> = [.host], aliases: [SettingVariable] = [], isSecret: Bool = false,
        help: String
    ) where Value == Wrapped? {
        self.init(
            name, kind.optional(), standard: nil, standardText: standardText, section: section,
            programs: programs, aliases: aliases, isSecret: isSecret, help: help)
    }
}

/// A program that reads the settings.
public enum SettingProgram: Sendable, Hashable {
    /// `stream-host`.
    case host
    /// `analyze-cli`.
    case analyzer
}

/// What a setting is about: a part of the help.
enum SettingSection: String, CaseIterable, Sendable {
    case folders = "Folders"
    case network = "Network and access"
    case reach = "Being found and reached"
    case work = "Analysis"
    case navidrome = "Navidrome"
    case logs = "Logs and metrics"
}

/// A variable of the environment.
struct SettingVariable: Sendable {
    let name: String
    /// The variable names a file; its folder is meant.
    var isFileInFolder = false

    /// What the variable's text says of the setting.
    func value(_ text: String) -> String {
        guard isFileInFolder else { return text }
        guard let slash = text.lastIndex(of: "/") else { return "." }
        return slash == text.startIndex ? "/" : String(text[..<slash])
    }
}

/// A ``Setting`` whatever its values are.
protocol SettingRow: Sendable {
    var name: String { get }
    var help: String { get }
    var section: SettingSection { get }
    var programs: Set<SettingProgram> { get }
    var isSecret: Bool { get }
    var isPath: Bool { get }
    var placeholder: String? { get }
    /// Its variables, the most telling first.
    var variables: [SettingVariable] { get }
    /// What holds where nobody says otherwise, as it would be written; nil for nothing.
    var standardValue: String? { get }
    /// What holds where nobody says otherwise, for a person; nil for nothing.
    var shownStandard: String? { get }
    /// The value as it is shown.
    func normalized(_ text: String) throws(SettingValueError) -> String
}

extension Setting: SettingRow {
    /// What all variables of the programs begin with.
    static var prefix: String { "STREAM_HOST_" }

    var isPath: Bool { kind.isPath }
    var placeholder: String? { kind.placeholder }

    var variables: [SettingVariable] {
        let own = Self.prefix + name.uppercased().map { $0 == "-" ? "_" : String($0) }.joined()
        return [SettingVariable(name: own)] + aliases
    }

    var standardValue: String? { kind.show(standard) }
    var shownStandard: String? { standardText ?? kind.show(standard) }

    func normalized(_ text: String) throws(SettingValueError) -> String {
        let value = try kind.read(text)
        return kind.show(value) ?? ""
    }
}
