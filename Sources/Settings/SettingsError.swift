/// Invalid settings: all problems found, each with its location.
public struct SettingsError: Error, Sendable, CustomStringConvertible {
    /// One line per problem. Values of secrets are not included.
    public let problems: [String]

    /// All problems, one per line.
    public var description: String { problems.joined(separator: "\n") }
}
