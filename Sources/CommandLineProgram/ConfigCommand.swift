/// `config`: prints the settings in force and the origin of each.
package struct ConfigCommand {
    private enum Form { case table, json, markdown }

    private let settings: EffectiveSettings
    private let form: Form

    /// Accepts the program's own options as well, so that their effect is shown.
    /// - Throws: `UsageError`.
    package init(_ arguments: ArgumentList, for program: SettingProgram) throws {
        var arguments = arguments
        var form = Form.table
        settings = try arguments.takeSettings(for: program, flags: ["--json", "--markdown"]) { name, _ in
            form = name == "--json" ? .json : .markdown
        }
        _ = try arguments.operands(0...0, named: "options only")
        self.form = form
    }

    /// Prints the settings.
    package func run() throws {
        switch form {
        case .table: Terminal.print(SettingsReport(settings).text)
        case .json: Terminal.print(try SettingsReport(settings).json())
        case .markdown: Terminal.print(SettingsHelp.markdown(of: settings.program))
        }
    }
}
