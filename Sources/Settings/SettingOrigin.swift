/// Where the value of a setting comes from.
public enum SettingOrigin: Sendable, Hashable, CustomStringConvertible {
    /// The command line: the flag or operand.
    case commandLine(String)
    /// A variable of the environment.
    case environment(String)
    /// A line of a file, from 1.
    case file(String, line: Int)
    /// Nobody says otherwise.
    case standard

    /// For a person.
    public var description: String {
        switch self {
        case .commandLine(let name): name
        case .environment(let name): name
        case .file(let path, let line): "\(path):\(line)"
        case .standard: "standard"
        }
    }

    /// One word, for programs.
    public var kind: String {
        switch self {
        case .commandLine: "command_line"
        case .environment: "environment"
        case .file: "file"
        case .standard: "standard"
        }
    }
}
