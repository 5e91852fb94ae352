/// Formats the settings for help pages.
package enum SettingsHelp {
    /// Width of the help pages in columns.
    private static let pageWidth = 118

    /// Returns the flags of a program with their meanings and defaults, grouped by section.
    /// - Parameter leavingOut: names of settings that the page describes elsewhere.
    package static func options(of program: SettingProgram, leavingOut: Set<String> = []) -> String {
        let rows = SettingsTable.rows(of: program).filter { !leavingOut.contains($0.name) }
        let flags = rows.map { "--\($0.name)" + ($0.placeholder.map { " \($0)" } ?? "") }
        let width = flags.map(\.count).max() ?? 0
        return SettingSection.allCases.compactMap { section -> String? in
            let lines = zip(rows, flags).filter { $0.0.section == section }.map { row, flag in
                // Show no default for switches.
                let defaultText = row.placeholder == nil ? nil : row.shownDefault
                let text = row.help + (defaultText.map { "  [\($0)]" } ?? "")
                return "  " + flag + String(repeating: " ", count: width - flag.count) + "  "
                    + wrapped(text, indent: width + 4)
            }
            return lines.isEmpty ? nil : "\(section.rawValue)\n" + lines.joined(separator: "\n")
        }.joined(separator: "\n\n")
    }

    /// Breaks a text at spaces, so that no line is wider than a page where that is possible.
    /// - Parameter indent: column at which all lines begin.
    private static func wrapped(_ text: String, indent: Int) -> String {
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ", omittingEmptySubsequences: false) {
            if !line.isEmpty, indent + line.count + 1 + word.count > pageWidth {
                lines.append(line)
                line = String(word)
            } else {
                line += (line.isEmpty ? "" : " ") + word
            }
        }
        let margin = "\n" + String(repeating: " ", count: indent)
        return (lines + [line]).joined(separator: margin)
    }

    /// Returns a Markdown table of a program's settings with their environment variables, defaults and descriptions.
    package static func markdown(of program: SettingProgram) -> String {
        let lines = SettingsTable.rows(of: program).map { row in
            let variables = row.variables.map { "`\($0.name)`" }.joined(separator: ", ")
            let defaultText = row.shownDefault.map { $0.contains(" ") ? $0 : "`\($0)`" } ?? ""
            return "| `\(row.name)` | \(variables) | \(defaultText) | \(row.help) |"
        }
        return
            (["| Setting | Environment | Default | Description |", "| --- | --- | --- | --- |"] + lines)
            .joined(separator: "\n")
    }

    /// Returns the flags of a program, with and without a value.
    /// - Parameter names: the settings to include; nil for all.
    package static func flags(of program: SettingProgram, only names: Set<String>? = nil) -> (
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
