/// The settings as a part of a help page.
public enum SettingsHelp {
    /// A line for each flag of a program, with its standard, by section.
    /// - Parameter leavingOut: names that the page tells of elsewhere.
    public static func options(of program: SettingProgram, leavingOut: Set<String> = []) -> String {
        let rows = SettingsTable.rows(of: program).filter { !leavingOut.contains($0.name) }
        let flags = rows.map { "--\($0.name)" + ($0.placeholder.map { " \($0)" } ?? "") }
        let width = flags.map(\.count).max() ?? 0
        return SettingSection.allCases.compactMap { section -> String? in
            let lines = zip(rows, flags).filter { $0.0.section == section }.map { row, flag in
                // What is off, or nothing, by itself need not be told.
                let standard = row.placeholder == nil ? nil : row.shownStandard
                return "  " + flag + String(repeating: " ", count: width - flag.count) + "  " + row.help
                    + (standard.map { "  [\($0)]" } ?? "")
            }
            return lines.isEmpty ? nil : "\(section.rawValue)\n" + lines.joined(separator: "\n")
        }.joined(separator: "\n\n")
    }

    /// Name, flag, variables and meaning of each setting of a program as a table in Markdown.
    public static func markdown(of program: SettingProgram) -> String {
        let lines = SettingsTable.rows(of: program).map { row in
            let variables = row.variables.map { "`\($0.name)`" }.joined(separator: ", ")
            let standard = row.shownStandard.map { $0.contains(" ") ? $0 : "`\($0)`" } ?? ""
            return "| `\(row.name)` | \(variables) | \(standard) | \(row.help) |"
        }
        return
            (["| setting | in the environment | standard | meaning |", "| --- | --- | --- | --- |"] + lines)
            .joined(separator: "\n")
    }

    /// The flags of a program: those with a value, and those without.
    /// - Parameter names: the settings that are meant; nil for all.
    public static func flags(of program: SettingProgram, only names: Set<String>? = nil) -> (
        valued: Set<String>, bare: Set<String>
    ) {
        let rows = SettingsTable.rows(of: program).filter { names?.contains($0.name) ?? true }
        let bare = rows.filter { $0.placeholder == nil }
        return (
            Set(rows.filter { $0.placeholder != nil }.map { "--\($0.name)" }),
            Set(bare.map { "--\($0.name)" } + bare.map { "--no-\($0.name)" })
        )
    }
}
