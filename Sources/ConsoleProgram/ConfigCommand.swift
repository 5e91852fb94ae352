public import Settings

/// `config`: the settings in force, and where each comes from.
public struct ConfigCommand {
    private enum Form { case table, json, markdown }

    private let settings: SettingsInForce
    private let form: Form

    /// Takes the options that the program's work takes, so that what they would change is seen.
    /// - Throws: `UsageError`.
    public init(_ arguments: ArgumentList, for program: SettingProgram) throws {
        var arguments = arguments
        var form = Form.table
        settings = try arguments.takeSettings(for: program, flags: ["--json", "--markdown"]) { name, _ in
            form = name == "--json" ? .json : .markdown
        }
        _ = try arguments.operands(0...0, named: "no more than options")
        self.form = form
    }

    /// Prints them.
    public func run() throws {
        switch form {
        case .table: Terminal.print(SettingsReport(settings).text)
        case .json: Terminal.print(try SettingsReport(settings).json())
        case .markdown: Terminal.print(SettingsHelp.markdown(of: settings.program))
        }
    }
}
