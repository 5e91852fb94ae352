/// Invalid settings: all problems found, each with its location.
package struct SettingsError: Error, Sendable, CustomStringConvertible {
    /// One line per problem. Values of secrets are not included.
    package let problems: [String]

    /// All problems, one per line.
    package var description: String { problems.joined(separator: "\n") }
}
