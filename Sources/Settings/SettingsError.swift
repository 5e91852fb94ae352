/// Settings that cannot be used: all that is wrong with them, each with its place.
public struct SettingsError: Error, Sendable, CustomStringConvertible {
    /// What is wrong, a line each. Values of secrets are not among it.
    public let problems: [String]

    /// The lines.
    public var description: String { problems.joined(separator: "\n") }
}
