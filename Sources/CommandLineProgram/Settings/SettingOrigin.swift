/// The source of a setting's value.
package enum SettingOrigin: Sendable, Hashable, CustomStringConvertible {
    /// The command line; the associated value is the flag or operand.
    case commandLine(String)
    /// An environment variable.
    case environment(String)
    /// A line of a file, counted from 1.
    case file(String, line: Int)
    /// The default value.
    case defaultValue

    /// A description for users.
    package var description: String {
        switch self {
        case .commandLine(let name): name
        case .environment(let name): name
        case .file(let path, let line): "\(path):\(line)"
        case .defaultValue: "default"
        }
    }

    /// A stable identifier, used in JSON.
    package var kind: String {
        switch self {
        case .commandLine: "command_line"
        case .environment: "environment"
        case .file: "file"
        case .defaultValue: "standard"
        }
    }
}
