internal import Foundation

extension ArgumentList {
    /// Takes all options: those that are settings, and the command's own.
    /// - Parameters:
    ///   - program: whose settings.
    ///   - names: the settings that the command line may set; nil for all of the program's.
    ///   - operand: a setting that may stand as the only operand.
    ///   - flags: options of the command's own, without a value.
    ///   - valued: options of the command's own, with one.
    ///   - body: receives each option of the command's own.
    /// - Returns: the settings from all sources. Warnings have been printed.
    /// - Throws: `UsageError` for everything that is no option, no setting or no value of one. `SettingsError` for the other sources and for values.
    package mutating func takeSettings(
        for program: SettingProgram, only names: Set<String>? = nil,
        operand: (name: String, label: String)? = nil, flags: Set<String> = [],
        valued: Set<String> = [], _ body: (_ name: String, _ value: String) throws -> Void = { _, _ in }
    ) throws -> EffectiveSettings {
        let known = SettingsHelp.flags(of: program, only: names)
        var given: [String: (text: String, word: String)] = [:]
        try takeOptions(flags: known.bare.union(flags), valued: known.valued.union(valued)) { word, value in
            if flags.contains(word) || valued.contains(word) {
                try body(word, value)
            } else if known.valued.contains(word) {
                given[String(word.dropFirst(2))] = (value, word)
            } else {
                let isOff = word.hasPrefix("--no-")
                given[String(word.dropFirst(isOff ? 5 : 2))] = (isOff ? "no" : "yes", word)
            }
        }
        if let operand, let text = try operands(0...1, named: operand.label).first {
            given[operand.name] = (text, operand.label)
        }
        let settings: EffectiveSettings
        do {
            settings = try EffectiveSettings(
                program: program, commandLine: given, environment: ProcessInfo.processInfo.environment)
        } catch {
            throw UsageError(message: error.description)
        }
        for warning in settings.warnings { Terminal.complain(warning) }
        return settings
    }
}
